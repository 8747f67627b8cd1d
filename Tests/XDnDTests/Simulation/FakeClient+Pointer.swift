@testable import XDnD

extension FakeClient {
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
    func here(_ sample: PointerSample) -> PointerSample {
      PointerSample(point: point, time: sample.time, modifiers: sample.modifiers)
    }
    return switch event {
    case .pointerMoved: nil
    case .buttonPressed(let button, let sample): .event(.buttonPressed(button, here(sample)))
    case .buttonReleased(let button, let sample): .event(.buttonReleased(button, here(sample)))
    case .modifiersChanged(let sample): .event(.modifiersChanged(here(sample)))
    case .keyPressed(let key, let sample): .event(.keyPressed(key, here(sample)))
    default: self
    }
  }
}
