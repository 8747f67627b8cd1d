/// The bytes of what is offered, on their way to whoever asked.
extension Reactor {
  /// Answers ``Notice/DragNotice/contentNeeded(_:type:requestor:)``, once; `nil` refuses.
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

  func perform(
    _ effect: OutgoingTransfer.Effect, _ transfer: TransferID, _ destination: SelectionServer.Destination,
    offerOf drag: DragID
  ) {
    switch effect {
    case .stage(let count):
      guard let part = readers[transfer]?.read(upTo: count) else {
        return answer([.offer(drag, .transfer(transfer, .failed))])
      }
      staged[transfer] = part
      answer([.offer(drag, .transfer(transfer, .staged(part.count)))])
    case .announce(let lowerBound):
      system.write(
        PropertyValue(type: .incr, contents: .words([UInt32(clamping: lowerBound)])), to: destination.property,
        of: destination.requestor)
    case .write:
      let part = staged.removeValue(forKey: transfer) ?? []
      let type = readers[transfer]?.propertyType ?? destination.target
      system.write(
        PropertyValue(type: type, contents: .bytes(part)), to: destination.property, of: destination.requestor)
    case .progressed(let bytes):
      tell(.drag(drag, .transferProgressed(transfer, bytes: bytes)))
      answer([.source(drag, .transferProgressed)])
    case .ended(let result):
      awaited.remove(transfer)
      readers[transfer] = nil
      staged[transfer] = nil
      tell(.drag(drag, .transferEnded(transfer, result)))
      if result != .delivered { answer([.source(drag, .transferFailed)]) }
    case .answer: break
    }
  }
}
