/// Begins drags, and writes their promised files. The driver keeps the list of drags.
extension SessionContext {
  /// The newest drag, until its content is released.
  var currentDrag: DragSession? { reactor.drags.current.flatMap { reactor.offers[$0]?.half as? DragSession } }

  /// Begins a drag that follows the pointer. See ``DragAndDrop/beginDrag(_:preview:button:of:at:from:policy:delegate:)``.
  func beginDrag(
    _ items: [DragItem], preview: DragPreview?, button: PointerButton?, of device: InputDevice, at time: Timestamp,
    from container: DragContainer?, policy: OperationPolicy, delegate: (any DragDelegate)?
  ) -> DragSession {
    let (window, scale) = (reactor.system.dragWindow, reactor.system.settings.scale)
    // 0 (`CurrentTime`) is no point in time: once the server has run for 24.9 days, 0 compares as later than its time,
    // and a grab with it would never be released.
    let time = time == .currentTime ? reactor.system.serverTime() : time
    let session = makeSession(items, preview: preview, from: container, delegate: delegate)
    let content = session.content
    let offer = SourceMachine.Offer(
      source: window, types: content.types.atomNames, operations: content.operations,
      promised: content.promisedTypes, forFileManagers: content.fileManagerTypes, policy: policy, device: device,
      button: button, time: time, scale: scale)
    var appearance = appearance(of: session)
    appearance?.isAboveFinger = device.isTouch
    reactor.perform {
      $0.drags.begin(
        session.id, of: session, offer, content.driverContent, from: container, appearance: appearance)
    }
    return session
  }

  /// Drops on a window without the pointer. See ``DragAndDrop/drop(_:on:at:along:asking:delegate:)``.
  func drop(
    _ items: [DragItem], on window: WindowID, at point: Point?, along path: [Point], asking operation: DragOperation?,
    delegate: (any DragDelegate)?
  ) -> DragSession {
    let session = makeSession(items, preview: DragPreview(images: []), from: nil, delegate: delegate)
    let content = session.content
    let asked = content.operations.filter { $0 == operation }
    let offer = SourceMachine.Offer(
      source: reactor.system.dragWindow, types: content.types.atomNames,
      operations: asked + content.operations.filter { $0 != operation }, promised: content.promisedTypes,
      forFileManagers: content.fileManagerTypes, button: .primary, time: reactor.system.serverTime())
    reactor.perform {
      $0.drags.begin(session.id, of: session, offer, content.driverContent, on: window, at: point, along: path)
    }
    return session
  }

  private func makeSession(
    _ items: [DragItem], preview: DragPreview?, from container: DragContainer?, delegate: (any DragDelegate)?
  ) -> DragSession {
    DragSession(
      id: reactor.offers.nextID(), items: items, preview: preview, container: container, delegate: delegate,
      context: self)
  }

  /// The appearance of a drag; `nil` if ``Configuration/showsDragImages`` is off.
  private func appearance(of drag: DragSession) -> DragAppearance? {
    guard configuration.showsDragImages else { return nil }
    return DragAppearance(
      preview: drag.preview, origins: drag.origins, reducesMotion: configuration.reducesMotion,
      returnsOnFailure: drag.animatesToStartingPositionsOnCancelOrFail,
      animationSpeed: configuration.animationSpeed)
  }

  // MARK: Promised files

  private var promises: [DragPromises] { reactor.offers.halves.compactMap { ($0 as? DragSession)?.promises } }

  var promiseDeadline: LoopTime? { promises.earliest { $0.nextDeadline } }

  /// Continues to write promised files.
  func advancePromises() {
    for promises in promises { promises.advance() }
  }
}

/// The application's half of an offer: a drag, or content that was written to a clipboard.
protocol OfferHalf: AnyObject {
  func receive(_ notice: Notice.OfferNotice)
}

extension DragSession: OfferHalf {}
