/// A value that the `Content` room can write and read by itself.
protocol WireValue: Sendable {
  init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError)
  func encoded(as type: ContentType) throws(ContentError) -> [UInt8]

  /// Best fidelity first.
  static var importableTypes: [ContentType] { get }
  static var exportableTypes: [ContentType] { get }
}

/// All the forms in which peers give and take a value.
struct WireRepresentation<Item: WireValue>: TransferRepresentation {
  var forms: TransferForms<Item> {
    TransferForms(
      exports: { item in Item.exportableTypes.compactMap { export(item, as: $0) } },
      imports: Item.importableTypes.map { .init(type: $0, make: .bytes { try Item(decoding: $0, as: $1) }) })
  }

  private func export(_ item: Item, as type: ContentType) -> TransferForms<Item>.Export? {
    // Latin-1 and nothing else, by ICCCM: what does not fit is not offered.
    if type == "STRING", (try? item.encoded(as: type)) == nil { return nil }
    return .init(type: type) { request in
      guard let bytes = try? item.encoded(as: type) else { return request.refuse() }
      switch type {
      // Whoever asks for TEXT takes any encoding, and has to be told which one it is.
      case "TEXT": request.fulfill(bytes, as: .utf8String)
      // GTK 3 takes nothing but numbers of 16 bits.
      case .color: request.fulfill(bytes, in: .short)
      default: request.fulfill(bytes)
      }
    }
  }
}
