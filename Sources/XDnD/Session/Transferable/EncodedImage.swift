/// An image, as encoded bytes of a type.
public struct EncodedImage: Hashable, Transferable {
  /// Such as ``ContentType/png``.
  public var type: ContentType
  /// All of it.
  public var bytes: [UInt8]

  /// An image.
  public init(_ bytes: [UInt8], type: ContentType) {
    self.type = type
    self.bytes = bytes
  }

  /// The bytes as they are, under their own type.
  public static var transferRepresentation: some TransferRepresentation<EncodedImage> { ImageRepresentation() }
}

/// PNG is read before other images: it loses nothing, and whoever has several kinds has made the others of it.
private struct ImageRepresentation: TransferRepresentation {
  var forms: TransferForms<EncodedImage> {
    let types: [ContentType] = [.png, "image/*"]
    return TransferForms(
      exports: { image in [.init(type: image.type) { $0.fulfill(image.bytes) }] },
      imports: types.map { .init(type: $0, make: .bytes { EncodedImage($0, type: $1) }) })
  }
}
