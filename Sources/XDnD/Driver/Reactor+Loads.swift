extension Reactor {
  /// One conversion that we asked for.
  struct Load {
    var machine: IncomingTransfer
    var conversion: Conversion
    var target: AtomName
    var property: AtomName
    var purpose: Purpose

    /// The requestor.
    var window: WindowID { conversion.requestor }
    /// The drop that it belongs to; `nil` for a clipboard.
    var session: SessionID? { conversion.session }

    enum Purpose {
      case content(ContentSink)
      /// The conversion of `XdndDirectSave0`.
      case directSave(TransferID, ContentSink)
      /// The conversion of `DELETE` after a move.
      case deletion
      /// The conversion of `SAVE_TARGETS`, with the targets to save.
      case handOver([AtomName])

      /// Who takes the bytes, if they are of interest.
      var sink: ContentSink? {
        switch self {
        case .content(let sink), .directSave(_, let sink): sink
        case .deletion, .handOver: nil
        }
      }

      var isContent: Bool { if case .content = self { true } else { false } }
    }
  }

  /// Whom to ask, and in whose name.
  struct Conversion {
    var selection: AtomName
    /// Its end is the end of the load.
    var owner: WindowID
    /// For a drop the window that was dropped on, because Qt sources refuse hidden ones in some cases.
    var requestor: WindowID
    var time: Timestamp
    var session: SessionID?
  }

  /// A conversion that has ended for us while its owner may still answer, however late. The watch of the load lives on
  /// in it.
  struct Abandoned: Equatable {
    var window: WindowID
    var property: AtomName
    /// When to remove what has come; `nil` while there is nothing.
    var cleanAt: LoopTime?
    /// How often something has been removed.
    var cleanings = 0
  }

  /// How many conversions are remembered after they were given up on.
  static let keptAbandoned = 64

  /// How many parts are removed after a conversion was given up on.
  static let maximumCleanings = 8

  /// What a requestor is watched for: its properties, and its own end, which nobody else may look out for any more when
  /// an answer is late.
  private static let requestorInterest: WindowInterest = [.properties, .destruction]

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
    let conversion = Conversion(
      selection: .xdndSelection, owner: context.source, requestor: context.window,
      time: context.time ?? .currentTime, session: session)
    return convert(target, conversion, purpose: purpose, limits: limits)
  }

  func convert(
    _ target: AtomName, _ conversion: Conversion, purpose: Load.Purpose, limits: IncomingTransfer.Limits
  ) -> TransferID {
    lastTransfer += 1
    let transfer = TransferID(rawValue: lastTransfer)
    loads[transfer] = Load(
      machine: IncomingTransfer(limits: limits, target: purpose.isContent ? ContentType(target) : nil),
      conversion: conversion, target: target,
      property: unusedProperty(of: conversion.requestor), purpose: purpose)
    system.watch(conversion.requestor, for: Self.requestorInterest)
    if let owner = watchedOwner(of: conversion) { system.watch(owner, for: .destruction) }
    enqueue(.load(transfer, .begin))
    return transfer
  }

  /// The owner of a clipboard. That of a drop is watched by the machine of the drop, and we ourselves need no watch.
  private func watchedOwner(of conversion: Conversion) -> WindowID? {
    conversion.session == nil && conversion.owner != system.dragWindow ? conversion.owner : nil
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
      guard load.window == notify.requestor, load.conversion.selection == notify.selection, load.machine.awaitsAnswer
      else { return false }
      if let property = notify.property { return property == load.property }
      return notify.target == load.target || notify.target == nil
    }.keys.min()
    guard let match else { return discard(notify) }
    answer([.load(match, .answered(hasData: notify.property != nil))])
  }

  /// Removes an answer that comes after all, so that it does not lie about on a window of ours.
  private func discard(_ notify: SelectionNotify) {
    guard let property = notify.property,
      abandoned.contains(where: { $0.window == notify.requestor && $0.property == property })
    else { return }
    system.delete(property, of: notify.requestor)
  }

  /// Something was written for a conversion that was given up on: an answer, or the next part of INCR, for which the
  /// owner may have needed any time.
  ///
  /// It is left there for a while: the owner writes the next part when we delete this one, and would go on for as long
  /// as we do. By then it has given up; one that never gives up is left alone after some parts.
  func noteAbandoned(_ property: AtomName, of window: WindowID) {
    for index in abandoned.indices where abandoned[index].window == window && abandoned[index].property == property {
      guard abandoned[index].cleanings < Self.maximumCleanings else { continue }
      abandoned[index].cleanAt = now + timing.incoming.stall * 2
    }
  }

  private func abandon(_ load: Load) {
    if abandoned.count == Self.keptAbandoned {
      system.unwatch(abandoned.removeFirst().window, for: Self.requestorInterest)
    }
    abandoned.append(Abandoned(window: load.window, property: load.property))
  }

  /// The window is gone, and all that was on it.
  func forgetAbandoned(on window: WindowID) {
    for _ in abandoned.filter({ $0.window == window }) { system.unwatch(window, for: Self.requestorInterest) }
    abandoned.removeAll { $0.window == window }
  }

  func cleanAbandoned() {
    for index in abandoned.indices {
      guard let time = abandoned[index].cleanAt, time <= now else { continue }
      abandoned[index].cleanAt = nil
      abandoned[index].cleanings += 1
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
      if case .handOver(let targets) = load.purpose {
        system.write(.atoms(targets), to: load.property, of: load.window)
      }
      traceSent("ConvertSelection \(load.target)", to: load.conversion.owner)
      system.convert(
        load.conversion.selection, to: load.target, property: load.property, requestor: load.window,
        time: load.conversion.time)
    case .readProperty(let offset): read(transfer, load, from: offset)
    case .progressed(let received, let expected):
      guard load.purpose.isContent else { break }
      if let session = load.session { answer([.target(load.window, .progressed(session))]) }
      tell(.load(transfer, .progressed(received: received, expected: expected)))
    case .deleteProperty: system.delete(load.property, of: load.window)
    case .ended(let result):
      loads[transfer] = nil
      if let owner = watchedOwner(of: load.conversion) { system.unwatch(owner, for: .destruction) }
      if result.mayStillBeAnswered, system.exists(load.window) {
        abandon(load)
      } else {
        system.unwatch(load.window, for: Self.requestorInterest)
      }
      switch load.purpose {
      case .content:
        traceReceived("\(load.target): \(result.words)", from: load.conversion.owner)
        tell(.load(transfer, .ended(result)))
      case .directSave(let save, _): converted(save, result)
      case .deletion:
        if let session = load.session { answer([.target(load.window, .deletionAnswered(session))]) }
      case .handOver:
        // A refusal leaves our list there. The answer itself has no content, and some managers write none.
        system.delete(load.property, of: load.window)
        tell(.load(transfer, .ended(result == .failed(.noData) ? .complete(.nothing) : result)))
      }
    }
  }

  private func read(_ transfer: TransferID, _ load: Load, from offset: Int) {
    var announced: Int?
    var answer = SinkAnswer.more
    let page = system.readPage(load.property, of: load.window, from: offset, delete: true) { header, part in
      if load.machine.wants(header) {
        if let sink = load.purpose.sink { answer = sink(part) }
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

extension PropertyHeader {
  fileprivate static let nothing = PropertyHeader(type: .null, format: 32, byteCount: 0)
}

extension IncomingTransfer.Result {
  fileprivate var words: String {
    switch self {
    case .complete: "all of it"
    case .failed(let failure): "\(failure)"
    }
  }

  /// Whether the owner does not know that nobody waits any more.
  fileprivate var mayStillBeAnswered: Bool {
    switch self {
    case .complete, .failed(.refused), .failed(.noData), .failed(.truncated): false
    // The selection may belong to another window than the one that has gone.
    case .failed(.ownerVanished), .failed(.timedOut), .failed(.tooSlow), .failed(.tooLarge), .failed(.mislabelled),
      .failed(.sinkFailed), .failed(.cancelled):
      true
    }
  }
}
