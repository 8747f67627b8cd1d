extension Clipboard {
  /// The types of what is here, best first; none if nothing is here.
  ///
  /// Like the other methods that wait, it needs somebody to run the driver meanwhile, such as ``DragAndDrop/run()``.
  /// Cancelling the task cancels nothing but the wait.
  ///
  /// - Throws: What kept the list from arriving.
  public func types() async throws(XDnDError) -> [ContentType] {
    let result = await withCheckedContinuation { continuation in
      _ = types { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Fetches one representation as a whole.
  ///
  /// - Throws: What kept the content from arriving.
  public func load(_ type: ContentType, limit: Int? = nil) async throws(XDnDError) -> LoadedContent {
    let result = await withCheckedContinuation { continuation in
      _ = load(type, limit: limit, completion: { continuation.resume(returning: $0) })
    }
    return try result.get()
  }

  /// Has a clipboard manager fetch what this program has put here.
  public func handOver(within limit: Duration = .seconds(10)) async -> HandOver {
    await withCheckedContinuation { continuation in
      handOver(within: limit) { continuation.resume(returning: $0) }
    }
  }
}
