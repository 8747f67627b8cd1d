/// The application's half of a registered window. It answers the driver's questions about the window, and receives the
/// window's notices.
///
/// By default, a window takes drops everywhere and is one container. An application may move its regions at any time,
/// so the driver asks for their places each time.
class DropHost: Equatable {
  let window: WindowID
  /// The types and operations that the window accepts. A change takes effect when the window is registered again.
  var offer: DropOffer

  init(_ window: WindowID, accepting offer: DropOffer) {
    self.window = window
    self.offer = offer
  }

  static func == (left: DropHost, right: DropHost) -> Bool { left === right }

  /// The parts in which the window takes drops, in its coordinates; `nil` for the whole window.
  var parts: [Rect]? { nil }

  /// The container at a place in root coordinates.
  func container(at root: Point) -> DragContainer { DragContainer(window: window) }

  /// The container at a place in the window's coordinates. Makes no round trip.
  func container(atLocation location: Point) -> DragContainer { DragContainer(window: window) }

  /// - Parameter visit: The drag that the notice is about.
  func receive(_ notice: Notice.TargetNotice, of visit: Visit?) {}
}
