extension Sequence {
  /// The first result of `transform` that is not `nil`. Unlike `lazy.compactMap(_:).first`, this calls `transform` once
  /// for each element: the second answer of a file system or a server may differ from the first.
  package func firstNonNil<Result>(_ transform: (Element) throws -> Result?) rethrows -> Result? {
    for element in self { if let result = try transform(element) { return result } }
    return nil
  }
}
