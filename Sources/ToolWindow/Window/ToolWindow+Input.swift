/// Dispatches input to the scene's own controls first, and to the host's closures otherwise.
extension ToolWindow {
  /// The mask of the buttons 1 to 5 in an event's `state`.
  static let anyButton: UInt32 = 0x1F00

  func press(_ event: PointerEvent) {
    if event.button == 1, case let place = place(of: event), let tab = layout.tabs?.tab(atX: place.x, y: place.y) {
      onTab?(tab)
      return
    }
    if pressScrollbar(event) || pressField(event) { return }
    guard let bar = layout.bar, case let place = place(of: event), bar.box.contains(x: place.x, y: place.y) else {
      onPress?(event)
      return
    }
    if event.button == 1 { barState.press(on: bar.button(atX: place.x, y: place.y)) }
  }

  func release(_ event: PointerEvent) {
    if releaseScrollbar(event) || releaseField(event) { return }
    guard event.button == 1, barState.isCapturing else {
      onRelease?(event)
      return
    }
    if let index = barState.release(on: button(under: event)) { onButton?(index) }
  }

  func move(_ event: PointerEvent) {
    if moveScrollbar(event) || moveInField(event) { return }
    if event.state & Self.anyButton == 0 {
      hover.place = hoverPlace(of: event)
      showPointer(hover.place == .handle ? .grab : insertionIndex(at: event.position) != nil ? .text : .ordinary)
    } else {
      hover.place = nil
    }
    barState.move(over: button(under: event))
    if event.state & Self.anyButton != 0, !barState.isCapturing { onMotion?(event) }
  }

  func type(_ event: KeyEvent) {
    if typeInField(event) { return }
    guard let bar = scene.bar else {
      onKey?(event)
      return
    }
    switch barState.type(event, in: bar) {
    case .ignored: onKey?(event)
    case .handled: break
    case .pressed(let index): onButton?(index)
    }
  }

  private func hoverPlace(of event: PointerEvent) -> HoverState.Place? {
    let (place, layout) = (place(of: event), layout)
    if layout.scrollTrack?.contains(x: place.x, y: place.y) == true { return .scrollbar }
    if layout.handle?.contains(x: place.x, y: place.y) == true { return .handle }
    // Rows without icons cannot be dragged, so they show no hover.
    guard layout.iconSide != nil else { return nil }
    return layout.row(atX: place.x, y: place.y).map { .row($0) }
  }

  private func button(under event: PointerEvent) -> Int? {
    let place = place(of: event)
    return layout.bar?.button(atX: place.x, y: place.y)
  }

  func place(of event: PointerEvent) -> (x: Double, y: Double) {
    (Double(event.position.x) / scale, Double(event.position.y) / scale)
  }
}
