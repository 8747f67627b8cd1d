/// The state of one drag's image, from the beginning to the end of its last animation.
///
/// Bitmaps are drawn only when they change. While the items rest under the pointer, the image is only moved and there
/// is no deadline.
struct DragFeedback: Sendable {
  enum Input: Hashable, Sendable {
    /// The drag has begun. `pointer` is where the items were grasped; `now` is the pointer's current position, if it
    /// differs; both in root coordinates. Replaces the previous drag's image. With reduced motion, the image is at the
    /// pointer from the start, and fades at the end.
    case began(DragPreview, pointer: Point, now: Point? = nil, reducedMotion: Bool)
    /// Root coordinates.
    case moved(Point)
    case previewChanged(DragPreview)
    case badgeChanged(DragBadge)
    /// The region that the target marks, in root coordinates; `nil` if it marks none. An image that is larger than the
    /// region shrinks and steps aside.
    case marked(Rect?)
    /// The items were dropped on a target.
    case dropped
    /// The target names, for each image of the preview, the frame that it lands in, in root coordinates; `nil` or
    /// missing for an image without a frame. Has no effect before the drop, once the dropped image has faded out, and with reduced
    /// motion.
    case targeted([Rect?])
    /// The drag has ended. `origins` has, for each image of the preview, its item's current frame in root coordinates;
    /// `nil` or missing if the item is not visible.
    case ended(Ending, origins: [Rect?])
    /// Time has passed. Has no effect before ``nextDeadline``.
    case tick
  }

  enum Ending: Hashable, CaseIterable, Sendable {
    /// A target has accepted or received the items, or only the application knows the effect of the drop.
    case accepted
    /// The drag was refused or cancelled, had no target, timed out, its transfer failed, or its target died.
    case failed
    /// The connection is lost, and the window with it.
    case gone
    /// The items were dropped outside of any target and are removed.
    case disappeared
  }

  enum Effect: Hashable, Sendable {
    /// Show this bitmap with its upper-left corner at a root position, instead of the current one.
    case show(DragPicture, at: Point)
    /// Move the image's upper-left corner to this position, in root coordinates.
    case move(Point)
    case hide
  }

  /// When to send ``Input/tick``; `nil` if no animation runs.
  private(set) var nextDeadline: LoopTime?

  /// 60 frames per second.
  static let frameInterval = Duration.nanoseconds(16_666_667)
  /// The time before a dropped image begins to fade. Most refusals arrive within it, so that a refused item rarely
  /// fades before it returns.
  static let hold = Duration.milliseconds(100)

  private enum Phase: Hashable {
    case idle
    case following
    /// Follows the pointer while the images gather, or while they make way or return.
    case gathering(DragAnimation)
    /// Dropped; fades at the drop position, or lands in the frames that the target has named.
    case settling(DragAnimation)
    /// Dropped and faded out. The outcome is still unknown, possibly for minutes.
    case settled
    case ending(DragAnimation)
  }

  private var phase = Phase.idle
  private var isMotionReduced = false
  /// The region that the target marks.
  private var mark: Rect?
  private var arrangement = DragArrangement(DragPreview(images: []), pointer: .zero)
  /// Where the items were grasped, and the pointer's current position or the drop position, in root coordinates.
  private var start = Point.zero
  private var pointer = Point.zero
  private var shown: (look: DragLook, offset: Point, corner: Point)?

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    // Frequent input must not postpone the next frame.
    if case .moved(let point) = input { return move(to: point) }
    if input == .tick, !nextDeadline.isDue(at: now) { return [] }
    defer { nextDeadline = deadline(after: now) }
    switch input {
    case .began(let preview, let grasp, let pointer, let reducedMotion):
      return begin(preview, grasp: grasp, pointer ?? grasp, reducedMotion, now)
    case .moved, .tick: return show(now)
    case .previewChanged(let preview):
      guard isFollowing else { return [] }
      arrangement = DragArrangement(preview, pointer: start)
      // The new images appear without an animation.
      phase = .following
      return showAnew(now)
    case .badgeChanged(let badge):
      guard isFollowing else { return [] }
      arrangement.setBadge(badge)
      return showAnew(now)
    case .marked(let region):
      let old = rest
      mark = region
      guard isFollowing, rest != old else { return [] }
      phase = isMotionReduced ? .following : .gathering(animation(.yielding, from: now))
      return show(now)
    case .dropped:
      guard isFollowing else { return [] }
      phase = .settling(animation(.settling, from: now + Self.hold))
      return show(now)
    case .targeted(let frames): return land(in: frames, now)
    case .ended(let ending, let origins): return end(ending, origins, now)
    }
  }

  private var isFollowing: Bool {
    switch phase {
    case .following, .gathering: true
    case .idle, .settling, .settled, .ending: false
    }
  }

  /// The look under the pointer while no animation runs.
  private var rest: DragLook {
    mark.map { arrangement.covers($0) } ?? false ? arrangement.aside : arrangement.resting
  }
}

// MARK: Phases

extension DragFeedback {
  private mutating func begin(
    _ preview: DragPreview, grasp: Point, _ pointer: Point, _ reducedMotion: Bool, _ now: LoopTime
  ) -> [Effect] {
    arrangement = DragArrangement(preview, pointer: grasp)
    start = grasp
    self.pointer = pointer.onRoot
    isMotionReduced = reducedMotion
    mark = nil
    let origins = arrangement.items.map { preview.images[$0].origin?.onRoot }
    let isGathering = !reducedMotion && origins.contains { $0 != nil }
    phase =
      isGathering
      ? .gathering(DragAnimation(kind: .gathering, start: now, origins: origins, begin: arrangement.resting))
      : .following
    return showAnew(now)
  }

  private mutating func move(to point: Point) -> [Effect] {
    let point = point.onRoot
    guard isFollowing, point != pointer else { return [] }
    pointer = point
    // Also while the images gather: between two frames, the image follows the pointer.
    return place(about: point)
  }

  private mutating func land(in frames: [Rect?], _ now: LoopTime) -> [Effect] {
    let places = places(in: frames)
    guard !isMotionReduced, shown != nil, places.contains(where: { $0 != nil }) else { return [] }
    switch phase {
    case .settling:
      startFromShown()
      phase = .settling(animation(.landing, from: now, places))
    case .ending(let running) where running.kind == .settling || running.kind == .landing:
      startFromShown()
      phase = .ending(animation(.landing, from: now, places))
    case .idle, .following, .gathering, .settled, .ending: return []
    }
    return show(now)
  }

  /// The frames of the images that are drawn.
  private func places(in frames: [Rect?]) -> [Rect?] {
    arrangement.items.map { frames.indices.contains($0) ? frames[$0]?.onRoot : nil }
  }

  /// Moves the drop position to the image's current place, which an animation may have changed, so that the next
  /// animation starts there.
  private mutating func startFromShown() {
    if let shown { pointer = shown.corner - shown.offset }
  }

  private mutating func end(_ ending: Ending, _ origins: [Rect?], _ now: LoopTime) -> [Effect] {
    if phase == .idle { return [] }
    if ending == .gone { return stop(hiding: false) }
    if case .ending = phase { return [] }
    if arrangement.items.isEmpty { return stop(hiding: true) }
    if ending == .accepted, phase == .settled { return stop(hiding: true) }

    let places = places(in: origins)
    var animation: DragAnimation
    switch ending {
    case .accepted, .gone:
      animation = self.animation(.settling, from: now)
      if case .settling(let running) = phase {
        animation = running
        animation.start = min(running.start, now)
      }
    case .failed:
      startFromShown()
      animation = self.animation(places.contains { $0 != nil } ? .returning : .bursting, from: now, places)
    case .disappeared:
      startFromShown()
      animation = self.animation(.disappearing, from: now)
      if !isMotionReduced { arrangement.addCloud() }
    }
    phase = .ending(animation)
    return show(now)
  }

  /// Creates an animation that starts from the current look.
  private func animation(
    _ kind: DragAnimation.Kind, from start: LoopTime, _ origins: [Rect?] = []
  ) -> DragAnimation {
    let invisible = DragLook(layers: arrangement.resting.layers, opacity: 0, badge: nil)
    return DragAnimation(
      kind: isMotionReduced ? kind.withoutMotion : kind, start: start, origins: origins, begin: shown?.look ?? invisible
    )
  }

  private mutating func stop(hiding: Bool) -> [Effect] {
    let effects: [Effect] = hiding && shown != nil ? [.hide] : []
    self = DragFeedback()
    return effects
  }
}

// MARK: Frames

extension DragFeedback {
  /// Shows the current frame, and ends an animation whose time is over.
  private mutating func show(_ now: LoopTime) -> [Effect] {
    switch phase {
    case .idle: return []
    case .following: return present(DragFrame(anchor: pointer, look: rest))
    case .settled: return hide()
    case .gathering(let animation):
      if animation.isOver(at: now) { phase = .following }
      return present(animation.frame(of: arrangement, at: pointer, restingAs: rest, now))
    case .settling(let animation) where animation.isOver(at: now):
      phase = .settled
      return hide()
    case .ending(let animation) where animation.isOver(at: now): return stop(hiding: true)
    case .settling(let animation), .ending(let animation):
      return present(animation.frame(of: arrangement, at: pointer, now))
    }
  }

  /// Redraws the current frame after a change that the look does not reflect.
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
    if shown?.look == frame.look { return place(about: frame.anchor) }
    let picture = arrangement.picture(of: frame.look)
    let corner = frame.anchor + picture.offset
    shown = (frame.look, picture.offset, corner)
    return [.show(picture, at: corner)]
  }

  /// Moves the shown image.
  private mutating func place(about anchor: Point) -> [Effect] {
    guard let shown else { return [] }
    let corner = anchor + shown.offset
    guard corner != shown.corner else { return [] }
    self.shown?.corner = corner
    return [.move(corner)]
  }

  private func deadline(after now: LoopTime) -> LoopTime? {
    switch phase {
    case .idle, .following, .settled: nil
    // The image does not change before it begins to fade.
    case .settling(let animation): max(animation.start, now + Self.frameInterval)
    case .gathering, .ending: now + Self.frameInterval
    }
  }
}
