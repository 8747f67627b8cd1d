extension Clipboard {
  /// Requests the types of the clipboard's content, best first; an empty array if there is none.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``.
  ///
  /// - Throws: ``XDnDError`` if the list does not arrive.
  public func types() async throws(XDnDError) -> [ContentType] {
    try await outcome { types(completion: $0) }
  }

  /// Asks the clipboard manager to take over this program's content. See ``handOver(within:completion:)``.
  public func handOver(within limit: Duration = .seconds(10)) async -> HandOver {
    await withCheckedContinuation { continuation in
      handOver(within: limit) { continuation.resume(returning: $0) }
    }
  }
}
