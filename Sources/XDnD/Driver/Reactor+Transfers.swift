/// The bytes of what is offered, on their way to whoever asked.
extension Reactor {
  /// A part that a provider was asked for when it had nothing yet.
  struct PendingStage {
    let drag: DragID
    let byteCount: Int
  }

  /// Answers ``Notice/OfferNotice/contentNeeded(_:type:requestor:)``, once; `nil` refuses.
  ///
  /// Too late an answer, for example when the requestor is gone, changes nothing.
  func provide(_ transfer: TransferID, _ reader: (any ContentReader)?) {
    guard awaited.remove(transfer) != nil,
      let drag = offers.last(where: { $0.id.rawValue == transfer.rawValue >> 32 })?.id
    else { return }
    readers[transfer] = reader
    enqueue(
      .offer(drag, .transfer(transfer, reader.map { .opened(byteCount: $0.byteCount) } ?? .refused)))
  }

  /// Asks those providers again that had nothing when they were asked; the jobs tell what they have now.
  func arrivedContent() -> [Job] {
    pendingStages.keys.sorted().compactMap { transfer in
      guard let pending = pendingStages.removeValue(forKey: transfer) else { return nil }
      return stage(pending.byteCount, transfer, offerOf: pending.drag)
        .map { .offer(pending.drag, .transfer(transfer, $0)) }
    }
  }

  func perform(
    _ effect: OutgoingTransfer.Effect, _ transfer: TransferID, _ destination: SelectionServer.Destination,
    offerOf drag: DragID
  ) {
    switch effect {
    case .stage(let count):
      if let input = stage(count, transfer, offerOf: drag) { answer([.offer(drag, .transfer(transfer, input))]) }
    case .announce(let lowerBound):
      pendingStages[transfer] = nil
      traceSent("\(destination.target): INCR, at least \(lowerBound) bytes", to: destination.requestor)
      system.write(
        PropertyValue(type: .incr, contents: .words([UInt32(clamping: lowerBound)])), to: destination.property,
        of: destination.requestor)
    case .write(let count):
      let bytes = staged.removeValue(forKey: transfer) ?? []
      if count < bytes.count { staged[transfer] = bytes.dropFirst(count) }
      let reader = readers[transfer]
      let isLetter = destination.target == .xdndDirectSave
      traceSent(
        "\(destination.target): \(isLetter ? Self.excerpt(bytes) : "\(count) bytes")", to: destination.requestor)
      system.write(
        PropertyValue(
          type: reader?.propertyType ?? destination.target,
          contents: .units(bytes.prefix(count), of: reader?.unit ?? .byte)),
        to: destination.property, of: destination.requestor)
    case .progressed(let bytes):
      tell(.offer(drag, .transferProgressed(transfer, bytes: bytes)))
      answer([.source(drag, .transferProgressed)])
    case .ended(let result):
      awaited.remove(transfer)
      readers[transfer] = nil
      staged[transfer] = nil
      pendingStages[transfer] = nil
      tell(.offer(drag, .transferEnded(transfer, result)))
      // What becomes of a direct save is told by its own machine; its answers are not content.
      guard destination.target != .xdndDirectSave else { break }
      answer([.source(drag, result == .delivered ? .contentDelivered : .transferFailed)])
    case .answer: break
    }
  }

  /// Has a provider add to what is staged; `nil` if it has nothing yet and will be asked again.
  private func stage(_ count: Int, _ transfer: TransferID, offerOf drag: DragID) -> OutgoingTransfer.Input? {
    switch readers[transfer]?.read(upTo: count) ?? .failed {
    case .bytes(let part):
      // The usual part is the only one, and is not copied.
      if staged[transfer]?.append(contentsOf: part) == nil { staged[transfer] = part }
      return .staged(part.count)
    case .pending:
      pendingStages[transfer] = PendingStage(drag: drag, byteCount: count)
      return nil
    case .failed: return .failed
    }
  }
}
