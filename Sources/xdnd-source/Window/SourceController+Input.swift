import ToolWindow
import XDnD

/// Pointer and keyboard input.
extension SourceController {
  func pressed(_ event: PointerEvent) {
    // A press selects rows even while no new drag may begin.
    guard !isEnding, !rows.isEmpty else { return }
    heldMotion = nil
    if event.button == PointerButton.primary.rawValue {
      selection.press(window.row(at: event.position), event.selectionModifiers, isActive: window.isActive)
    }
    interaction.press(
      DragPress(
        rootLocation: Point(event.rootPosition), location: Point(event.position),
        button: PointerButton(rawValue: event.button), time: Timestamp(rawValue: event.time)))
  }

  func moved(_ event: PointerEvent) {
    heldMotion = Point(event.rootPosition)
    takeHeldMotion()
  }

  /// Passes on the held motion, which may begin a drag, once the previous drop is decided.
  func takeHeldMotion() {
    guard !isUndecided, let point = heldMotion else { return }
    heldMotion = nil
    interaction.move(to: point)
  }

  func released(_ event: PointerEvent) {
    heldMotion = nil
    interaction.release(PointerButton(rawValue: event.button))
    // The drag's own button ends in a click or a drag; any other button only clicks.
    if event.button != interaction.button.rawValue { window.takeOfferedFocus(at: event.time) }
  }

  func typed(_ event: KeyEvent) {
    let modifiers = RowSelection.Modifiers(state: event.state)
    if let motion = RowSelection.Motion(keysym: event.keysym) {
      selection.move(motion, modifiers, page: window.rowsPerPage)
      if let row = selection.cursor { window.reveal(row: row) }
      return
    }
    switch (event.keysym, modifiers) {
    case (KeySymbol.enter, .toggle), (KeySymbol.keypadEnter, .toggle): open(rows: selection.rows.sorted())
    case (KeySymbol.a, .toggle): selection.selectAll()
    case (KeySymbol.space, _): selection.toggleCursor()
    case (KeySymbol.enter, _), (KeySymbol.keypadEnter, _): beginDrag(at: event.time)
    case (KeySymbol.escape, _), (KeySymbol.q, _): close()
    default: break
    }
  }
}

extension SourceController {
  /// Begins a drag without a held button: the arrow keys move it, Return or a click drops.
  private func beginDrag(at time: UInt32) {
    guard isFree, interaction.currentPress == nil else { return }
    driver.beginDrag(
      items(ofRows: settings.drag.all ? Array(rows.indices) : selection.draggedByKey), preview: preview, button: nil,
      at: Timestamp(rawValue: time), policy: interaction.policy, delegate: self)
    updateScene(footer: "")
  }
}

extension SourceController: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    guard isFree else { return [] }
    // A drag does not activate the window.
    window.declineOfferedFocus()
    let dragged = selection.drag(from: row(at: press))
    return items(ofRows: settings.drag.all ? Array(rows.indices) : dragged)
  }

  func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview? { preview }

  func dragInteraction(_ interaction: DragInteraction, began drag: DragSession) { updateScene(footer: "") }

  func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress) {
    window.takeOfferedFocus(at: press.time.rawValue)
    selection.click()
    if let row = row(at: press), clicks.click(on: row, at: press.time) { open(rows: [row]) }
  }

  private func row(at press: DragPress) -> Int? {
    window.row(at: PixelPoint(x: press.location.x, y: press.location.y))
  }

  /// Returns the items of a drag, with drag images that start at their rows. Sets ``draggedRows`` and ``preview``.
  func items(ofRows indices: [Int]) -> [DragItem] {
    draggedRows = indices
    var items = SourceRow.items(of: indices.map { rows[$0] })
    preview = icon.map { DragPreview(images: [$0], badge: .count(indices.count > 1 ? indices.count : 0)) }
    if preview == nil { preview = picture(indices, of: &items) }
    preview?.scale = window.scale
    if let badge = settings.drag.badge { preview?.badge = badge > 0 ? .count(badge) : .none }
    return items
  }

  /// The maximum number of rows in a drag image.
  private static let mostPictures = 32

  /// Renders rows as a drag image in list formation.
  private func picture(_ indices: [Int], of items: inout [DragItem]) -> DragPreview {
    let root = settings.drag.now ? nil : window.rootOrigin
    // Of many rows, shows those from the first visible one on, because they can be animated from their places.
    let seen = indices.firstIndex { window.isVisible(row: $0) } ?? 0
    let start = max(0, min(seen, indices.count - Self.mostPictures))
    let shown = indices.indices.dropFirst(start).prefix(Self.mostPictures)
    for place in shown {
      guard let picture = window.picture(ofRow: indices[place]),
        let bitmap = Bitmap(width: picture.size.width, height: picture.size.height, pixels: picture.pixels)
      else { continue }
      items[place].preview = DragImage(bitmap)
      guard picture.isVisible, let root else { continue }
      let (x, y) = (picture.origin.x, picture.origin.y)
      items[place].preview?.origin = Rect(x: root.x + x, y: root.y + y, width: bitmap.width, height: bitmap.height)
      // Items and images are matched by index, so origins are set only if every item has an image.
      guard shown.count == indices.count else { continue }
      items[place].origin = DragOrigin(
        Rect(x: x, y: y, width: bitmap.width, height: bitmap.height), in: WindowID(rawValue: window.windowID))
    }
    return DragPreview(
      images: items.compactMap(\.preview), formation: .list,
      badge: shown.count == indices.count ? .automatic : .count(indices.count))
  }
}

/// X keysyms of the window's keys.
private enum KeySymbol {
  static let space: UInt = 0x20
  static let a: UInt = 0x61
  static let q: UInt = 0x71
  static let escape: UInt = 0xFF1B
  static let enter: UInt = 0xFF0D
  static let keypadEnter: UInt = 0xFF8D
}

extension RowSelection.Motion {
  /// The motion of an arrow key, Page Up, Page Down, Home or End, including the keypad's.
  fileprivate init?(keysym: UInt) {
    switch keysym {
    case 0xFF52, 0xFF97: self = .up
    case 0xFF54, 0xFF99: self = .down
    case 0xFF55, 0xFF9A: self = .pageUp
    case 0xFF56, 0xFF9B: self = .pageDown
    case 0xFF50, 0xFF95: self = .first
    case 0xFF57, 0xFF9C: self = .last
    default: return nil
    }
  }
}

extension RowSelection.Modifiers {
  /// The modifiers in an X event's state mask: bit 0 is Shift, bit 2 is Control.
  fileprivate init(state: UInt32) {
    self = []
    if state & 1 << 0 != 0 { insert(.extend) }
    if state & 1 << 2 != 0 { insert(.toggle) }
  }
}

extension PointerEvent {
  fileprivate var selectionModifiers: RowSelection.Modifiers { RowSelection.Modifiers(state: state) }
}

extension Point {
  fileprivate init(_ point: PixelPoint) { self.init(x: point.x, y: point.y) }
}
