/// What is seen of one drag, from its beginning to the end of its last animation.
///
/// Pictures are drawn only where they change: while the items rest under the pointer the picture is moved, and nothing is due.
struct DragFeedback: Sendable {
  enum Input: Hashable, Sendable {
    /// `pointer` is where the items were grasped, in root coordinates. What was seen of the drag before this one is replaced.
    case began(DragPreview, pointer: Point, reducedMotion: Bool)
    /// The pointer is there, in root coordinates.
    case moved(Point)
    case previewChanged(DragPreview)
    case badgeChanged(DragBadge)
    /// The button is up and a target was told to take the items.
    case dropped
    /// The drag is over. `origins` has for each image of the preview where its item lies now, in root coordinates, and `nil`
    /// for one that is not visible; an item that it does not have is not visible.
    case ended(Ending, origins: [Rect?])
    /// Time has passed, perhaps up to ``nextDeadline``.
    case tick
  }

  enum Ending: Hashable, CaseIterable, Sendable {
    /// A target has the item, or whoever began the drag has made something of it.
    case accepted
    /// Refused, cancelled, no target, target died or out of time.
    case failed
    /// The server is gone, and the window with it.
    case gone
    /// The item was taken away, and nobody took it.
    case disappeared
  }

  enum Effect: Hashable, Sendable {
    /// Show this picture with its upper left corner at this place of the root window, instead of the one before.
    case show(DragPicture, at: Point)
    /// Move the picture that is shown; the place is that of its upper left corner in the root window.
    case move(Point)
    case hide
  }

  /// When it wants to hear ``Input/tick``; `nil` while nothing moves by itself.
  private(set) var nextDeadline: LoopTime?

  /// Sixty frames in a second.
  static let frameInterval = Duration.nanoseconds(16_666_667)
  /// How long the picture stays where it was dropped before it sinks in. Most refusals are here by then, so that what goes back
  /// was never away.
  static let hold = Duration.milliseconds(100)

  private enum Phase: Hashable {
    case idle
    case following
    /// Follows, and an animation runs.
    case gathering(DragAnimation, since: LoopTime)
    /// Dropped; sinks in from that time on, which is not yet come.
    case settling(DragAnimation, since: LoopTime)
    /// Dropped and sunk in; how the drag ends is not known yet, and that may take minutes.
    case settled
    /// The last animation.
    case ending(DragAnimation, since: LoopTime)
  }

  private var phase = Phase.idle
  private var isMotionReduced = false
  private var arrangement = DragArrangement(DragPreview(images: []), pointer: Point(x: 0, y: 0))
  /// Where the items were grasped, and where the pointer is or was when they were dropped.
  private var start = Point(x: 0, y: 0)
  private var pointer = Point(x: 0, y: 0)
  private var shown: (look: DragLook, offset: Point, corner: Point)?

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    // What comes often must not put off the next frame.
    if case .moved(let point) = input { return move(to: point) }
    if input == .tick, nextDeadline.map({ now < $0 }) ?? true { return [] }
    defer { nextDeadline = deadline(after: now) }
    switch input {
    case .began(let preview, let pointer, let reducedMotion):
      return begin(preview, pointer, reducedMotion, now)
    case .moved, .tick:
      return show(now)
    case .previewChanged(let preview):
      guard isFollowing else { return [] }
      arrangement = DragArrangement(preview, pointer: start)
      // The new pictures come from nowhere: they are there.
      phase = .following
      return showAnew(now)
    case .badgeChanged(let badge):
      guard isFollowing else { return [] }
      arrangement.setBadge(badge)
      return showAnew(now)
    case .dropped:
      guard isFollowing else { return [] }
      phase = isMotionReduced ? .settled : .settling(animation(.settling), since: now + Self.hold)
      return show(now)
    case .ended(let ending, let origins):
      return end(ending, origins, now)
    }
  }

  private var isFollowing: Bool {
    switch phase {
    case .following, .gathering: true
    case .idle, .settling, .settled, .ending: false
    }
  }
}

// MARK: The phases

extension DragFeedback {
  private mutating func begin(
    _ preview: DragPreview, _ pointer: Point, _ reducedMotion: Bool, _ now: LoopTime
  ) -> [Effect] {
    arrangement = DragArrangement(preview, pointer: pointer)
    start = pointer
    self.pointer = pointer.onRoot
    isMotionReduced = reducedMotion
    let origins = arrangement.items.map { preview.images[$0].origin?.onRoot }
    let comesFromAfar = origins.contains { $0 != nil }
    phase =
      reducedMotion || !comesFromAfar
      ? .following
      : .gathering(DragAnimation(kind: .gathering, origins: origins, begin: arrangement.resting), since: now)
    return showAnew(now)
  }

  private mutating func move(to point: Point) -> [Effect] {
    let point = point.onRoot
    guard isFollowing, point != pointer else { return [] }
    pointer = point
    guard let shown else { return [] }
    // In flight too: the next frame is drawn when it is due, and until then the picture goes with the pointer.
    return place(shown.look, offset: shown.offset, about: point)
  }

  private mutating func end(_ ending: Ending, _ origins: [Rect?], _ now: LoopTime) -> [Effect] {
    if phase == .idle { return [] }
    if case .ending = phase { return ending == .gone ? stop(hiding: false) : [] }
    if ending == .gone { return stop(hiding: false) }
    if isMotionReduced || arrangement.items.isEmpty { return stop(hiding: true) }
    if ending == .accepted, phase == .settled { return stop(hiding: true) }

    let animation: DragAnimation
    var since = now
    let places = arrangement.items.map { origins.indices.contains($0) ? origins[$0]?.onRoot : nil }
    switch ending {
    case .accepted, .gone:
      if case .settling(let running, let start) = phase {
        animation = running
        since = min(start, now)
      } else {
        animation = self.animation(.settling)
      }
    case .failed:
      animation = self.animation(places.contains { $0 != nil } ? .returning : .bursting, places)
    case .disappeared:
      animation = self.animation(.disappearing)
      arrangement.addCloud()
    }
    phase = .ending(animation, since: since)
    return show(now)
  }

  /// An animation that goes on from what is seen now.
  private func animation(_ kind: DragAnimation.Kind, _ origins: [Rect?] = []) -> DragAnimation {
    var begin = arrangement.resting
    begin.opacity = 0
    begin.badge = nil
    return DragAnimation(kind: kind, origins: origins, begin: shown?.look ?? begin)
  }

  private mutating func stop(hiding: Bool) -> [Effect] {
    let effects: [Effect] = hiding && shown != nil ? [.hide] : []
    self = DragFeedback()
    return effects
  }
}

// MARK: Frames

extension DragFeedback {
  /// The frame of this moment; what has run its time is over.
  private mutating func show(_ now: LoopTime) -> [Effect] {
    switch phase {
    case .idle: return []
    case .following:
      return present(DragFrame(anchor: pointer, look: arrangement.resting))
    case .gathering(let animation, let since):
      if animation.progress(after: now - since) >= 1 { phase = .following }
      return present(animation.frame(of: arrangement, at: pointer, after: now - since))
    case .settling(let animation, let start):
      if animation.progress(after: now - start) >= 1 {
        phase = .settled
        return hide()
      }
      return present(animation.frame(of: arrangement, at: pointer, after: now - start))
    case .settled: return hide()
    case .ending(let animation, let since):
      if animation.progress(after: now - since) >= 1 { return stop(hiding: true) }
      return present(animation.frame(of: arrangement, at: pointer, after: now - since))
    }
  }

  /// The same after something has changed that a look does not tell.
  private mutating func showAnew(_ now: LoopTime) -> [Effect] {
    if arrangement.items.isEmpty { return hide() }
    shown?.look.layers = []
    return show(now)
  }

  private mutating func hide() -> [Effect] {
    defer { shown = nil }
    return shown == nil ? [] : [.hide]
  }

  private mutating func present(_ frame: DragFrame) -> [Effect] {
    if arrangement.items.isEmpty { return [] }
    if let shown, shown.look == frame.look {
      return place(shown.look, offset: shown.offset, about: frame.anchor)
    }
    let picture = arrangement.picture(of: frame.look)
    let corner = frame.anchor + picture.offset
    shown = (frame.look, picture.offset, corner)
    return [.show(picture, at: corner)]
  }

  private mutating func place(_ look: DragLook, offset: Point, about anchor: Point) -> [Effect] {
    let corner = anchor + offset
    guard corner != shown?.corner else { return [] }
    shown?.corner = corner
    return [.move(corner)]
  }

  private func deadline(after now: LoopTime) -> LoopTime? {
    switch phase {
    case .idle, .following, .settled: nil
    // Nothing changes before it begins to sink.
    case .settling(_, let start): max(start, now + Self.frameInterval)
    case .gathering, .ending: now + Self.frameInterval
    }
  }
}

extension Point {
  fileprivate static func + (place: Point, way: Point) -> Point { Point(x: place.x + way.x, y: place.y + way.y) }
}
