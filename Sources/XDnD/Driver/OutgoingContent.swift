/// Supplies outgoing transfers with the bytes of their providers, and writes them to the requestors' properties.
final class OutgoingContent {
  /// A part that is due but that the provider did not have when it was asked.
  private struct PendingStage {
    let offer: OfferID
    let byteCount: Int
  }

  private let context: DriverContext
  /// The transfers whose providers have not answered yet.
  private var awaited: Set<TransferID> = []
  private var readers: [TransferID: any ContentReader] = [:]
  /// The bytes that are read and not yet written: one part, or the content of a whole property.
  private var staged: [TransferID: ArraySlice<UInt8>] = [:]
  private var pending: [TransferID: PendingStage] = [:]

  init(_ context: DriverContext) {
    self.context = context
  }

  // MARK: State

  var isEmpty: Bool { awaited.isEmpty && readers.isEmpty && staged.isEmpty }
  var openReaders: [any ContentReader] { Array(readers.values) }
  var stagedParts: [ArraySlice<UInt8>] { Array(staged.values) }
  var hasPendingStages: Bool { !pending.isEmpty }

  // MARK: Providers

  /// Notes that the application is asked for a reader.
  func expectReader(for transfer: TransferID) { awaited.insert(transfer) }

  /// Whether a transfer still waits for its reader.
  func awaitsReader(for transfer: TransferID) -> Bool { awaited.contains(transfer) }

  /// Takes the answer to ``Notice/OfferNotice/contentNeeded(_:type:requestor:)``; `nil` refuses. A second answer, or
  /// one after the end of the transfer, has no effect.
  func provide(_ transfer: TransferID, _ reader: (any ContentReader)?) {
    guard awaited.remove(transfer) != nil else { return }
    readers[transfer] = reader
    // A slow provider of little content delivers for a while before the first part is sent.
    if let byteCount = reader?.byteCount {
      context.tell(.offer(transfer.offer, .transferProgressed(transfer, bytes: 0, of: byteCount)))
    }
    context.post([
      .offer(transfer.offer, .transfer(transfer, reader.map { .opened(byteCount: $0.byteCount) } ?? .refused))
    ])
  }

  /// Asks the providers again that had no bytes. Returns the jobs for those that have some now.
  func arrivedContent() -> [Job] {
    pending.keys.sorted().compactMap { transfer in
      guard let stage = pending.removeValue(forKey: transfer) else { return nil }
      return self.stage(stage.byteCount, transfer, of: stage.offer)
        .map { .offer(stage.offer, .transfer(transfer, $0)) }
    }
  }

  // MARK: Transfers

  /// - Parameter isTarget: Whether the requestor belongs to the client that the offer was dropped on.
  func perform(
    _ effect: OutgoingTransfer.Effect, _ transfer: TransferID, _ destination: SelectionServer.Destination,
    of offer: OfferID, toTarget isTarget: Bool
  ) {
    switch effect {
    case .stage(let count):
      if let input = stage(count, transfer, of: offer) { context.answer([.offer(offer, .transfer(transfer, input))]) }
    case .announce(let lowerBound):
      pending[transfer] = nil
      context.exchange.sent("\(destination.target): INCR, at least \(lowerBound) bytes", to: destination.requestor)
      context.system.write(
        PropertyValue(type: .incr, contents: .words([UInt32(clamping: lowerBound)])), to: destination.property,
        of: destination.requestor)
    case .write(let count): write(count, transfer, to: destination)
    case .progressed(let bytes):
      context.tell(.offer(offer, .transferProgressed(transfer, bytes: bytes, of: readers[transfer]?.byteCount)))
      context.answer([.source(offer, .transferProgressed)])
    case .ended(let result):
      awaited.remove(transfer)
      readers[transfer] = nil
      staged[transfer] = nil
      pending[transfer] = nil
      context.tell(.offer(offer, .transferEnded(transfer, result)))
      // This transfer is an answer and no content; the machine of the direct save reports the end.
      guard destination.target != .xdndDirectSave else { break }
      if result != .delivered {
        context.answer([.source(offer, .transferFailed)])
      } else if isTarget {
        context.answer([.source(offer, .contentDelivered)])
      }
    case .answer: break
    }
  }

  /// Reads a part. Returns `nil` if the provider has no bytes yet; it will be asked again.
  private func stage(_ count: Int, _ transfer: TransferID, of offer: OfferID) -> OutgoingTransfer.Input? {
    switch readers[transfer]?.read(upTo: count) ?? .failed {
    case .bytes(let part):
      // The first part, usually the only one, is not copied.
      if staged[transfer]?.append(contentsOf: part) == nil { staged[transfer] = part }
      return .staged(part.count)
    case .pending:
      pending[transfer] = PendingStage(offer: offer, byteCount: count)
      return nil
    case .failed: return .failed
    }
  }

  private func write(_ count: Int, _ transfer: TransferID, to destination: SelectionServer.Destination) {
    let bytes = staged.removeValue(forKey: transfer) ?? []
    if count < bytes.count { staged[transfer] = bytes.dropFirst(count) }
    let reader = readers[transfer]
    let isLetter = destination.target == .xdndDirectSave
    context.exchange.sent(
      "\(destination.target): \(isLetter ? ExchangeTrace.excerpt(bytes) : "\(count) bytes")",
      to: destination.requestor)
    context.system.write(
      PropertyValue(
        type: reader?.propertyType ?? destination.target,
        contents: .units(bytes.prefix(count), of: reader?.unit ?? .byte)),
      to: destination.property, of: destination.requestor)
  }
}

extension TransferID {
  /// The id of an offer's first transfer. The upper half is the offer's id, so that a transfer tells its offer.
  static func first(of offer: OfferID) -> TransferID { TransferID(rawValue: offer.rawValue << 32) }

  /// The offer that an outgoing transfer belongs to.
  fileprivate var offer: OfferID { OfferID(rawValue: rawValue >> 32) }
}
