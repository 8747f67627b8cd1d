package import XDnD

extension DragItem {
  /// One type with these bytes.
  package init(_ type: ContentType, _ bytes: [UInt8]) {
    self.init()
    promise(type, bytes: bytes)
  }
}

extension Result where Failure == XDnDError {
  /// What kind of failure it is; `nil` for a success.
  package var failure: XDnDError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }
}

extension AtomName {
  /// Whether it is one of those that the driver has content delivered to.
  package var isTransfer: Bool { rawValue.hasPrefix("XDND_TRANSFER_") }
}
