/// The places that drag interactions are attached to.
final class DragInteractions {
  private let reactor: Reactor
  private var places: [Place] = []

  private struct Place {
    var window: WindowID
    /// In the window's coordinates; `nil` for the whole window.
    var frame: Rect?
    var interaction: DragInteraction
  }

  init(_ reactor: Reactor) { self.reactor = reactor }

  /// Retains an interaction, and delivers the presses at a place to it.
  func attach(_ interaction: DragInteraction, to window: WindowID, frame: Rect?) {
    places.append(Place(window: window, frame: frame, interaction: interaction))
    reactor.system.watch(window, for: .gestures)
    reactor.system.flush()
  }

  func detach(_ interaction: DragInteraction) {
    // A window is watched once for each place.
    for place in places where place.interaction === interaction {
      reactor.system.unwatch(place.window, for: .gestures)
    }
    places.removeAll { $0.interaction === interaction }
    interaction.cancel()
  }

  /// Delivers a press to the newest interaction at its place, and later input to the interactions with a held press.
  func receive(_ input: DragGesture.Input, in window: WindowID) {
    // `.cancelled` means that the window was destroyed. Forget it: the server may reuse its id.
    defer { if input == .cancelled { places.removeAll { $0.window == window } } }
    let here = places.filter { $0.window == window }
    guard case .pressed(let press) = input else {
      for place in here where place.interaction.isPressed(in: window) { place.interaction.receive(input) }
      return
    }
    // Two fingers in a window pinch or scroll, wherever the second one is.
    let held = here.map(\.interaction).filter { $0.isPressed(in: window) && $0.currentPress?.device.isTouch == true }
    if press.device.isTouch, !held.isEmpty {
      for interaction in held { interaction.receive(input) }
      return
    }
    let place = here.last { $0.interaction.isEnabled && ($0.frame?.contains(press.location) ?? true) }
    let container = reactor.targets[window]?.host.container(atLocation: press.location)
    place?.interaction.receive(input, in: container ?? DragContainer(window: window))
  }
}
