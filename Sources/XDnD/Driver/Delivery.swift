/// The content of one outgoing transfer: a provider's bytes on their way to a property of the requestor.
final class Delivery {
  let destination: SelectionServer.Destination
  /// The transfer as it was last reported to the application.
  private(set) var transfer: Notice.Transfer
  private enum Provider {
    /// The provider is asked when the requestor's events are selected.
    case held
    /// The provider has been asked and has not answered.
    case awaited
    case answered
  }

  private var provider = Provider.held
  private(set) var reader: (any ContentReader)?
  /// The bytes that are read and not yet written: one part, or the content of a whole property.
  private(set) var staged: ArraySlice<UInt8>?
  /// The size of the part that is due; `nil` unless the provider had no bytes when it was asked.
  private(set) var pending: Int?

  init(_ id: TransferID, to destination: SelectionServer.Destination, isCounted: Bool) {
    self.destination = destination
    transfer = Notice.Transfer(id: id, type: destination.target, isCounted: isCounted)
  }

  var id: TransferID { transfer.id }

  var isHeld: Bool { provider == .held }
  var isAwaited: Bool { provider == .awaited }

  /// Notes that the provider is asked now.
  func ask() { provider = .awaited }

  /// Takes the provider's answer.
  func provide(_ reader: (any ContentReader)?) {
    provider = .answered
    self.reader = reader
  }

  /// Reads a part.
  ///
  /// - Returns: `nil` if the provider has no bytes yet. It is asked again by ``readOn()``.
  func stage(_ count: Int) -> OutgoingTransfer.Input? {
    pending = nil
    switch reader?.read(upTo: count) ?? .failed {
    case .bytes(let part):
      // The first part, usually the only one, is not copied.
      if staged?.append(contentsOf: part) == nil { staged = part }
      return .staged(part.count)
    case .pending:
      pending = count
      return nil
    case .failed: return .failed
    }
  }

  /// Reads the part that the provider did not have.
  func readOn() -> OutgoingTransfer.Input? { pending.flatMap(stage) }

  func stopReading() { pending = nil }

  /// Notes that bytes were written.
  ///
  /// - Returns: The amount before.
  func wrote(_ count: Int) -> LoadAmount {
    defer { transfer.amount = LoadAmount(received: transfer.amount.received + count, expected: reader?.byteCount) }
    return transfer.amount
  }

  /// Removes the next bytes, as the value of a property.
  func takeValue(of count: Int) -> PropertyValue {
    let bytes = staged ?? []
    staged = count < bytes.count ? bytes.dropFirst(count) : nil
    return PropertyValue(
      type: reader?.propertyType ?? destination.target,
      contents: .units(bytes.prefix(count), of: reader?.unit ?? .byte))
  }
}

extension TransferID {
  /// The id of an offer's first transfer. The upper half is the offer's id, so a transfer's id identifies the offer.
  static func first(of offer: OfferID) -> TransferID { TransferID(rawValue: offer.rawValue << 32) }

  /// The offer that an outgoing transfer belongs to.
  var offer: OfferID { OfferID(rawValue: rawValue >> 32) }
}
