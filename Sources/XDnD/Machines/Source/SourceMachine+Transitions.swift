extension SourceMachine {
  /// The processing of one input: the resulting state and the effects.
  struct Turn {
    var state: State
    var offer: Offer
    let timing: Timing
    let now: LoopTime
    var effects: [Effect] = []

    mutating func handle(_ input: Input) {
      switch (state, input) {
      case (.ended, .message(.status(let status))):
        effects.append(.ignored(.foreignTarget(.status, target: status.target)))
      case (.ended, _): break
      case (_, .serverLost): state = finish(with: .serverLost)
      case (_, .offerChanged(let types, let operations, let promised, let forFileManagers)):
        change {
          ($0.types, $0.operations) = (types, operations)
          ($0.promised, $0.forFileManagers) = (promised, forFileManagers)
        }
      case (.ready, .begin):
        state = .claiming
        effects.append(.claimSelection(at: offer.time))
      case (.claiming, .claimed(let isOurs)):
        guard isOurs else { return cancel(.selectionLost) }
        state = .grabbing(Grabbing())
        effects += [.publishOffer, .grab(at: offer.time)]
      case (.grabbing(let grabbing), .grabFailed) where grabbing.retry == nil:
        state = finish(with: .cancelled(.grabLost))
      case (.grabbing(let grabbing), .grabRefused) where grabbing.retry == nil: wait(grabbing)
      case (.grabbing(let grabbing), .deadlineReached):
        guard let retry = grabbing.retry, retry <= now else { return }
        state = .grabbing(Grabbing(limit: grabbing.limit))
        effects.append(.grab(at: offer.time))
      case (.grabbing(let grabbing), .grabbed(let pointer, let buttonIsDown)) where grabbing.retry == nil:
        state = .dragging(Dragging(pointer: pointer))
        guard buttonIsDown || offer.button == nil else { return cancel(.buttonReleased) }
        effects += [.began, .locateTarget(at: pointer.point)]
      case (.dragging(let dragging), _): drag(dragging, input)
      case (.dropped(let dropped), _): wait(dropped, input)
      case (_, .cancel(let reason)): cancel(reason)
      default: break
      }
    }

    /// Requests the grab again a little later, if there is time left.
    private mutating func wait(_ old: Grabbing) {
      var grabbing = old
      if grabbing.limit == nil { effects.append(.grabNeeded) }
      let limit = grabbing.limit ?? now + timing.grab
      guard now < limit else {
        state = finish(with: .cancelled(.grabLost))
        return
      }
      grabbing.limit = limit
      grabbing.retry = min(limit, now + timing.grabPause)
      state = .grabbing(grabbing)
    }

    // MARK: Dragging

    private mutating func drag(_ old: Dragging, _ input: Input) {
      var dragging = old
      switch input {
      case .pointerMoved(let pointer), .modifiersChanged(let pointer):
        // Input after the release does not belong to this drag.
        guard dragging.release == nil else { return }
        dragging.navigation.pointerMoved(from: dragging.pointer.point, to: pointer.point)
        dragging.pointer = pointer
        state = .dragging(dragging)
        effects.append(.locateTarget(at: pointer.point))
      case .stackingChanged:
        guard dragging.release == nil else { return }
        effects.append(.locateTarget(at: dragging.pointer.point))
      case .buttonReleased(let button, let pointer):
        letGo(button, pointer, dragging)
      case .buttonPressed(let button, let pointer): press(button, pointer, dragging)
      case .keyPressed(let key, let pointer): press(key, pointer, dragging)
      case .dropPlaces(let places): search(places, dragging)
      case .located(let target, let relation, let quirks):
        dragging.release?.isLocated = true
        dragging.relation = relation
        dragging.navigation.targetLocated(at: now)
        dragging = enter(target, with: quirks, dragging)
        state = .dragging(show(dragging.shown, dragging))
        proceed()
        judgeSearch()
      case .message(.status(let status)):
        receive(status, dragging)
        judgeSearch()
      case .message(.finished(let finished)):
        effects.append(.ignored(.finishedBeforeDrop(target: finished.target)))
      case .message(let message): effects.append(.ignored(.misdirected(message.kind)))
      case .windowVanished(let window):
        guard let over = dragging.over, over.target.answers(as: window) else { return }
        dragging.over = nil
        effects += [.unwatch(over.target.window), .targetChanged(nil)]
        state = .dragging(show(nil, dragging))
        if dragging.release == nil {
          effects.append(.locateTarget(at: dragging.pointer.point))
        } else {
          state = finish(with: .targetVanished)
        }
      case .deadlineReached:
        guard let release = dragging.release, release.deadline <= now else {
          repeatPosition(dragging)
          judgeSearch()
          return
        }
        leave(&dragging)
        state = finish(with: dragging.preparation == .underWay ? .transferFailed : .timedOut)
      case .preparationNeeded:
        guard dragging.over != nil, dragging.preparation == .unneeded else { return }
        dragging.preparation = .needed
        state = .dragging(dragging)
      case .transferProgressed:
        guard dragging.preparation == .underWay else { return }
        dragging.release?.deadline = now + timing.preparation
        state = .dragging(dragging)
      case .prepared(let isThere):
        guard dragging.preparation == .underWay else { return }
        guard isThere else {
          leave(&dragging)
          state = finish(with: .transferFailed)
          return
        }
        dragging.preparation = .done
        state = .dragging(dragging)
        proceed()
      case .cancel(let reason): cancel(reason)
      default: break
      }
    }

    /// Drops at the current pointer position, with the current modifiers.
    mutating func release(at pointer: PointerSample, _ old: Dragging) {
      var dragging = old
      dragging.pointer = pointer
      dragging.release = Dragging.Release(deadline: now + timing.status)
      state = .dragging(dragging)
      // Ungrab before the Drop: FLTK ignores a Drop that arrives while the source holds the grab.
      effects += [.ungrab(at: pointer.time), .locateTarget(at: pointer.point)]
    }

    /// Leaves the old target and enters the new one, if they differ.
    private mutating func enter(_ target: DropTarget?, with quirks: Set<Quirk>?, _ old: Dragging) -> Dragging {
      guard target != old.over?.target else { return old }
      var dragging = old
      leave(&dragging)
      // The new target has been given no paths.
      dragging.preparation = .unneeded
      if let target {
        var over = Over(target: target, quirks: quirks)
        over.staleAnswers = dragging.owed.reduce(0) { $1.belong(to: target) ? $0 + $1.count : $0 }
        over.unanswered = over.staleAnswers
        dragging.owed.removeAll { $0.belong(to: target) }
        dragging.over = over
        let types = offer.types(for: quirks ?? [])
        if types != offer.types(for: dragging.published) { effects.append(.publishTypes(types)) }
        dragging.published = quirks ?? []
        let isLong = types.count > 3
        effects += [
          .watch(target.window),
          .send(
            .enter(
              .init(
                source: offer.source, statedVersion: UInt32(target.version.number), hasTypeList: isLong,
                inlineTypes: Array(types.prefix(3)))),
            to: target),
        ]
      }
      effects.append(.targetChanged(target?.window))
      return show(nil, dragging)
    }

    private mutating func leave(_ dragging: inout Dragging) {
      dragging.owed.removeAll { $0.limit <= now }
      guard let over = dragging.over else { return }
      dragging.over = nil
      if over.unanswered > 0 {
        dragging.owed.append(
          OwedAnswers(target: over.target, count: over.unanswered, limit: now + timing.status))
      }
      effects += [.send(.leave(.init(source: offer.source)), to: over.target), .unwatch(over.target.window)]
    }

    private mutating func receive(_ status: XdndMessage.Status, _ old: Dragging) {
      var dragging = old
      guard var over = dragging.over, over.target.answers(as: status.target) else {
        guard let index = dragging.owed.firstIndex(where: { $0.target.answers(as: status.target) }) else {
          effects.append(.ignored(.foreignTarget(.status, target: status.target)))
          return
        }
        dragging.owed[index].count -= 1
        if dragging.owed[index].count == 0 { dragging.owed.remove(at: index) }
        state = .dragging(dragging)
        return
      }
      over.unanswered = max(0, over.unanswered - 1)
      guard over.staleAnswers == 0 else {
        over.staleAnswers -= 1
        over.repetition = now + timing.repetition
        dragging.over = over
        state = .dragging(dragging)
        return
      }
      over.repetition = nil
      over.isStatusDue = false
      var acceptance = status.acceptance
      if let stated = status.acceptance { acceptance?.operation = agreed(stated.operation, with: over) }
      over.acceptance = acceptance
      // Report the first refusal here: `show` reports only changes, and no operation is shown yet.
      if !over.isAnswered, acceptance?.operation == nil, dragging.shown == nil { effects.append(.proposed(nil)) }
      over.isAnswered = true
      dragging.over = over
      state = .dragging(show(over.acceptance?.operation, dragging))
      proceed()
    }

    /// Sends the latest Position although a Status is due, if the target has been silent since its answers to earlier
    /// visits.
    private mutating func repeatPosition(_ old: Dragging) {
      var dragging = old
      guard let time = dragging.over?.repetition, time <= now else { return }
      dragging.over?.repetition = nil
      dragging.over?.isStatusDue = false
      dragging.over?.sent = nil
      state = .dragging(dragging)
      proceed()
    }

    /// The operation that an acceptance results in; `nil` refuses.
    private mutating func agreed(_ operation: DragOperation?, with over: Over) -> DragOperation? {
      guard let operation else {
        // The target accepts without naming an operation: KWin and Qt read Copy, GTK a refusal. A copy loses nothing.
        return offer.operations.contains(.copy) ? .copy : nil
      }
      // Emacs answers every offer with Private, which takes nothing away from the source.
      if offer.operations.contains(operation) || operation == .private { return operation }
      effects.append(.ignored(.operationNotOffered(operation, target: over.target.window)))
      // FLTK and SDL 2 answer Copy to every offer. GTK, Qt 6 and Java drop there, too.
      return operation == .copy || offer.operations.contains(.copy) ? .copy : nil
    }

    /// Sends the latest Position unless a Status is due. After the release, sends the Drop or ends the drag.
    mutating func proceed() {
      guard case .dragging(var dragging) = state else { return }
      guard var over = dragging.over else {
        if dragging.release?.isLocated == true { state = finish(with: .noTarget) }
        return
      }
      guard !over.isStatusDue else { return }
      let preferred = offer.policy.preferred(for: dragging.relation, from: offer.operations)
      let operation = DragOperation.requested(
        by: dragging.pointer.modifiers, from: offer.operations, preferring: preferred)
      let next = Over.Sent(point: dragging.pointer.point, operation: operation)
      // A wheel notch is sent even if the pointer has not moved.
      let scroll = dragging.release == nil ? over.takeNotch() : nil
      if scroll != nil || over.sent != next && !over.isQuiet(at: next.point, operation: operation) {
        over.sent = next
        over.isStatusDue = true
        over.unanswered += 1
        dragging.over = over
        state = .dragging(dragging)
        effects.append(
          .send(
            .position(
              .init(
                source: offer.source, point: next.point, time: dragging.pointer.time, operation: operation,
                scroll: scroll)),
            to: over.target))
        return
      }
      guard dragging.release?.isLocated == true else { return }
      guard let accepted = over.acceptance?.operation else {
        leave(&dragging)
        state = finish(with: .refused)
        return
      }
      switch dragging.preparation {
      case .unneeded, .done: break
      case .needed:
        dragging.preparation = .underWay
        dragging.release?.deadline = now + timing.preparation
        state = .dragging(dragging)
        effects.append(.prepare)
        return
      case .underWay: return
      }
      effects += [
        .send(.drop(.init(source: offer.source, time: dragging.pointer.time)), to: over.target),
        .dropSent(accepted, dragging.relation),
      ]
      state = .dropped(
        Dropped(
          target: over.target, operation: accepted, time: dragging.pointer.time,
          isOwn: dragging.relation != .otherApplication, deadline: now + timing.lease(of: accepted)))
    }

    private mutating func show(_ operation: DragOperation?, _ old: Dragging) -> Dragging {
      var dragging = old
      let isAtHome = operation == nil && dragging.relation == .sameContainer
      let isPlain = dragging.over?.isAnswered == false || isAtHome
      if dragging.release == nil, operation != old.shown || isPlain != old.isCursorPlain {
        effects.append(isPlain ? .showPlainCursor : .showCursor(for: operation))
        dragging.isCursorPlain = isPlain
      }
      guard operation != old.shown else { return dragging }
      dragging.shown = operation
      effects.append(.proposed(operation))
      return dragging
    }

    /// Changes the offer. Types are fixed from Enter to Leave, so the target under the pointer is left and entered
    /// again.
    private mutating func change(_ change: (inout Offer) -> Void) {
      switch state {
      case .ready, .claiming: change(&offer)
      case .grabbing:
        change(&offer)
        effects.append(.publishOffer)
      case .dragging(let old) where old.release == nil:
        var dragging = old
        let over = dragging.over
        leave(&dragging)
        change(&offer)
        effects.append(.publishOffer)
        dragging.published = []
        guard let over else {
          state = .dragging(dragging)
          break
        }
        if over.quirks == nil, offer.dependsOnQuirks {
          // The target's quirks have not been looked up yet.
          state = .dragging(dragging)
          effects.append(.locateTarget(at: dragging.pointer.point))
        } else {
          state = .dragging(enter(over.target, with: over.quirks, dragging))
          proceed()
        }
      case .dragging, .dropped, .ended: break
      }
    }

    // MARK: Dropped

    private mutating func wait(_ old: Dropped, _ input: Input) {
      var dropped = old
      switch input {
      case .message(.finished(let finished)):
        guard dropped.target.answers(as: finished.target) else {
          effects.append(.ignored(.foreignTarget(.finished, target: finished.target)))
          return
        }
        state = conclude(dropped, with: outcome(of: finished.result, dropped))
      case .message(.status(let status)): effects.append(.ignored(.statusAfterDrop(target: status.target)))
      case .message(let message): effects.append(.ignored(.misdirected(message.kind)))
      case .transferProgressed:
        dropped.deadline = now + timing.lease(of: dropped.operation)
        state = .dropped(dropped)
      case .transferFailed:
        dropped.hasTransferFailed = true
        dropped.hasDelivered = false
        state = .dropped(dropped)
      case .contentDelivered:
        dropped.hasDelivered = true
        // The target has fetched the content that was not saved directly.
        if dropped.directSave == .failed { dropped.directSave = nil }
        state = .dropped(dropped)
      case .savedDirectly:
        dropped.directSave = .succeeded
        dropped.deadline = now + timing.lease(of: dropped.operation)
        state = .dropped(dropped)
      case .directSaveFailed where dropped.directSave == .succeeded:
        // The target was told that the file is saved and cannot be told otherwise, so it may wait for the file for a
        // long time.
        state = conclude(dropped, with: .transferFailed)
      case .directSaveFailed:
        dropped.directSave = .failed
        state = .dropped(dropped)
      case .windowVanished(let window) where dropped.target.answers(as: window):
        state = conclude(dropped, with: dropped.directSave == .succeeded ? .dropped(.copy) : .targetVanished)
      case .deadlineReached where dropped.deadline <= now:
        state = conclude(dropped, with: outcomeWithoutAnswer(dropped))
      case .cancel(let reason) where reason == .application || reason == .delivery:
        state = conclude(dropped, with: .cancelled(reason))
      default: break
      }
    }

    private mutating func outcome(of result: XdndMessage.Finished.Result, _ dropped: Dropped) -> DragOutcome {
      // The source's own result overrides the target's: Caja and Nemo refuse a file that was saved, Thunar and pcmanfm
      // accept one that was not.
      if dropped.directSave == .failed { return .transferFailed }
      guard dropped.target.version.reportsResult else { return .unconfirmed(dropped.operation) }
      guard case .accepted(let operation) = result else {
        if dropped.directSave == .succeeded { return .dropped(.copy) }
        // The target has received content, perhaps after another type had failed. After Ask, the refusal is the user's.
        if dropped.hasDelivered, !dropped.isOwn, dropped.operation != .ask { return .delivered }
        return dropped.hasTransferFailed ? .transferFailed : .refused
      }
      var performed = operation ?? dropped.operation
      if performed != dropped.operation, !offer.operations.contains(performed), performed != .private {
        effects.append(.ignored(.operationNotOffered(performed, target: dropped.target.window)))
        performed = dropped.operation
      }
      // Report Move, after which the host deletes its content, only if the target says Move and was given all the data
      // that it requested: Qt and SDL report success even after a refused conversion. The answer of a target that has
      // agreed to an operation that was not offered is not trusted either.
      let isAgreed = offer.operations.contains(dropped.operation)
      if performed == .move, operation != .move || dropped.hasTransferFailed || !isAgreed { return .dropped(.copy) }
      return .dropped(performed)
    }

    /// The outcome of a drop without Finished. A directly saved file exists even if the target is silent.
    private func outcomeWithoutAnswer(_ dropped: Dropped) -> DragOutcome {
      if dropped.directSave == .succeeded { return .dropped(.copy) }
      return dropped.hasTransferFailed || dropped.directSave == .failed ? .transferFailed : .timedOut
    }

    // MARK: Ends

    private mutating func conclude(_ dropped: Dropped, with outcome: DragOutcome) -> State {
      effects.append(.unwatch(dropped.target.window))
      return finish(with: outcome)
    }

    mutating func cancel(_ reason: DragOutcome.Cancellation) {
      if case .dragging(var dragging) = state {
        if dragging.release == nil { effects.append(.ungrab(at: dragging.pointer.time)) }
        leave(&dragging)
      } else if case .grabbing(let grabbing) = state, grabbing.retry == nil {
        // The answer to the pending request will be ignored, so the grab would stay.
        effects.append(.ungrab(at: offer.time))
      }
      state = finish(with: .cancelled(reason))
    }

    private mutating func finish(with outcome: DragOutcome) -> State {
      effects.append(.ended(outcome))
      return .ended(outcome)
    }
  }
}
