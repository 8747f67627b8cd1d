extension DragAndDrop {
  /// Dispatches a notice to its session, load or delegate.
  func receive(_ notice: Notice) {
    switch notice {
    case .target(let window, let notice): receive(notice, window)
    case .load(let transfer, let notice): receive(notice, transfer)
    case .save(let save, let notice):
      let task = saves[save]
      if case .ended = notice { saves[save] = nil }
      task?.receive(notice)
    case .drag(let drag, let notice): dragSessions[drag].map { receive(notice, $0) }
    case .offer(let offer, let notice):
      if let session = dragSessions[offer] {
        receive(notice, session)
      } else {
        copies[offer]?.clipboard.receive(notice, offer)
      }
    case .selection(let selection, let notice): clipboard(for: selection)?.receive(notice)
    case .settingsChanged: onDesktopChange?()
    case .gesture(let input, let window):
      interactions.receive(input, in: window)
      if input == .cancelled { interactions.forget(window) }
    }
  }

  private func receive(_ notice: Notice.TargetNotice, _ window: WindowID) {
    let target = dropTargets[window]
    switch notice {
    case .entered(let id, let source, let version, let content):
      let session = DropSession(
        id: id, window: window, source: source, version: version, content: content,
        offer: target?.offer ?? DropOffer([]), owner: self)
      if source == reactor.system.dragWindow {
        session.localDrag = reactor.drags.current.flatMap { dragSessions[$0] }
      }
      dropSessions[id] = SessionReference(session: session, kept: session)
      target?.delegate?.dropEntered(session)
    case .proposalNeeded(let request):
      guard let session = dropSessions[request.session]?.kept else { break }
      session.rootLocation = request.point
      session.requestedOperation = request.requested
      session.suggestedProposal = request.suggested
      let proposal = target?.delegate?.dropUpdated(session) ?? .forbidden
      reactor.enqueue(.target(window, .proposal(proposal, to: request)))
    case .scrolled(let id, let scroll, let point):
      guard let session = dropSessions[id]?.kept else { break }
      session.rootLocation = point
      target?.delegate?.dropScrolled(session, scroll)
    case .exited(let id, let reason):
      guard let session = dropSessions.removeValue(forKey: id)?.kept else { break }
      session.markEnded()
      target?.delegate?.dropExited(session, reason)
    case .dropped(let id, let details):
      guard let session = dropSessions[id]?.kept else { break }
      dropSessions[id]?.kept = nil
      session.rootLocation = details.point
      session.droppedOperation = details.operation
      session.dropTime = details.time
      if configuration.activatesWindowOnDrop { session.activateWindow() }
      guard let delegate = target?.delegate else { return session.reject() }
      delegate.performDrop(session)
    case .ended(let id, let result):
      guard let session = dropSessions.removeValue(forKey: id)?.session else { break }
      session.markEnded()
      target?.delegate?.dropEnded(session, result)
    case .unregistered:
      // The window may have been registered again meanwhile.
      if !reactor.targets.isRegistered(window) { dropTargets.removeValue(forKey: window)?.regions?.end() }
    case .ignored: break
    }
  }

  private func receive(_ notice: Notice.LoadNotice, _ transfer: TransferID) {
    guard let task = loads[transfer] else { return }
    switch notice {
    case .progressed(let received, let expected): task.report(received, expected)
    case .ended(let result):
      loads[transfer] = nil
      switch result {
      case .complete(let header): task.end(.success(ContentType(header.type)))
      case .failed(.ownerVanished) where isClosed: task.end(.failure(.displayClosed))
      case .failed(let failure): task.end(.failure(XDnDError(failure, type: task.type)))
      }
    }
  }

  /// Retains a session until its delegate has been told of its end.
  func keepUntilEnd(_ session: DropSession) { dropSessions[session.id]?.kept = session }

  /// - Parameter byteCount: The largest number of bytes to accept; `nil` for the default.
  func limits(_ byteCount: Int?) -> IncomingTransfer.Limits {
    var limits = reactor.timing.incoming
    if let byteCount { limits.byteCount = byteCount }
    return limits
  }

  /// Connects a task to its transfer.
  func track(_ task: LoadTask, _ transfer: TransferID) {
    loads[transfer] = task
    task.control = { [weak reactor] in reactor?.enqueue(.load(transfer, $0)) }
  }

  /// The request for the content of an outgoing transfer.
  func request(_ transfer: TransferID, _ type: ContentType, from requestor: WindowID) -> DataRequest {
    DataRequest(type: type, requestor: requestor, doorbell: doorbell) { [weak reactor] reader in
      reactor?.perform { $0.content.provide(transfer, reader) }
    }
  }

  private func clipboard(for selection: AtomName) -> Clipboard? {
    switch selection {
    case .clipboard: clipboard
    case .primary: primarySelection
    default: nil
    }
  }

  private func receive(_ notice: Notice.DragNotice, _ session: DragSession) {
    let delegate = session.delegate
    switch notice {
    case .began: delegate?.dragBegan(session)
    case .targetChanged(let window): delegate?.drag(session, movedOver: window)
    case .proposed(let operation): delegate?.drag(session, isProposed: operation)
    case .answered(let point, let operation): delegate?.drag(session, answeredAt: point, with: operation)
    case .preparationNeeded: session.promises?.prepareDrop()
    case .dropSent(let operation, let relation):
      session.relation = relation
      session.promises?.isDropped = true
      delegate?.drag(session, dropped: operation)
    case .ended(let outcome):
      session.end(outcome)
      session.promises?.dragEnded(outcome)
      delegate?.drag(session, ended: outcome)
    case .ignored: break
    }
  }

  private func receive(_ notice: Notice.OfferNotice, _ session: DragSession) {
    let delegate = session.delegate
    switch notice {
    case .contentNeeded(let transfer, let type, let requestor):
      let type = ContentType(type)
      session.transfers[transfer] = type
      let request = request(transfer, type, from: requestor)
      session.content.representations.first { $0.type.name == type.name }?.provide(request)
    case .transferProgressed(let transfer, let bytes):
      if let type = session.transfers[transfer] { delegate?.drag(session, sent: bytes, of: type) }
    case .transferEnded(let transfer, let result):
      guard let type = session.transfers.removeValue(forKey: transfer) else { break }
      delegate?.drag(session, finishedSending: type, successfully: result == .delivered)
    case .directSaveAnswered(let transfer): session.transfers[transfer] = .directSave
    case .saveNeeded(let paths): session.promises?.save(to: paths)
    case .contentRequested: session.isContentRequested = true
    case .deletionRequested:
      session.isDeletionRequested = true
      delegate?.dragRequestsDeletion(session)
    case .released:
      dragSessions[session.id] = nil
      if let (container, time) = session.promises?.takeContainer() { keptContainers.keep(container, until: time) }
      delegate?.dragReleased(session)
    }
  }
}
