import Logging

extension Reactor {
  /// One direct save that is under way.
  struct Save {
    var machine: DirectSaveReceiver
    var session: SessionID
    /// The window that was dropped on.
    var window: WindowID
    var source: WindowID
    /// While the source is asked.
    var conversion: TransferID?
    /// What it has answered.
    var answer: [UInt8] = []
  }

  /// The most bytes of an answer that are read; one letter is what there should be.
  private static let longestAnswer = 64

  /// The name that the source of a drag promises, as a file may have it: one round trip.
  func promisedName(of session: SessionID) -> String? {
    guard let context = drops[session] else { return nil }
    if let name = context.promisedName { return name }
    var bytes: [UInt8] = []
    let page = system.readPage(.xdndDirectSave, of: context.source, from: 0, delete: false) { header, part in
      if header.format == 8, header.byteCount <= PromisedName.longest { bytes = Array(part) }
    }
    return page.flatMap { PromisedName.fileName(bytes, as: ContentType($0.header.type)) }
  }

  /// Prepares to have the source of a drop save its file, which begins with ``DirectSaveReceiver/Input/begin``.
  /// Notices with the id ask for what it takes and say what became of it.
  ///
  /// - Parameter offersData: Whether `application/octet-stream` can be asked for instead.
  /// - Returns: `nil` if nothing has been dropped, or it is being saved already: there is one property for the URI.
  func save(_ session: SessionID, offersData: Bool) -> TransferID? {
    guard let context = drops[session], context.time != nil, !saves.values.contains(where: { $0.session == session })
    else { return nil }
    lastTransfer += 1
    let id = TransferID(rawValue: lastTransfer)
    saves[id] = Save(
      machine: DirectSaveReceiver(offersData: offersData, timing: timing.saving), session: session,
      window: context.window, source: context.source)
    return id
  }

  func run(save id: TransferID, _ input: DirectSaveReceiver.Input) {
    guard let effects = saves[id]?.machine.receive(input, at: now) else { return }
    for effect in effects { perform(effect, id) }
  }

  private func perform(_ effect: DirectSaveReceiver.Effect, _ id: TransferID) {
    logger.trace("save", metadata: ["save": "\(id.rawValue)", "effect": "\(effect)"])
    guard let save = saves[id] else { return }
    switch effect {
    case .readName:
      let name = promisedName(of: save.session)
      traceDone("reads XdndDirectSave0: \(name ?? "no name")")
      drops[save.session]?.promisedName = name
      answer([.save(id, .named(name))])
    case .makePlace(let name): tell(.save(id, .placeNeeded(name: name)))
    case .write(let uri):
      traceDone("XdndDirectSave0 is \(uri.isEmpty ? "empty" : uri)")
      // GDK's readers ask for this very type, and take a charset for another one.
      system.write(
        PropertyValue(type: .plainText, contents: .bytes(Array(uri.utf8)[...])), to: .xdndDirectSave,
        of: save.source)
    case .convert: convert(id, save)
    case .cancelConversion: if let conversion = save.conversion { answer([.load(conversion, .cancel)]) }
    case .look: tell(.save(id, .lookNeeded))
    case .progressed: answer([.target(save.window, .progressed(save.session))])
    case .finishDrop:
      traceDone("the file is not there yet, says Finished and waits for it")
      // The drop watches its source until it ends.
      system.watch(save.source, for: .destruction)
      tell(.save(id, .dropOver))
    case .takeOver:
      traceDone("the file is whole, moves it to its place")
      tell(.save(id, .takeOverNeeded))
    case .fetch: tell(.save(id, .dataNeeded))
    case .ended(let result):
      saves[id] = nil
      if save.machine.hasFinishedDrop { system.unwatch(save.source, for: .destruction) }
      tell(.save(id, .ended(result)))
    }
  }

  private func convert(_ id: TransferID, _ save: Save) {
    guard let context = drops[save.session] else { return answer([.save(id, .sourceVanished)]) }
    var limits = timing.incoming
    limits.byteCount = Self.longestAnswer
    // It is the machine that knows how long the answer may take.
    (limits.stall, limits.duration, limits.minimumPace) = (.seconds(1 << 30), .seconds(1 << 30), 0)
    saves[id]?.conversion = convert(
      .xdndDirectSave, of: save.session, context,
      purpose: .directSave(
        id,
        { [weak self] part in
          self?.saves[id]?.answer += part
          return .more
        }), limits: limits)
  }

  /// The conversion has come to an end.
  func converted(_ id: TransferID, _ result: IncomingTransfer.Result) {
    guard let save = saves[id] else { return }
    let letter = Self.excerpt(save.answer)
    traceReceived("XdndDirectSave0: \(letter.isEmpty ? "no answer" : letter)", from: save.source)
    switch result {
    case .complete: answer([.save(id, .answered(.init(save.answer)))])
    case .failed(.refused): answer([.save(id, .answered(.refused))])
    case .failed(.noData), .failed(.truncated), .failed(.mislabelled), .failed(.tooLarge), .failed(.sinkFailed):
      answer([.save(id, .answered(.meaningless))])
    case .failed(.ownerVanished): answer([.save(id, .sourceVanished)])
    case .failed(.timedOut), .failed(.tooSlow), .failed(.cancelled): answer([.save(id, .cancel)])
    }
  }
}
