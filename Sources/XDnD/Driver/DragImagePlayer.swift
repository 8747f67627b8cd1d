/// The appearance of a drag: its image and its animations.
struct DragAppearance: Equatable, Sendable {
  var preview: DragPreview
  /// The places that the images of ``preview`` lift off from. Where an element is `nil` or missing,
  /// ``DragImage/origin`` is used.
  var origins: [DragOrigin?] = []
  /// Whether images fade instead of moving; `nil` follows the desktop's setting.
  var reducesMotion: Bool?
  /// Whether the image of a failed drag slides back. If not, it fades where it is.
  var returnsOnFailure = true
  /// Whether the application is asked where the image of a failed drag slides back to.
  var asksForOrigins = false
  /// Whether the drag follows a finger, which would cover an image at the pointer.
  var isAboveFinger = false
  /// The speed of animations; 1 is the designed speed.
  var animationSpeed = 1.0

  /// The parts of windows that images lift off from, in the order of ``origins``.
  fileprivate var parts: [WindowPart] {
    origins.compactMap { origin in
      guard let origin, let window = origin.window else { return nil }
      return WindowPart(window: window, frame: origin.frame)
    }
  }

  /// The places that images lift off from, in root coordinates.
  ///
  /// - Parameter found: Where ``parts`` are; empty if that is unknown.
  fileprivate func places(_ found: [Rect?]) -> [Rect?] {
    var places = preview.images.map(\.origin)
    var found = found[...]
    for (index, origin) in zip(places.indices, origins) {
      guard let origin else { continue }
      places[index] = origin.window == nil ? origin.frame : found.popFirst() ?? nil
    }
    return places
  }
}

/// Shows drag images: one at a time, from the start of a drag to the end of its last animation, which may outlive
/// the drag.
///
/// The player requests the places of the dragged items on the screen, without waiting. A step that needs the places is
/// taken with the answer, or after ``patience``.
final class DragImagePlayer {
  /// How long an image waits for the places of the dragged items. A later image would visibly lag behind the hand.
  static let patience = Duration.milliseconds(100)

  /// A step that is taken when the places of the dragged items are known.
  private enum Step {
    /// The image appears at the start of its drag.
    case liftOff
    /// Another image replaces the current one.
    case newPreview
    /// The image of a drag that has failed slides back. Until then it rests.
    case slideBack
  }

  private struct Wait {
    var step: Step
    /// `nil` if the application is asked instead.
    var question: Question?
    /// When the step is taken without the places.
    var limit: LoopTime
  }

  private let context: DriverContext
  private var shown: ShownImage? {
    didSet { alarm.time = nextDeadline }
  }
  /// The step that waits for the places of the dragged items.
  private var wait: Wait? {
    didSet { alarm.time = nextDeadline }
  }
  private lazy var alarm = context.alarms.alarm(for: .itself) { [unowned self] in advance() }

  init(_ context: DriverContext) {
    self.context = context
  }

  private var system: any WindowSystem { context.system }

  /// The drag whose image is on the screen, or about to appear.
  var shownDrag: DragID? { shown?.drag }

  /// Whether the image of a drag that has ended is still on the screen, where it settles, slides back or fades.
  var isAnimatingDragEnd: Bool { shown?.isDragOver ?? false }

  /// When the next frame is due, or when the wait for the places of the dragged items ends.
  private var nextDeadline: LoopTime? {
    wait?.step == .slideBack ? wait?.limit : LoopTime.earliest(wait?.limit, shown?.nextDeadline)
  }

  // MARK: The course of a drag

  /// Lifts the image off as soon as the places of the dragged items are known. Removes the last drag's image, which may
  /// still be sliding back.
  ///
  /// - Parameter appearance: `nil` for a drag without an image.
  func begin(_ drag: DragID, _ appearance: DragAppearance?, at pointer: Point) {
    hide()
    guard let appearance else { return }
    shown = ShownImage(drag: drag, appearance: appearance, grasp: pointer, pointer: pointer)
    findPlaces(for: .liftOff)
  }

  /// Moves the image to the pointer as soon as an event is read, before its turn in the queue: hit testing may wait for
  /// the server, and the lag of an image is visible.
  func anticipate(_ event: ServerEvent, _ drag: DragID, _ machine: SourceMachine) {
    guard shown?.drag == drag, shown?.followsPointer == true, machine.hovering != nil else { return }
    switch event {
    case .pointerMoved(let pointer): follow(pointer.point)
    case .buttonReleased(machine.offer.button, let pointer) where !machine.offer.time.isLater(than: pointer.time):
      // The image stays at the drop, wherever the pointer goes while the target takes its time.
      follow(pointer.point)
      shown?.followsPointer = false
    default: break
    }
  }

  private func follow(_ pointer: Point) {
    shown?.pointer = pointer
    feed(.moved(pointer))
  }

  /// Leaves the image where it is, because the drag has released its grab.
  func stopFollowing(_ drag: DragID) {
    if shown?.drag == drag { shown?.followsPointer = false }
  }

  /// Moves the image out of the way of the region that the target marks.
  ///
  /// - Parameter region: In root coordinates; `nil` if nothing is marked.
  func yield(to region: Rect?, _ drag: DragID) {
    if shown?.drag == drag { feed(.marked(region)) }
  }

  /// Plays the animation of a released button, while the drag waits for the target.
  func drop(_ drag: DragID) {
    guard shown?.drag == drag else { return }
    finishWaiting()
    shown?.followsPointer = false
    feed(.dropped)
  }

  /// Moves the image of a drop into frames that the target names, instead of fading it where it was dropped.
  ///
  /// - Parameter frames: For each image of the preview, in root coordinates.
  func land(in frames: [Rect?], of drag: DragID) {
    // An image that waits to slide back belongs to a failed drag.
    guard shown?.drag == drag, wait == nil else { return }
    feed(.targeted(frames))
  }

  /// Plays the last animation of a drag.
  ///
  /// - Parameter cursorOutside: The cursor that was shown where nothing took drops.
  /// - Returns: Whether to ask the application where the image slides back to: see ``slideBack(to:of:)``.
  func end(_ drag: DragID, _ outcome: DragOutcome, cursorOutside: CursorShape) -> Bool {
    guard shown?.drag == drag else { return false }
    finishWaiting()
    guard let ended = shown else { return false }
    shown?.followsPointer = false
    shown?.isDragOver = true
    let ending = DragFeedback.Ending(outcome, cursorOutside: cursorOutside)
    if ending == .failed, ended.appearance.returnsOnFailure {
      if ended.appearance.asksForOrigins {
        // Answered as soon as all machines have settled.
        wait = Wait(step: .slideBack, limit: context.now + Self.patience)
        return true
      }
      // The items may have moved since the drag began.
      findPlaces(for: .slideBack)
    } else {
      feed(.ended(ending, origins: []))
      hideAtRest()
    }
    return false
  }

  /// Slides the image of a failed drag back to the places that the application names.
  ///
  /// - Parameter origins: For each image of the preview; `nil` if it has no place.
  func slideBack(to origins: [DragOrigin?], of drag: DragID) {
    guard let shown, shown.drag == drag, shown.isDragOver, wait?.step == .slideBack else { return }
    var appearance = shown.appearance
    for index in appearance.preview.images.indices { appearance.preview.images[index].origin = nil }
    appearance.origins = origins
    self.shown?.appearance = appearance
    findPlaces(for: .slideBack)
  }

  /// Takes a step that has waited long enough, and draws the next frame if it is due.
  private func advance() {
    if let wait, Optional(wait.limit).isDue(at: context.now) { take(wait.step, found: []) }
    guard wait?.step != .slideBack, nextDeadline.isDue(at: context.now) else { return }
    feed(.tick)
    hideAtRest()
  }

  /// Removes the image at once.
  func hide() {
    guard shown != nil else { return }
    wait = nil
    shown = nil
    system.hideImage()
  }

  private func hideAtRest() {
    if let shown, shown.isDragOver, shown.nextDeadline == nil { hide() }
  }

  // MARK: Places of the dragged items

  /// Requests the present places of the dragged items, and takes a step when they are known: at once if no request is
  /// needed.
  ///
  /// - Parameter limit: When the step is taken without an answer; `nil` for ``patience`` from now.
  private func findPlaces(for step: Step, by limit: LoopTime? = nil) {
    wait = nil
    guard let parts = shown?.appearance.parts else { return }
    guard !parts.isEmpty else { return take(step, found: []) }
    switch system.findPlaces(of: parts, then: { [unowned self] in take(step, found: $0) }) {
    case .known(let found): take(step, found: found)
    case .pending(let question):
      wait = Wait(step: step, question: question, limit: limit ?? context.now + Self.patience)
    }
  }

  private func take(_ step: Step, found: [Rect?]) {
    wait = nil
    shown?.found = found
    guard let shown else { return }
    switch step {
    case .liftOff:
      // The items were grasped where the pointer was when the drag began.
      let reducesMotion = shown.appearance.reducesMotion ?? system.settings.appearance.reducesMotion
      feed(.began(resolved(shown), pointer: shown.grasp, now: shown.pointer, reducedMotion: reducesMotion))
    case .newPreview: feed(.previewChanged(resolved(shown)))
    case .slideBack:
      feed(.ended(.failed, origins: shown.appearance.places(found)))
      hideAtRest()
    }
  }

  /// Ends a wait at the drop or the end of the drag. An image that has not appeared yet is discarded.
  private func finishWaiting() {
    switch wait?.step {
    case .liftOff: hide()
    case .newPreview: take(.newPreview, found: [])
    case .slideBack, nil: break
    }
  }

  // MARK: Changes

  /// Changes the appearance of a drag that has not ended. An image of other items waits for their places.
  func change(_ drag: DragID, _ change: (inout DragAppearance) -> Void) {
    guard let before = shown?.appearance, shown?.drag == drag, !isAnimatingDragEnd else { return }
    var new = before
    change(&new)
    shown?.appearance = new
    guard new.origins == before.origins else { return findPlaces(for: wait?.step ?? .newPreview, by: wait?.limit) }
    var rebadged = before.preview
    rebadged.badge = new.preview.badge
    if new.preview != rebadged {
      redraw()
    } else if new.preview != before.preview {
      feed(.badgeChanged(new.preview.badge))
    }
  }

  /// Draws the image again: with a compositing manager it is blended, and without one it is not.
  func redraw() {
    // An image that is about to appear or to be replaced is drawn then.
    guard let shown, !shown.isDragOver, wait == nil else { return }
    feed(.previewChanged(resolved(shown)))
  }

  // MARK: Drawing

  private func feed(_ input: DragFeedback.Input) {
    for effect in shown?.receive(input, at: context.now) ?? [] {
      switch effect {
      // It has faded out.
      case .show(let picture, _) where picture.bitmap.isEmpty: system.hideImage()
      case .show(let picture, let place): system.showImage(picture.bitmap, at: place)
      case .move(let place): system.moveImage(to: place)
      case .hide: system.hideImage()
      }
    }
  }

  /// The preview, with the origins of its images as found last.
  private func resolved(_ shown: ShownImage) -> DragPreview {
    var preview = shown.appearance.preview
    preview.isBlended = system.isComposited
    preview.isAboveFinger = shown.appearance.isAboveFinger
    for (index, origin) in shown.appearance.places(shown.found).enumerated() { preview.images[index].origin = origin }
    return preview
  }
}

/// The image of a drag that has begun, with its animation's own clock.
private struct ShownImage {
  let drag: DragID
  var appearance: DragAppearance
  /// Where the pointer was when the drag began.
  let grasp: Point
  /// Where the pointer has moved to while the image follows it.
  var pointer: Point
  /// The places of the dragged items at the last answer; empty if unknown.
  var found: [Rect?] = []
  var machine = DragFeedback()
  /// Whether the image moves with the pointer.
  var followsPointer = true
  /// Whether only the last animation remains.
  var isDragOver = false

  /// In the driver's time. Rounded up if the speed is not 1, because an early wakeup wastes a turn.
  var nextDeadline: LoopTime? {
    guard let deadline = machine.nextDeadline, appearance.animationSpeed != 1 else { return machine.nextDeadline }
    return LoopTime(sinceStart: deadline.sinceStart / appearance.animationSpeed + .microseconds(1))
  }

  mutating func receive(_ input: DragFeedback.Input, at now: LoopTime) -> [DragFeedback.Effect] {
    let isSlow = appearance.animationSpeed != 1
    return machine.receive(
      input, at: isSlow ? LoopTime(sinceStart: now.sinceStart * appearance.animationSpeed) : now)
  }
}

extension DragFeedback.Ending {
  /// Without a target, the cursor decides: `dragging` is a success, `disappearing` a removal, any other a failure.
  init(_ outcome: DragOutcome, cursorOutside: CursorShape) {
    switch outcome {
    case .noTarget where cursorOutside == .disappearing: self = .disappeared
    case .noTarget where cursorOutside == .dragging: self = .accepted
    case .dropped, .unconfirmed, .delivered: self = .accepted
    case .serverLost: self = .gone
    case .refused, .noTarget, .cancelled, .timedOut, .targetVanished, .transferFailed:
      self = .failed
    }
  }
}
