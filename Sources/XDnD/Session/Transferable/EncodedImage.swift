/// An encoded image with its type. It is neither decoded nor converted.
public struct EncodedImage: Hashable, Transferable {
  /// The type of the encoded bytes, such as ``ContentType/png``.
  public var type: ContentType
  /// The whole encoded image.
  public var bytes: [UInt8]

  /// Creates an image from encoded bytes.
  public init(_ bytes: [UInt8], type: ContentType) {
    self.type = type
    self.bytes = bytes
  }

  /// The bytes as they are, under their own type. PNG is preferred on import.
  public static var transferRepresentation: some TransferRepresentation { ImageRepresentation() }
}

/// Requests PNG first: it is lossless, and sources often derive their other types from it.
private struct ImageRepresentation: TransferRepresentation {
  var forms: TransferForms<EncodedImage> {
    let types: [ContentType] = [.png, "image/*"]
    return TransferForms(
      exports: { image in [.init(type: image.type) { $0.fulfill(image.bytes) }] },
      imports: types.map { .init(type: $0, make: .bytes { EncodedImage($0, type: $1) }) })
  }
}
