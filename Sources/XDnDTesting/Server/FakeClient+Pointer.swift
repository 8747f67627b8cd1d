import XDnD

extension FakeClient {
  func dropTarget(for window: WindowID, at point: Point?) -> DropPlace? {
    roundTrip()
    return isClosed ? nil : server.dropTarget(for: window, at: point)
  }

  func movePointer(_ move: PointerMove, at time: Timestamp) -> PointerSample? {
    roundTrip()
    return isClosed ? nil : server.movePointer(move, for: self, at: time)
  }

  /// What of motion is on its way is older, and keys and buttons are told where the pointer is now.
  func hasMovedPointer(to point: Point) {
    socket = socket.compactMap { entry in entry.delivery.moved(to: point).map { ($0, entry.at) } }
    read = read.compactMap { $0.moved(to: point) }[...]
  }
}

extension FakeClient.Delivery {
  fileprivate func moved(to point: Point) -> FakeClient.Delivery? {
    guard case .event(let event) = self else { return self }
    return event.onceMoved(to: point).map(FakeClient.Delivery.event)
  }
}
