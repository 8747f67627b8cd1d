extension Reactor {
  /// One conversion that we asked for.
  struct Load {
    var machine: IncomingTransfer
    var session: SessionID
    var target: AtomName
    /// The requestor: the window that was dropped on, because Qt sources refuse hidden ones in some cases.
    var window: WindowID
    var property: AtomName
    var purpose: Purpose

    enum Purpose {
      case content(ContentSink)
      /// The conversion of `DELETE` after a move.
      case deletion
    }
  }

  /// A conversion that has ended for us while its owner may still answer.
  struct Abandoned: Equatable {
    var window: WindowID
    var property: AtomName
    /// When to remove what has come; the owner has given up by then.
    var cleanAt: LoopTime?
  }

  /// How many conversions are remembered after they were given up on.
  static let keptAbandoned = 64

  /// Asks for one representation of a drop. Notices with the transfer's id say what became of it.
  ///
  /// - Parameter sink: Takes the bytes as they come. A full one gets no more until ``IncomingTransfer/Input/resume``.
  func load(
    _ type: AtomName, of session: SessionID, limits: IncomingTransfer.Limits? = nil,
    sink: @escaping ContentSink
  ) -> TransferID? {
    guard let context = drops[session], context.time != nil else { return nil }
    return convert(
      type, of: session, context, purpose: .content(sink), limits: limits ?? timing.incoming)
  }

  func convert(
    _ target: AtomName, of session: SessionID, _ context: DropContext, purpose: Load.Purpose,
    limits: IncomingTransfer.Limits
  ) -> TransferID {
    lastTransfer += 1
    let transfer = TransferID(rawValue: lastTransfer)
    loads[transfer] = Load(
      machine: IncomingTransfer(limits: limits), session: session, target: target, window: context.window,
      property: unusedProperty(of: context.window), purpose: purpose)
    system.watch(context.window, for: .properties)
    enqueue(.load(transfer, .begin))
    return transfer
  }

  /// A property that no transfer uses, nor one that was given up on and may still be answered.
  ///
  /// Atoms live as long as the server, so the names are used again.
  private func unusedProperty(of window: WindowID) -> AtomName {
    let used = Set(loads.values.map(\.property) + abandoned.filter { $0.window == window }.map(\.property))
    for index in 0... {
      let name = AtomName("XDND_TRANSFER_\(index)")
      if !used.contains(name) { return name }
    }
    return .xdndSelection
  }

  func routeToLoad(_ notify: SelectionNotify) {
    // A refusal does not name the property, and one of Qt not even the target. Owners answer in order, so the oldest
    // unanswered conversion that it can be about is the one that was refused.
    let match = loads.filter { _, load in
      guard load.window == notify.requestor, load.machine.awaitsAnswer else { return false }
      if let property = notify.property { return property == load.property }
      return notify.target == load.target || notify.target == nil
    }.keys.min()
    guard let match else { return discard(notify) }
    answer([.load(match, .answered(hasData: notify.property != nil))])
  }

  /// Removes what comes after all, so that it does not lie about on a window of ours.
  private func discard(_ notify: SelectionNotify) {
    let late = abandoned.lastIndex { $0.window == notify.requestor && $0.property == notify.property }
    guard let late else { return }
    system.delete(abandoned[late].property, of: notify.requestor)
    abandoned[late].cleanAt = now + timing.incoming.stall * 2
  }

  /// Removes the last part of each INCR that was given up on: its owner wrote it when we deleted the one before, and
  /// would go on for as long as we do.
  func cleanAbandoned() {
    for index in abandoned.indices {
      guard let time = abandoned[index].cleanAt, time <= now else { continue }
      abandoned[index].cleanAt = nil
      system.delete(abandoned[index].property, of: abandoned[index].window)
    }
  }

  func run(load transfer: TransferID, _ input: IncomingTransfer.Input) {
    guard var load = loads[transfer] else { return }
    let effects = load.machine.receive(input, at: now)
    loads[transfer] = load
    for effect in effects { perform(effect, transfer, load) }
  }

  private func perform(_ effect: IncomingTransfer.Effect, _ transfer: TransferID, _ load: Load) {
    switch effect {
    case .convert:
      system.convert(
        .xdndSelection, to: load.target, property: load.property, requestor: load.window,
        time: drops[load.session]?.time ?? .currentTime)
    case .readProperty(let offset): read(transfer, load, from: offset)
    case .progressed(let received, let expected):
      guard case .content = load.purpose else { break }
      answer([.target(load.window, .progressed(load.session))])
      tell(.load(transfer, .progressed(received: received, expected: expected)))
    case .deleteProperty: system.delete(load.property, of: load.window)
    case .ended(let result):
      loads[transfer] = nil
      system.unwatch(load.window, for: .properties)
      if result.mayStillBeAnswered {
        abandoned =
          abandoned.suffix(Self.keptAbandoned - 1) + [
            Abandoned(window: load.window, property: load.property, cleanAt: now + timing.incoming.stall * 2)
          ]
      }
      switch load.purpose {
      case .content: tell(.load(transfer, .ended(result)))
      case .deletion: answer([.target(load.window, .deletionAnswered(load.session))])
      }
    }
  }

  private func read(_ transfer: TransferID, _ load: Load, from offset: Int) {
    var announced: Int?
    var answer = SinkAnswer.more
    let page = system.readPage(load.property, of: load.window, from: offset, delete: true) { header, part in
      if load.machine.wants(header) {
        if case .content(let sink) = load.purpose { answer = sink(part) }
      } else if header.type == .incr, part.count >= 4 {
        announced = Int(part.loadUnaligned(as: UInt32.self))
      }
    }
    let read = IncomingTransfer.Input.read(page?.header, left: page?.left ?? 0, announced: announced)
    switch answer {
    case .more: self.answer([.load(transfer, read)])
    case .full: self.answer([.load(transfer, .pause), .load(transfer, read)])
    case .failed: self.answer([.load(transfer, .sinkFailed)])
    }
  }
}

extension IncomingTransfer.Result {
  /// Whether the owner does not know that nobody waits any more.
  fileprivate var mayStillBeAnswered: Bool {
    switch self {
    case .complete, .failed(.refused), .failed(.noData): false
    // The selection may belong to another window than the one that has gone.
    case .failed(.ownerVanished), .failed(.timedOut), .failed(.tooLarge), .failed(.sinkFailed), .failed(.cancelled):
      true
    }
  }
}
