extension TargetMachine {
  /// The processing of one input: the resulting state and the effects.
  struct Turn {
    var state: State
    let window: WindowID
    let offer: DropOffer
    let timing: Timing
    let now: LoopTime
    var effects: [Effect] = []

    mutating func handle(_ input: Input) {
      switch input {
      case .accepting: state.hover.updateVisit { $0.isAccepted = nil }
      case .message(let message, let addressee): handle(message, to: addressee ?? window)
      case .offered(let types, let operations, let descriptions):
        handleOffer(types: types, operations: operations, descriptions: descriptions)
      case .operationsChanged(let operations):
        let source = state.hover.source
        let known = meaningful(operations, source: source)
        state.hover.updateVisit {
          $0.content.operations = known
          $0.content.descriptions = []
        }
      case .proposal(let proposal, let request): handleProposal(proposal, to: request)
      case .reconsidered(let session, let proposal): handleReconsidered(session, proposal)
      case .finish(let session, let operation): handleFinish(session, operation)
      case .progressed(let session):
        extend(session, to: now + timing.finish)
        if state.drops[session]?.phase == .performing { state.drops[session]?.renewAt = now + timing.renewal }
      case .askingUser(let session):
        if let droppedAt = state.drops[session]?.droppedAt { extend(session, to: droppedAt + timing.choice) }
        keepWaiting(session)
      case .working(let session): keepWaiting(session)
      case .deletionAnswered(let session):
        if state.drops[session]?.phase == .deleting { end(session, .finished(.move)) }
      case .windowVanished(let window): handleVanished(window)
      case .unregister: handleUnregister()
      case .selectionReleased:
        // A pending drop continues: its conversions will be refused one by one.
        if state.hover.drop == nil { exit(.sourceVanished) }
      case .sourceChecked(let isAlive):
        if !isAlive, state.hover.drop == nil { exit(.sourceVanished) }
      case .deadlineReached: handleDeadline()
      }
    }

    // MARK: Messages of the source

    private mutating func handle(_ message: XdndMessage, to addressee: WindowID) {
      if state.hover.source == message.sender { state.hover.updateVisit { $0.addressee = addressee } }
      switch message {
      case .enter(let enter): handleEnter(enter, to: addressee)
      case .position(let position): handlePosition(position, to: addressee)
      case .leave(let leave): handleLeave(leave)
      case .drop(let drop): handleDrop(drop, to: addressee)
      case .status, .finished: effects.append(.ignored(.misdirected(message.kind)))
      }
    }

    private mutating func handleEnter(_ enter: XdndMessage.Enter, to addressee: WindowID) {
      guard let version = ProtocolVersion(negotiatedWith: enter.statedVersion) else {
        effects.append(.ignored(.unsupportedVersion(enter.statedVersion, source: enter.source)))
        return
      }
      if state.hover.visit != nil {
        effects.append(.ignored(.enteredTwice(source: enter.source)))
        exit(.replaced)
      }
      state.lastSession = SessionID(rawValue: state.lastSession.rawValue + 1)
      let visit = Visit(
        session: state.lastSession, source: enter.source, addressee: addressee, version: version, silentSince: now,
        checkAt: now + timing.sourceCheck)
      state.hover = .reading(
        Reading(visit: visit, inlineTypes: enter.inlineTypes, hasTypeList: enter.hasTypeList))
      effects += [.watch(enter.source), .readOffer(of: enter.source, typeList: enter.hasTypeList)]
    }

    private mutating func handlePosition(_ position: XdndMessage.Position, to addressee: WindowID) {
      guard isFromVisitor(.position, position.source) else {
        // Answer even a source that skipped Enter, so that it does not wait forever.
        if state.hover.visit == nil { refuse(position.source, as: addressee) }
        return
      }
      noteSignOfLife()
      // After a Drop, a Position can only belong to the next drag.
      guard state.hover.drop == nil else { return }
      // Scroll first, then ask about the content that is under the pointer now.
      if let scroll = position.scroll, let visit = state.hover.announcedVisit {
        effects.append(.scrolled(visit.session, scroll, at: position.point))
      }
      switch state.hover {
      case .outside: break
      case .reading(var reading):
        reading.position = position
        state.hover = .reading(reading)
      case .proposing(let proposing): ask(about: position, visit: proposing.visit)
      case .hovering(let hovering): ask(about: position, visit: hovering.visit)
      }
    }

    private mutating func handleLeave(_ leave: XdndMessage.Leave) {
      guard isFromVisitor(.leave, leave.source) else { return }
      exit(.left)
    }

    private mutating func handleDrop(_ drop: XdndMessage.Drop, to addressee: WindowID) {
      // A second Drop of the same visit is refused at once; the first one will be answered.
      guard isFromVisitor(.drop, drop.source), state.hover.drop == nil else {
        return refuseDrop(of: drop.source, as: addressee)
      }
      noteSignOfLife()
      switch state.hover {
      case .outside: break
      case .reading(var reading):
        reading.drop = drop
        state.hover = .reading(reading)
      case .proposing(var proposing):
        proposing.drop = drop
        state.hover = .proposing(proposing)
      case .hovering(let hovering): resolve(drop, in: hovering)
      }
    }

    /// Whether the message comes from the source that is over the window. Reports a violation if not.
    private mutating func isFromVisitor(_ kind: XdndMessageKind, _ source: WindowID) -> Bool {
      if state.hover.source == source { return true }
      effects.append(
        .ignored(
          state.hover.visit == nil ? .notEntered(kind, source: source) : .foreignSource(kind, source: source)))
      return false
    }

    private mutating func noteSignOfLife() {
      state.hover.updateVisit {
        $0.silentSince = now
        $0.checkAt = now + timing.sourceCheck
      }
    }

    // MARK: Answers

    private mutating func handleOffer(types: [AtomName]?, operations: [AtomName]?, descriptions: [String]) {
      guard case .reading(let reading) = state.hover else { return }
      var visit = reading.visit
      if reading.hasTypeList, types?.isEmpty ?? true {
        effects.append(.ignored(.missingTypeList(source: visit.source)))
      }
      // If the list is missing or empty, use the types in the message, as JX and FLTK do.
      visit.content.types = distinct(types.flatMap { $0.isEmpty ? nil : $0 } ?? reading.inlineTypes)
      visit.content.operations = meaningful(operations, source: visit.source)
      visit.content.descriptions = descriptions.count == visit.content.operations.count ? descriptions : []
      announce(visit)
      if let position = reading.position { ask(about: position, visit: visit) }
      if let drop = reading.drop { handleDrop(drop, to: visit.addressee) }
    }

    private mutating func announce(_ visit: Visit) {
      state.hover = .hovering(Hovering(visit: visit))
      effects.append(.entered(visit.session, source: visit.source, version: visit.version, visit.content))
    }

    private func distinct(_ names: [AtomName]) -> [ContentType] {
      var seen: Set<ContentType> = []
      return names.map { ContentType($0) }.filter { seen.insert($0).inserted }
    }

    /// The standard operations of an action list, without duplicates. Reports a violation if there are none.
    private mutating func meaningful(_ operations: [AtomName]?, source: WindowID?) -> [DragOperation] {
      guard let operations, !operations.isEmpty else { return [] }
      var seen: Set<DragOperation> = []
      let known = operations.map { DragOperation(name: $0) }.filter { $0.isStandard && seen.insert($0).inserted }
      if known.isEmpty, let source { effects.append(.ignored(.meaninglessActionList(source: source))) }
      return known
    }

    private mutating func ask(about position: XdndMessage.Position, visit: Visit) {
      var visit = visit
      let isAccepted = visit.isAccepted ?? (offer.bestType(among: visit.content.types) != nil)
      visit.isAccepted = isAccepted
      state.hover = .proposing(Proposing(visit: visit, position: position))
      effects.append(
        .askForProposal(
          ProposalRequest(
            session: visit.session, point: position.point, time: position.time, requested: position.operation,
            content: visit.content,
            suggested: isAccepted
              ? offer.proposal(accepting: visit.content, requested: position.operation) : .forbidden)))
    }

    private mutating func handleProposal(_ proposal: DropProposal, to request: ProposalRequest) {
      guard case .proposing(let proposing) = state.hover, proposing.isAbout(request) else { return }
      var hovering = Hovering(visit: proposing.visit)
      hovering.answer = answer(
        proposal, at: proposing.position.point, requested: proposing.position.operation, proposing.visit)
      sendStatus(hovering)
      if let drop = proposing.drop { resolve(drop, in: hovering) }
    }

    /// Sends an unsolicited Status if the answer has changed. A source that ignores it learns the answer at the next
    /// motion.
    private mutating func handleReconsidered(_ session: SessionID, _ proposal: DropProposal) {
      guard case .hovering(var hovering) = state.hover, hovering.visit.session == session, let old = hovering.answer
      else { return }
      let new = answer(proposal, at: old.point, requested: old.requested, hovering.visit)
      guard new != old else { return }
      hovering.answer = new
      sendStatus(hovering)
    }

    private func answer(
      _ proposal: DropProposal, at point: Point, requested: DragOperation?, _ visit: Visit
    ) -> Hovering.Answer {
      let operation = proposal.operation.flatMap { visit.content.permits($0, requested: requested) ? $0 : nil }
      return .init(
        operation: operation, quietRegion: proposal.quietRegion, markedRegion: proposal.markedRegion, point: point,
        requested: requested)
    }

    private mutating func sendStatus(_ hovering: Hovering) {
      state.hover = .hovering(hovering)
      let acceptance = hovering.answer.flatMap { answer in
        answer.operation.map {
          let isQuiet = !answer.quietRegion.isEmpty
          return XdndMessage.Status.Acceptance(
            operation: $0, region: isQuiet ? answer.quietRegion : answer.markedRegion, wantsPositionsInside: !isQuiet)
        }
      }
      let visit = hovering.visit
      send(.status(.init(target: visit.addressee, acceptance: acceptance)), to: visit.source, version: visit.version)
    }

    // MARK: The drop

    private mutating func resolve(_ drop: XdndMessage.Drop, in hovering: Hovering) {
      let visit = hovering.visit
      guard let answer = hovering.answer, let operation = answer.operation else {
        return refuse(visit, for: .dropWithoutAcceptance(source: drop.source))
      }
      guard state.drops.count < TargetMachine.dropLimit else {
        return refuse(visit, for: .beyondLimit(.maximumDropCount, peer: drop.source))
      }
      state.hover = .outside
      state.drops[visit.session] = Dropped(
        source: visit.source, addressee: visit.addressee, version: visit.version, phase: .performing, droppedAt: now,
        deadline: now + timing.finish, renewAt: now + timing.renewal)
      effects.append(
        .dropped(
          visit.session,
          DropDetails(time: drop.time, operation: operation, point: answer.point, content: visit.content)))
    }

    private mutating func refuse(_ visit: Visit, for violation: Violation) {
      effects.append(.ignored(violation))
      refuseDrop(of: visit.source, as: visit.addressee)
      exit(.refused)
    }

    /// Extends the deadline of a drop; never shortens it.
    private mutating func extend(_ session: SessionID, to deadline: LoopTime) {
      guard let dropped = state.drops[session], dropped.phase == .performing else { return }
      state.drops[session]?.deadline = max(dropped.deadline, deadline)
    }

    /// Keeps the source waiting from now on. No request is due yet if the source has served data lately.
    private mutating func keepWaiting(_ session: SessionID) {
      if state.drops[session]?.phase == .performing { state.drops[session]?.isKeptWaiting = true }
    }

    private mutating func handleFinish(_ session: SessionID, _ operation: DragOperation?) {
      guard var dropped = state.drops[session], dropped.phase == .performing else { return }
      guard let operation else { return end(session, .rejected) }
      guard operation == .move else { return end(session, .finished(operation)) }
      dropped.phase = .deleting
      dropped.deadline = now + timing.deletion
      state.drops[session] = dropped
      effects.append(.requestDeletion(session))
    }

    /// Ends a drop, with Finished unless the source has vanished.
    private mutating func end(_ session: SessionID, _ result: DropResult) {
      guard let dropped = state.drops[session], !dropped.isAnswered else { return }
      let answer: XdndMessage.Finished.Result? =
        switch result {
        case .finished(let operation): .accepted(operation)
        case .rejected, .timedOut: .refused
        case .sourceVanished: nil
        }
      if let answer, state.drops.contains(where: { $0.key < session && $0.value.source == dropped.source }) {
        state.drops[session]?.phase = .answered(answer)
        state.drops[session]?.isKeptWaiting = true
        state.drops[session]?.renewAt = now + timing.renewal
        return effects.append(.ended(session, result))
      }
      state.drops[session] = nil
      if let answer { finish(dropped, answer) }
      effects += [.unwatch(dropped.source), .ended(session, result)]
      answerLaterDrops(of: dropped.source)
    }

    private mutating func finish(_ dropped: Dropped, _ answer: XdndMessage.Finished.Result) {
      send(.finished(.init(target: dropped.addressee, result: answer)), to: dropped.source, version: dropped.version)
    }

    /// Sends the withheld Finished messages of a source that are due now.
    private mutating func answerLaterDrops(of source: WindowID) {
      for (session, dropped) in state.drops.sorted(by: { $0.key < $1.key }) where dropped.source == source {
        guard case .answered(let answer) = dropped.phase else { return }
        state.drops[session] = nil
        finish(dropped, answer)
        effects += [.unwatch(source), .answered(session)]
      }
    }

    // MARK: Ends and deadlines

    private mutating func exit(_ reason: DropExit) {
      if case .reading(let reading) = state.hover, reason == .sourceVanished {
        // Announce even a source that has died before its lists were read: a tool that waits for one drag must not
        // miss this one.
        var visit = reading.visit
        visit.content.types = distinct(reading.inlineTypes)
        announce(visit)
      }
      guard let visit = state.hover.visit else { return }
      let wasAnnounced = if case .reading = state.hover { false } else { true }
      let owesFinished = state.hover.drop != nil && reason != .sourceVanished
      state.hover = .outside
      if owesFinished { refuseDrop(of: visit.source, as: visit.addressee) }
      effects.append(.unwatch(visit.source))
      if wasAnnounced { effects.append(.exited(visit.session, reason)) }
    }

    private mutating func handleVanished(_ window: WindowID) {
      if state.hover.source == window { exit(.sourceVanished) }
      let drops = state.drops.filter { $0.value.source == window }.sorted { $0.key < $1.key }
      // First the drops whose Finished is withheld: the end of an earlier drop would send it.
      for (session, dropped) in drops where dropped.isAnswered {
        state.drops[session] = nil
        effects += [.unwatch(window), .answered(session)]
      }
      for (session, dropped) in drops where !dropped.isAnswered { end(session, .sourceVanished) }
    }

    private mutating func handleUnregister() {
      if state.hover.owesStatus, let visit = state.hover.visit { refuse(visit.source, as: visit.addressee) }
      exit(.unregistered)
      for (session, dropped) in state.drops.sorted(by: { $0.key < $1.key }) {
        // The content has been moved already, and only the answer to `DELETE` is missing.
        end(session, dropped.phase == .deleting ? .finished(.move) : .rejected)
      }
      effects.append(.unregistered)
    }

    private mutating func handleDeadline() {
      if let visit = state.hover.visit, visit.checkAt <= now {
        if state.hover.drop != nil {
          // The host has not answered in time, and the source waits for Finished.
          exit(.refused)
        } else {
          // Check again once the silence has doubled, so that a hanging source costs less and less.
          state.hover.updateVisit { $0.checkAt = now + (now - $0.silentSince) }
          effects.append(.checkSource(visit.source))
        }
      }
      for (session, dropped) in state.drops.sorted(by: { $0.key < $1.key })
      where dropped.deadline <= now && !dropped.isAnswered {
        end(session, dropped.phase == .deleting ? .finished(.move) : .timedOut)
      }
      for (session, dropped) in state.drops.sorted(by: { $0.key < $1.key })
      where dropped.isRenewed && dropped.renewAt <= now {
        state.drops[session]?.renewAt = now + timing.renewal
        effects.append(.renewLease(session))
      }
    }

    private mutating func refuse(_ source: WindowID, as addressee: WindowID) {
      send(.status(.init(target: addressee, acceptance: nil)), to: source, version: .v5)
    }

    private mutating func refuseDrop(of source: WindowID, as addressee: WindowID) {
      send(.finished(.init(target: addressee, result: .refused)), to: source, version: .v5)
    }

    private mutating func send(_ message: XdndMessage, to source: WindowID, version: ProtocolVersion) {
      effects.append(.send(message, to: source, version: version))
    }
  }
}
