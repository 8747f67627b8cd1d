/// The state of a drag that the user controls by keyboard or clicks.
///
/// Keys move the real pointer, so the cursor, the drag image and the target follow as they do for a mouse. The rest of
/// the machine does not distinguish the two. A virtual position would end with the first touch of the mouse, and many
/// targets query the server's pointer.
struct KeyboardNavigation: Hashable, Sendable {
  /// The last pressed button of a drag that was begun without a held button.
  var pressed: PointerButton?
  /// The search that the Tab key has started.
  private(set) var search: Search?

  /// How far an arrow key moves the pointer, in points.
  ///
  /// At 25 key repeats per second, small steps cross a common screen in eight seconds and large steps in less than one.
  /// A row of a list is about two small steps high. GTK 3 moves by 1 and 20: the way to another window takes minutes,
  /// or needs the Alt key throughout.
  enum Step {
    static let small = 10
    static let large = 100
  }

  enum Direction: Hashable, Sendable { case next, previous }

  /// A search through the drop targets, in stacking order, for the first one that accepts.
  struct Search: Hashable, Sendable {
    var direction: Direction
    /// Where the pointer returns to if no target accepts; root coordinates.
    var origin: Point
    /// The targets to try next; `nil` until the list has arrived.
    var untried: [DropPlace]?
    /// The target that the pointer was last sent to.
    var tried: DropPlace?
    /// Whether the pointer has arrived there.
    var isThere = false
    /// When to skip ``tried`` if it has not answered; `nil` until the target under the pointer has been located,
    /// because an earlier status answers a position elsewhere.
    var deadline: LoopTime?
  }

  /// How long a search waits for the answer of a target. A slower target can be reached with the arrow keys.
  static let patience = Duration.milliseconds(300)

  /// The search's target under the pointer, whose answer is awaited.
  var asked: DropPlace? { search.flatMap { $0.deadline == nil ? nil : $0.tried } }

  /// When the search skips that target.
  var deadline: LoopTime? { search?.deadline }

  /// Starts a search. During a search, skips the target that the pointer is over.
  mutating func beginSearch(_ direction: Direction, from point: Point) {
    search = Search(direction: direction, origin: search?.origin ?? point, tried: search?.tried)
  }

  /// Sets the targets to try, in search order, beginning after the one under the pointer.
  ///
  /// - Parameters:
  ///   - places: The targets, topmost first.
  ///   - current: The window that the pointer is over, if it takes drops.
  /// - Returns: Where to move the pointer, in root coordinates; `nil` if it stays.
  mutating func found(_ places: [DropPlace], over current: WindowID?) -> Point? {
    guard var search, search.untried == nil else { return nil }
    var order = search.direction == .next ? places : places.reversed()
    let window = search.tried?.target.window ?? current
    if let index = order.firstIndex(where: { $0.target.window == window }) {
      order = Array(order[(index + 1)...] + order[..<index])
    }
    search.untried = order
    self.search = search
    return advance()
  }

  /// Moves on to the next target, or back to the origin if there is none left.
  ///
  /// - Returns: Where to move the pointer, in root coordinates; `nil` if it stays.
  mutating func advance() -> Point? {
    guard var search, var untried = search.untried else { return nil }
    guard !untried.isEmpty else {
      self.search = nil
      return search.tried == nil ? nil : search.origin
    }
    let place = untried.removeFirst()
    search.untried = untried
    search.tried = place
    (search.isThere, search.deadline) = (false, nil)
    self.search = search
    return place.point
  }

  /// Notes a pointer motion. The first one is the search's own; a later one comes from the user and ends the search.
  mutating func pointerMoved(from old: Point, to new: Point) {
    guard let search, search.untried != nil else { return }
    if !search.isThere { self.search?.isThere = true } else if old != new { endSearch() }
  }

  /// Notes that the target under the pointer was located: its time to answer begins.
  mutating func targetLocated(at now: LoopTime) {
    if search?.isThere == true, search?.deadline == nil { search?.deadline = now + Self.patience }
  }

  mutating func endSearch() { search = nil }
}

extension SourceMachine.Turn {
  /// Handles a key that controls the drag.
  mutating func press(_ key: DragKey, _ pointer: PointerSample, _ old: SourceMachine.Dragging) {
    // Other input after the release does not belong to this drag, but the user can cancel until the Drop is sent.
    if key == .cancel { return cancel(.escape) }
    guard isNew(pointer), old.release == nil else { return }
    var dragging = old
    switch key {
    case .cancel: break
    case .drop: release(at: pointer, dragging)
    case .arrow(let dx, let dy, let isLarge):
      dragging.navigation.endSearch()
      state = .dragging(dragging)
      let step = Int(Double(isLarge ? KeyboardNavigation.Step.large : KeyboardNavigation.Step.small) * offer.scale)
      effects.append(.movePointer(.by(dx: dx * step, dy: dy * step), at: pointer.time))
    case .nextTarget, .previousTarget:
      dragging.navigation.beginSearch(key == .nextTarget ? .next : .previous, from: dragging.pointer.point)
      dragging.pointer.time = pointer.time
      state = .dragging(dragging)
      effects.append(.listDropPlaces)
    }
  }

  /// Continues a search with the list of targets.
  mutating func search(_ places: [DropPlace], _ old: SourceMachine.Dragging) {
    guard old.release == nil else { return }
    var dragging = old
    let point = dragging.navigation.found(places, over: dragging.over?.target.window)
    send(pointerTo: point, dragging)
  }

  /// Continues a search once the target under the pointer has been located, has answered, has vanished, or has been
  /// silent for too long.
  mutating func judgeSearch() {
    guard case .dragging(var dragging) = state, dragging.release == nil, let place = dragging.navigation.asked else {
      return
    }
    if let over = dragging.over, over.target.window == place.target.window {
      let isSilent = !over.isAnswered || over.isStatusDue
      guard !isSilent || dragging.navigation.deadline.isDue(at: now) else { return }
      guard isSilent || over.acceptance?.operation == nil else {
        dragging.navigation.endSearch()
        state = .dragging(dragging)
        return
      }
    }
    let point = dragging.navigation.advance()
    send(pointerTo: point, dragging)
  }

  private mutating func send(pointerTo point: Point?, _ dragging: SourceMachine.Dragging) {
    state = .dragging(dragging)
    if let point { effects.append(.movePointer(.to(point), at: dragging.pointer.time)) }
  }

  /// Handles a button press: a wheel notch, or the first half of a click that ends a drag without a held button.
  mutating func press(_ button: PointerButton, _ pointer: PointerSample, _ old: SourceMachine.Dragging) {
    guard isNew(pointer), old.release == nil else { return }
    var dragging = old
    guard let scroll = WheelScroll(button, modifiers: pointer.modifiers) else {
      dragging.navigation.pressed = button
      state = .dragging(dragging)
      return
    }
    dragging.pointer.time = pointer.time
    dragging.pointer.modifiers = pointer.modifiers
    dragging.over?.add(scroll)
    state = .dragging(dragging)
    proceed()
  }

  /// Handles a button release: of the button that began the drag, or of a click in a drag without a held button.
  ///
  /// Press and release of such a click must both come during the drag, and the release acts. So neither event reaches
  /// the window under the pointer, and the release of a click that began the drag is not taken for a drop.
  mutating func letGo(_ button: PointerButton, _ pointer: PointerSample, _ old: SourceMachine.Dragging) {
    guard isNew(pointer), old.release == nil else { return }
    if let held = offer.button {
      if button == held { release(at: pointer, old) }
      return
    }
    guard old.navigation.pressed == button else { return }
    var dragging = old
    dragging.navigation.pressed = nil
    state = .dragging(dragging)
    switch button {
    case .primary: release(at: pointer, dragging)
    case .secondary: cancel(.escape)
    default: break
    }
  }

  /// Whether the event is no older than the press. Older ones in the queue belong to an earlier press.
  private func isNew(_ pointer: PointerSample) -> Bool { !offer.time.isLater(than: pointer.time) }
}
