/// What the user does with keys and clicks to lead a drag, as far as it takes more than one step.
///
/// Keys move the real pointer, so cursor, image and target follow as they follow a hand: nothing else in the machine
/// knows where a motion comes from.
struct Steering: Hashable, Sendable {
  /// The button that went down last, in a drag that was begun without one.
  var pressed: PointerButton?
  /// The way that the Tab key goes.
  private(set) var search: Search?

  /// How far an arrow key goes, in points.
  ///
  /// A key repeats some 25 times a second, and with it a small step crosses an ordinary screen in eight seconds, a large
  /// one in less than one; a row of a list is about two small steps high. GTK 3 has 1 and 20: with that the way to
  /// another window takes minutes or the Alt key all the time.
  enum Step {
    static let small = 10
    static let large = 100
  }

  enum Direction: Hashable, Sendable { case next, previous }

  /// A way through the windows that take drops, from the top to the bottom, to the first one that accepts.
  struct Search: Hashable, Sendable {
    var direction: Direction
    /// Where to go back to if nobody accepts.
    var origin: Point
    /// `nil` while the list has been asked for.
    var untried: [DropPlace]?
    /// Where the pointer has been sent.
    var tried: DropPlace?
    /// Whether it has come there.
    var isThere = false
  }

  /// The window that is being asked, with the pointer over it.
  var asked: DropPlace? { search.flatMap { $0.isThere ? $0.tried : nil } }

  /// Somebody presses Tab; while a search is going on that means to pass over the window that it has come to.
  mutating func beginSearch(_ direction: Direction, from point: Point) {
    search = Search(direction: direction, origin: search?.origin ?? point, tried: search?.tried)
  }

  /// Takes the windows in, top-most first, and puts them in the order in which to try them.
  ///
  /// - Returns: where the pointer has to go; `nil` if it stays.
  mutating func found(_ places: [DropPlace], over current: WindowID?) -> Point? {
    guard var search, search.untried == nil else { return nil }
    var order = search.direction == .next ? places : places.reversed()
    if let index = order.firstIndex(where: { $0.target.window == search.tried?.target.window ?? current }) {
      order = Array(order[(index + 1)...] + order[..<index])
    }
    search.untried = order
    self.search = search
    return advance()
  }

  /// On to the next window, or back to where it began.
  ///
  /// - Returns: where the pointer has to go; `nil` if it stays.
  mutating func advance() -> Point? {
    guard var search, var untried = search.untried else { return nil }
    guard !untried.isEmpty else {
      self.search = nil
      return search.tried == nil ? nil : search.origin
    }
    let place = untried.removeFirst()
    search.untried = untried
    search.tried = place
    search.isThere = false
    self.search = search
    return place.point
  }

  /// The pointer is somewhere else. The first time that is where it was sent; after that somebody else moves it.
  mutating func pointerMoved(from old: Point, to new: Point) {
    guard let search, search.untried != nil else { return }
    if !search.isThere { self.search?.isThere = true } else if old != new { endSearch() }
  }

  mutating func endSearch() { search = nil }
}

extension SourceMachine.Turn {
  /// A key that steers.
  mutating func steer(_ key: DragKey, _ pointer: PointerSample, _ old: SourceMachine.Dragging) {
    // What the user does after the release is no longer about this drag; but it can be called off up to the drop.
    if key == .cancel { return cancel(.escape) }
    guard isNew(pointer), old.release == nil else { return }
    var dragging = old
    switch key {
    case .cancel: break
    case .drop: release(at: pointer, dragging)
    case .arrow(let dx, let dy, let isLarge):
      dragging.steering.endSearch()
      state = .dragging(dragging)
      let step = Int(Double(isLarge ? Steering.Step.large : Steering.Step.small) * offer.scale)
      effects.append(.movePointer(.by(dx: dx * step, dy: dy * step), at: pointer.time))
    case .nextTarget, .previousTarget:
      dragging.steering.beginSearch(key == .nextTarget ? .next : .previous, from: dragging.pointer.point)
      dragging.pointer.time = pointer.time
      state = .dragging(dragging)
      effects.append(.listDropPlaces)
    }
  }

  /// Goes on with a search when the list of windows is there.
  mutating func search(_ places: [DropPlace], _ old: SourceMachine.Dragging) {
    guard old.release == nil else { return }
    var dragging = old
    let point = dragging.steering.found(places, over: dragging.over?.target.window)
    send(pointerTo: point, dragging)
  }

  /// Goes on with a search when the window under the pointer has been found, has answered, or is gone.
  mutating func judgeSearch() {
    guard case .dragging(var dragging) = state, dragging.release == nil, let place = dragging.steering.asked else {
      return
    }
    if let over = dragging.over, over.target.window == place.target.window {
      guard over.isAnswered, !over.isStatusDue else { return }
      guard over.acceptance?.operation == nil else {
        dragging.steering.endSearch()
        state = .dragging(dragging)
        return
      }
    }
    let point = dragging.steering.advance()
    send(pointerTo: point, dragging)
  }

  private mutating func send(pointerTo point: Point?, _ dragging: SourceMachine.Dragging) {
    state = .dragging(dragging)
    if let point { effects.append(.movePointer(.to(point), at: dragging.pointer.time)) }
  }

  /// A button goes down: the wheel, or the first half of a click that ends a drag without a button.
  mutating func press(_ button: PointerButton, _ pointer: PointerSample, _ old: SourceMachine.Dragging) {
    guard isNew(pointer), old.release == nil else { return }
    var dragging = old
    guard let scroll = WheelScroll(button, modifiers: pointer.modifiers) else {
      dragging.steering.pressed = button
      state = .dragging(dragging)
      return
    }
    dragging.pointer.time = pointer.time
    dragging.pointer.modifiers = pointer.modifiers
    dragging.over?.add(scroll)
    state = .dragging(dragging)
    proceed()
  }

  /// A button goes up: the one that has held the drag, or, if none has, the second half of a click.
  ///
  /// Both halves have to be in the drag, and the second one counts: so neither reaches the window under the pointer, and
  /// the release of the button that has begun the drag by a click is not taken for a drop.
  mutating func letGo(_ button: PointerButton, _ pointer: PointerSample, _ old: SourceMachine.Dragging) {
    guard isNew(pointer), old.release == nil else { return }
    if let held = offer.button {
      if button == held { release(at: pointer, old) }
      return
    }
    guard old.steering.pressed == button else { return }
    var dragging = old
    dragging.steering.pressed = nil
    state = .dragging(dragging)
    switch button {
    case .primary: release(at: pointer, dragging)
    case .secondary: cancel(.escape)
    default: break
    }
  }

  /// Whether it has happened since the drag was begun: what is still in the queue from before belongs to an earlier
  /// press.
  private func isNew(_ pointer: PointerSample) -> Bool { !offer.time.isLater(than: pointer.time) }
}
