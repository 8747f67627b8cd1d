extension DragItem {
  /// Adds a representation that may be limited to this process. Does nothing if the type is already there with this
  /// visibility.
  ///
  /// - Parameters:
  ///   - type: The type of the representation.
  ///   - visibility: Which programs see it. One with ``TransferRepresentationVisibility/ownProcess`` is for drops on
  ///     windows of the same ``DragAndDrop``.
  ///   - provide: See ``promise(_:provide:)``.
  public mutating func promise(
    _ type: ContentType, visibility: TransferRepresentationVisibility, provide: @escaping (DataRequest) -> Void
  ) {
    add(Representation(type: type, visibility: visibility, provide: provide))
  }
}
