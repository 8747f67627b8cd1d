import Logging

/// Runs the target's half of direct saves (XDS): the source writes its file where this program asks.
final class SaveRunner {
  private struct Save {
    var machine: DirectSaveReceiver {
      didSet { alarm.time = machine.nextDeadline }
    }
    let alarm: Alarm
    var session: SessionID
    /// The window that was dropped on.
    var window: WindowID
    var source: WindowID
    /// The conversion of `XdndDirectSave0`, while it runs.
    var conversion: TransferID?
    /// The bytes of the source's answer.
    var answer: [UInt8] = []
  }

  /// The maximum length of an answer, in bytes. A valid answer is one letter.
  private static let longestAnswer = 64

  private let context: DriverContext
  private let drops: DropTable
  private let loads: LoadRunner
  private var saves: [TransferID: Save] = [:]

  init(_ context: DriverContext, drops: DropTable, loads: LoadRunner) {
    self.context = context
    self.drops = drops
    self.loads = loads
  }

  var isEmpty: Bool { saves.isEmpty }

  /// Prepares the direct save of a drop, which starts with ``DirectSaveReceiver/Input/begin``. Notices with the
  /// returned id ask for files and report the result.
  ///
  /// - Parameter offersData: Whether the content can be converted to `application/octet-stream` instead.
  /// - Returns: `nil` if nothing has been dropped, or if a save is running: there is one property for the URI.
  func prepare(_ session: SessionID, offersData: Bool) -> TransferID? {
    guard let drop = drops[session], drop.time != nil, !saves.values.contains(where: { $0.session == session })
    else { return nil }
    let id = context.nextTransfer()
    saves[id] = Save(
      machine: DirectSaveReceiver(offersData: offersData, timing: context.timing.saving),
      alarm: context.alarms.alarm { [unowned self] in receive(.deadlineReached, for: id) }, session: session,
      window: drop.window, source: drop.source)
    return id
  }

  func receive(_ input: DirectSaveReceiver.Input, for id: TransferID) {
    guard let effects = saves[id]?.machine.receive(input, at: context.now) else { return }
    for effect in effects { perform(effect, id) }
  }

  private func perform(_ effect: DirectSaveReceiver.Effect, _ id: TransferID) {
    context.logger.trace("save", metadata: ["save": "\(id.rawValue)", "effect": "\(effect)"])
    guard let save = saves[id] else { return }
    switch effect {
    case .readName:
      let name = drops.keepPromisedName(of: save.session)
      context.exchange.did("reads XdndDirectSave0: \(name ?? "no name")")
      context.answer([.save(id, .named(name))])
    case .makePlace(let name): context.tell(.save(id, .placeNeeded(name: name)))
    case .write(let uri):
      context.exchange.did("XdndDirectSave0 is \(uri.isEmpty ? "empty" : uri)")
      // GDK's readers ask for exactly this type; a charset parameter would make it another one.
      context.system.write(
        PropertyValue(type: .plainText, contents: .bytes(Array(uri.utf8)[...])), to: .xdndDirectSave,
        of: save.source)
    case .convert: convert(id, save)
    case .cancelConversion: if let conversion = save.conversion { context.answer([.load(conversion, .cancel)]) }
    case .renewLease:
      loads.renewLease(of: save.session) { [weak self] in self?.context.answer([.save(id, .sourceIsAwake)]) }
    case .look: context.tell(.save(id, .lookNeeded))
    case .progressed: context.answer([.target(save.window, .progressed(save.session))])
    case .finishDrop:
      context.exchange.did("the file is not there yet, says Finished and waits for it")
      // The watch of ``TargetMachine`` ends with the drop.
      context.system.watch(save.source, for: .destruction)
      context.tell(.save(id, .dropOver))
    case .takeOver:
      context.exchange.did("the file is whole, moves it to its place")
      context.tell(.save(id, .takeOverNeeded))
    case .fetch: context.tell(.save(id, .dataNeeded))
    case .ended(let result):
      saves[id] = nil
      if save.machine.hasFinishedDrop { context.system.unwatch(save.source, for: .destruction) }
      context.tell(.save(id, .ended(result)))
    }
  }

  // MARK: The conversion

  private func convert(_ id: TransferID, _ save: Save) {
    guard let drop = drops[save.session] else { return context.answer([.save(id, .sourceVanished)]) }
    var limits = context.timing.incoming
    limits.byteCount = Self.longestAnswer
    // ``DirectSaveReceiver`` decides how long the answer may take.
    (limits.stall, limits.duration, limits.minimumPace) = (.seconds(1 << 30), .seconds(1 << 30), 0)
    saves[id]?.conversion = loads.convert(
      .xdndDirectSave, .init(of: save.session, drop),
      purpose: .directSave(
        sink: { [weak self] part in
          self?.saves[id]?.answer += part
          return .more
        }, completion: { [weak self] in self?.finishConversion(of: id, $0) }), limits: limits)
  }

  private func finishConversion(of id: TransferID, _ result: IncomingTransfer.Result) {
    guard let save = saves[id] else { return }
    let letter = ExchangeTrace.excerpt(save.answer)
    context.exchange.received("XdndDirectSave0: \(letter.isEmpty ? "no answer" : letter)", from: save.source)
    let isWithdrawn = drops.isWithdrawn(save.session)
    let input: DirectSaveReceiver.Input =
      switch result {
      case .complete: .answered(.init(save.answer, isWithdrawn: isWithdrawn))
      case .failed(.withdrawn): .answered(.withdrawn)
      case .failed(.refused): .answered(.refused)
      case .failed(.noData), .failed(.truncated), .failed(.mislabelled), .failed(.tooLarge), .failed(.sinkFailed):
        .answered(.meaningless)
      case .failed(.ownerVanished): .sourceVanished
      case .failed(.timedOut), .failed(.tooSlow), .failed(.cancelled): .cancel
      }
    context.answer([.save(id, input)])
  }

  // MARK: Ends

  /// The jobs for the end of a drop. A save that has finished the drop itself goes on.
  func jobsForEnd(of session: SessionID) -> [Job] {
    saves.filter { $0.value.session == session && !$0.value.machine.hasFinishedDrop }.keys.map { .save($0, .cancel) }
  }

  /// The jobs for the destruction of a window: of a source, or of a target whose drop is not finished.
  func jobsForEnd(of window: WindowID) -> [Job] {
    saves.filter { $0.value.source == window || $0.value.window == window && !$0.value.machine.hasFinishedDrop }
      .keys.sorted().map { .save($0, .sourceVanished) }
  }

  /// The jobs that end all saves.
  var jobsForServerLoss: [Job] { saves.keys.sorted().map { .save($0, .serverLost) } }
}
