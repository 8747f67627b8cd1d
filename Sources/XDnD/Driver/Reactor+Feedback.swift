/// What a drag looks like.
struct DragAppearance: Equatable, Sendable {
  var preview: DragPreview
  /// Where each of the images of ``preview`` has come from; ``DragImage/origin`` where there is no element.
  var origins: [DragOrigin?] = []
  /// Whether nothing flies; `nil` for what the desktop says.
  var reducesMotion: Bool?
  /// Whether a drag that fails is seen to go back, and does not just fade away.
  var returnsOnFailure = true
  /// How fast images move; 1 is as they are meant.
  var animationSpeed = 1.0
}

/// The image of one drag, until it has come to rest: that may be after the end of the drag.
struct ShownDrag {
  let drag: DragID
  var appearance: DragAppearance
  private(set) var machine = DragFeedback()
  /// Whether the image goes where the pointer goes.
  var followsPointer = true

  init(drag: DragID, appearance: DragAppearance) {
    self.drag = drag
    self.appearance = appearance
  }

  /// In the driver's time. Rounded up in slow motion: a moment too early would be a turn for nothing, and then another one.
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

extension Reactor {
  /// Moves the image to where the pointer is by now, before anything else is done with the news, and with what has come
  /// before it: the search for the window under the pointer may have to wait for the server, and a hand notices.
  ///
  /// Called when the event is read, before its turn has come.
  func anticipate(_ event: ServerEvent) {
    guard let shown = shownDrag, shown.followsPointer, let drag = drags[shown.drag], drag.pointer != nil else { return }
    switch event {
    case .pointerMoved(let pointer): feed(.moved(pointer.point))
    case .buttonReleased(drag.offer.button, let pointer) where !drag.offer.time.isLater(than: pointer.time):
      // The drop is here, wherever the hand goes while the target thinks about it.
      feed(.moved(pointer.point))
      shownDrag?.followsPointer = false
    default: break
    }
  }

  /// Has the image of a drag be another one from now on.
  func setPreview(_ preview: DragPreview, origins: [DragOrigin?], of drag: DragID) {
    change(drag) {
      $0.preview = preview
      $0.origins = origins
    }
    if let shown = shownDrag, shown.drag == drag { show(.previewChanged(resolved(shown.appearance))) }
  }

  /// Has the badge be another one.
  func setBadge(_ badge: DragBadge, of drag: DragID) {
    change(drag) { $0.preview.badge = badge }
    if shownDrag?.drag == drag { show(.badgeChanged(badge)) }
  }

  /// Has a drag that fails go back to where it came from, or not.
  func setReturnsOnFailure(_ returns: Bool, of drag: DragID) { change(drag) { $0.returnsOnFailure = returns } }

  private func change(_ drag: DragID, _ change: (inout DragAppearance) -> Void) {
    if var appearance = appearances[drag] {
      change(&appearance)
      appearances[drag] = appearance
    } else if var shown = shownDrag, shown.drag == drag {
      change(&shown.appearance)
      shownDrag = shown
    }
  }

  /// Draws anew what looks otherwise with a compositor than without one.
  func compositorChanged() {
    guard let shown = shownDrag, drags[shown.drag] != nil else { return }
    feed(.previewChanged(resolved(shown.appearance)))
  }

  /// Something that the application wants to be seen, which may call at any time.
  private func show(_ input: DragFeedback.Input) {
    feed(input)
    system.flush()
    onActivity()
  }

  /// Takes the image away at once.
  func hideFeedback() {
    guard shownDrag != nil else { return }
    shownDrag = nil
    system.hideImage()
  }

  // MARK: What the drag says

  func feedbackBegan(_ drag: DragID, at pointer: Point) {
    // The last drag may still be on its way home.
    hideFeedback()
    guard let appearance = appearances.removeValue(forKey: drag) else { return }
    shownDrag = ShownDrag(drag: drag, appearance: appearance)
    let reducesMotion = appearance.reducesMotion ?? !system.settings.areAnimationsEnabled
    feed(.began(resolved(appearance), pointer: pointer, reducedMotion: reducesMotion))
  }

  func feedbackDropped(_ drag: DragID) {
    guard shownDrag?.drag == drag else { return }
    shownDrag?.followsPointer = false
    feed(.dropped)
  }

  func feedbackEnded(_ drag: DragID, _ outcome: DragOutcome) {
    appearances[drag] = nil
    guard var shown = shownDrag, shown.drag == drag else { return }
    shown.followsPointer = false
    shownDrag = shown
    let ending = DragFeedback.Ending(outcome, cursorOutside: cursorOutside(of: drag))
    // An image that has no way back grows and fades where it is.
    let goesBack = ending == .failed && shown.appearance.returnsOnFailure
    let origins = goesBack ? currentOrigins(of: shown.appearance) : []
    feed(.ended(ending, origins: origins))
    forgetFeedbackAtRest()
  }

  /// Draws the next frame, if it is time.
  func advanceFeedback() {
    guard let deadline = shownDrag?.nextDeadline, deadline <= now else { return }
    feed(.tick)
    forgetFeedbackAtRest()
  }

  private func forgetFeedbackAtRest() {
    guard let shown = shownDrag, drags[shown.drag] == nil, shown.nextDeadline == nil else { return }
    hideFeedback()
  }

  private func feed(_ input: DragFeedback.Input) {
    for effect in shownDrag?.receive(input, at: now) ?? [] {
      switch effect {
      // It has faded away.
      case .show(let picture, _) where picture.bitmap.isEmpty: system.hideImage()
      case .show(let picture, let place): system.showImage(picture.bitmap, at: place)
      case .move(let place): system.moveImage(to: place)
      case .hide: system.hideImage()
      }
    }
  }

  // MARK: Origins

  /// The preview with the places where its images lie now.
  private func resolved(_ appearance: DragAppearance) -> DragPreview {
    var preview = appearance.preview
    preview.isBlended = system.isComposited
    for (index, origin) in currentOrigins(of: appearance).enumerated() { preview.images[index].origin = origin }
    return preview
  }

  private func currentOrigins(of appearance: DragAppearance) -> [Rect?] {
    appearance.preview.images.enumerated().map { index, image in
      guard appearance.origins.indices.contains(index), let origin = appearance.origins[index] else {
        return image.origin
      }
      guard let window = origin.window else { return origin.frame }
      return system.visiblePlace(of: origin.frame, in: window)
    }
  }
}

extension DragFeedback.Ending {
  /// What is seen is what the cursor has promised: where it did not say "no", a drop on nothing is no failure.
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
