extension Clipboard {
  /// The types of what is here, best first; none if nothing is here.
  ///
  /// Like the other methods that wait, it needs somebody to run the driver meanwhile, such as ``DragAndDrop/run()``.
  ///
  /// - Throws: What kept the list from arriving.
  public func types() async throws(XDnDError) -> [ContentType] {
    try await outcome { types(completion: $0) }
  }

  /// Has a clipboard manager fetch what this program has put here.
  public func handOver(within limit: Duration = .seconds(10)) async -> HandOver {
    await withCheckedContinuation { continuation in
      handOver(within: limit) { continuation.resume(returning: $0) }
    }
  }
}
