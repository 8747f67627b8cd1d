/// What a drag looks like.
struct DragAppearance: Equatable, Sendable {
  var preview: DragPreview
  /// The place each image of ``preview`` lifts off from; ``DragImage/origin`` where there is no element.
  var origins: [DragOrigin?] = []
  /// Whether images fade instead of moving; `nil` follows the desktop's setting.
  var reducesMotion: Bool?
  /// Whether the image of a failed drag slides back. If not, it fades where it is.
  var returnsOnFailure = true
  /// The speed of animations; 1 is the designed speed.
  var animationSpeed = 1.0
}

/// Shows drag images: one at a time, from the start of a drag until its last animation, which may outlive the drag.
final class DragImageRunner {
  private let context: DriverContext
  /// The appearances of drags that have not begun.
  private var prepared: [DragID: DragAppearance] = [:]
  private var shown: ShownImage?

  init(_ context: DriverContext) {
    self.context = context
  }

  private var system: any WindowSystem { context.system }

  /// The drag whose image is on the screen.
  var shownDrag: DragID? { shown?.drag }

  /// Whether an appearance waits for its drag to begin.
  var isPreparing: Bool { !prepared.isEmpty }

  /// When the next frame is due.
  var nextDeadline: LoopTime? { shown?.nextDeadline }

  // MARK: The course of a drag

  /// Remembers the appearance of a drag that is about to begin.
  func prepare(_ appearance: DragAppearance?, of drag: DragID) { prepared[drag] = appearance }

  /// Lifts the image off. The last drag's image, which may still be sliding back, makes way for it.
  func begin(_ drag: DragID, at pointer: Point) {
    hide()
    guard let appearance = prepared.removeValue(forKey: drag) else { return }
    shown = ShownImage(drag: drag, appearance: appearance)
    let reducesMotion = appearance.reducesMotion ?? !system.settings.areAnimationsEnabled
    feed(.began(resolved(appearance), pointer: pointer, reducedMotion: reducesMotion))
  }

  /// Moves the image to the pointer as soon as an event is read, before its turn in the queue: hit testing may wait for
  /// the server, and the lag of an image is visible.
  func anticipate(_ event: ServerEvent, _ drag: DragID, _ machine: SourceMachine) {
    guard shown?.drag == drag, shown?.followsPointer == true, machine.hovering != nil else { return }
    switch event {
    case .pointerMoved(let pointer): feed(.moved(pointer.point))
    case .buttonReleased(machine.offer.button, let pointer) where !machine.offer.time.isLater(than: pointer.time):
      // The image stays at the drop, wherever the pointer goes while the target takes its time.
      feed(.moved(pointer.point))
      shown?.followsPointer = false
    default: break
    }
  }

  /// Leaves the image where it is, because the drag has released its grab.
  func stopFollowing(_ drag: DragID) {
    if shown?.drag == drag { shown?.followsPointer = false }
  }

  /// Shows that the button is up and that the drag waits for the target.
  func drop(_ drag: DragID) {
    guard shown?.drag == drag else { return }
    shown?.followsPointer = false
    feed(.dropped)
  }

  /// Plays the last animation of a drag.
  ///
  /// - Parameter cursorOutside: The cursor that was shown where nothing took drops.
  func end(_ drag: DragID, _ outcome: DragOutcome, cursorOutside: CursorShape) {
    prepared[drag] = nil
    guard shown?.drag == drag, let appearance = shown?.appearance else { return }
    shown?.followsPointer = false
    shown?.isDragOver = true
    let ending = DragFeedback.Ending(outcome, cursorOutside: cursorOutside)
    let slidesBack = ending == .failed && appearance.returnsOnFailure
    feed(.ended(ending, origins: slidesBack ? currentOrigins(of: appearance) : []))
    hideAtRest()
  }

  /// Draws the next frame if it is due.
  func advance() {
    guard nextDeadline.isDue(at: context.now) else { return }
    feed(.tick)
    hideAtRest()
  }

  /// Removes the image at once.
  func hide() {
    guard shown != nil else { return }
    shown = nil
    system.hideImage()
  }

  private func hideAtRest() {
    if let shown, shown.isDragOver, shown.nextDeadline == nil { hide() }
  }

  // MARK: Changes

  /// Replaces the image.
  func setPreview(_ preview: DragPreview, origins: [DragOrigin?], of drag: DragID) {
    change(drag) {
      $0.preview = preview
      $0.origins = origins
    }
    if let shown, shown.drag == drag { feed(.previewChanged(resolved(shown.appearance))) }
  }

  /// Replaces the badge.
  func setBadge(_ badge: DragBadge, of drag: DragID) {
    change(drag) { $0.preview.badge = badge }
    if shown?.drag == drag { feed(.badgeChanged(badge)) }
  }

  /// Sets whether the image slides back when the drag fails.
  func setReturnsOnFailure(_ returns: Bool, of drag: DragID) { change(drag) { $0.returnsOnFailure = returns } }

  /// Draws the image again: with a compositing manager it is blended, and without one it is not.
  func compositorChanged() {
    guard let shown, !shown.isDragOver else { return }
    feed(.previewChanged(resolved(shown.appearance)))
  }

  private func change(_ drag: DragID, _ change: (inout DragAppearance) -> Void) {
    if var appearance = prepared[drag] {
      change(&appearance)
      prepared[drag] = appearance
    } else if shown?.drag == drag, var appearance = shown?.appearance {
      change(&appearance)
      shown?.appearance = appearance
    }
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

  /// The preview with the current origins of its images.
  private func resolved(_ appearance: DragAppearance) -> DragPreview {
    var preview = appearance.preview
    preview.isBlended = system.isComposited
    for (index, origin) in currentOrigins(of: appearance).enumerated() { preview.images[index].origin = origin }
    return preview
  }

  private func currentOrigins(of appearance: DragAppearance) -> [Rect?] {
    var places = appearance.preview.images.map(\.origin)
    // Together for each window, because each question takes round trips.
    var windows: [WindowID: [Int]] = [:]
    for (index, origin) in zip(places.indices, appearance.origins) {
      guard let origin else { continue }
      places[index] = origin.frame
      if let window = origin.window { windows[window, default: []].append(index) }
    }
    for (window, indices) in windows {
      let found = system.visiblePlaces(of: indices.compactMap { places[$0] }, in: window)
      for (index, place) in zip(indices, found) { places[index] = place }
    }
    return places
  }
}

/// The image on the screen, with its animation's own clock.
private struct ShownImage {
  let drag: DragID
  var appearance: DragAppearance
  private var machine = DragFeedback()
  /// Whether the image moves with the pointer.
  var followsPointer = true
  /// Whether only the last animation remains.
  var isDragOver = false

  init(drag: DragID, appearance: DragAppearance) {
    self.drag = drag
    self.appearance = appearance
  }

  /// In the driver's time. In slow motion it is rounded up: waking too early wastes a turn.
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
  /// Shows what the cursor promised: a drop on nothing is a failure only where the cursor said *no*.
  init(_ outcome: DragOutcome, cursorOutside: CursorShape) {
    switch outcome {
    case .noTarget where cursorOutside == .disappearing: self = .disappeared
    case .noTarget where cursorOutside == .dragging: self = .accepted
    case .dropped, .unconfirmed: self = .accepted
    case .serverLost: self = .gone
    case .refused, .noTarget, .cancelled, .timedOut, .targetVanished, .transferFailed:
      self = .failed
    }
  }
}
