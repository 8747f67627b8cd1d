/// A value with its own encoders and decoders for the types that X11 programs use.
protocol WireValue: Sendable {
  init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError)
  func encoded(as type: ContentType) throws(ContentError) -> [UInt8]

  /// Best first.
  static var importableTypes: [ContentType] { get }
  static var exportableTypes: [ContentType] { get }
}

/// The types in which peers offer and accept a value.
struct WireRepresentation<Item: WireValue>: TransferRepresentation {
  var forms: TransferForms<Item> {
    TransferForms(
      exports: { item in Item.exportableTypes.compactMap { export(item, as: $0) } },
      imports: Item.importableTypes.map { .init(type: $0, make: .bytes { try Item(decoding: $0, as: $1) }) })
  }

  private func export(_ item: Item, as type: ContentType) -> TransferExport? {
    // `STRING` is Latin-1 (ICCCM §2.7.1); text that does not fit is not offered as such.
    if type == "STRING", (try? item.encoded(as: type)) == nil { return nil }
    return .init(type: type) { request in
      guard let bytes = try? item.encoded(as: type) else { return request.refuse() }
      switch type {
      // The answer to `TEXT` may have any encoding, and its property type names the encoding (ICCCM §2.7.1).
      case "TEXT": request.fulfill(bytes, as: .utf8String)
      // GTK 3 accepts only 16-bit units.
      case .color: request.fulfill(bytes, in: .short)
      default: request.fulfill(bytes)
      }
    }
  }
}
