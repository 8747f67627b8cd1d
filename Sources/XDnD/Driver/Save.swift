import Logging

/// The target's half of one direct save (XDS): the source writes its file where this program asks.
final class Save {
  /// The maximum length of an answer, in bytes. A valid answer is one letter.
  private static let longestAnswer = 64

  let id: TransferID
  let visit: Visit
  /// The application's half, where notices go.
  let half: AnyObject?
  private var machine: DirectSaveReceiver {
    didSet { alarm.time = machine.nextDeadline }
  }
  private let inbox = Inbox<DirectSaveReceiver.Input>()
  private lazy var alarm = context.alarms.alarm { [unowned self] in receive(.deadlineReached) }
  /// The conversion of `XdndDirectSave0`, while it runs.
  private weak var conversion: Load?
  /// The bytes of the source's answer.
  private var answer: [UInt8] = []
  private let context: DriverContext
  private unowned let saves: Saves

  init(
    _ id: TransferID, of visit: Visit, for half: AnyObject?, offersData: Bool, _ context: DriverContext, in saves: Saves
  ) {
    self.id = id
    self.visit = visit
    self.half = half
    self.context = context
    self.saves = saves
    machine = DirectSaveReceiver(offersData: offersData, timing: context.timing.saving)
  }

  /// Whether the save continues after the end of its drop.
  var outlivesDrop: Bool { machine.hasFinishedDrop || machine.isOrphaned }

  func receive(_ input: DirectSaveReceiver.Input) {
    inbox.process(input) { input in
      for effect in machine.receive(input, at: context.now) { perform(effect) }
    }
  }

  private func perform(_ effect: DirectSaveReceiver.Effect) {
    context.logger.trace("save", metadata: ["save": "\(id.rawValue)", "effect": "\(effect)"])
    switch effect {
    case .readName:
      let name = visit.isOver ? nil : visit.keepPromisedName()
      context.exchange.did("reads XdndDirectSave0: \(name ?? "no name")")
      receive(.named(name))
    case .makePlace(let name): tell(.placeNeeded(name: name))
    case .write(let uri):
      context.exchange.did("XdndDirectSave0 is \(uri.isEmpty ? "empty" : uri)")
      // GDK's readers ask for exactly this type; a charset parameter would make it another type.
      context.system.write(
        PropertyValue(type: .plainText, contents: .bytes(Array(uri.utf8)[...])), to: .xdndDirectSave,
        of: visit.source)
    case .convert: convert()
    case .cancelConversion: conversion?.receive(.cancel)
    case .renewLease: saves.loads.renewLease(of: visit) { [weak self] in self?.receive(.sourceIsAwake) }
    case .look: tell(.lookNeeded)
    case .progressed: visit.progressed()
    case .finishDrop:
      context.exchange.did("the file is missing: sends Finished and waits for it")
      // The watch of ``TargetMachine`` ends with the drop.
      context.system.watch(visit.source, for: .destruction)
      tell(.dropOver)
    case .takeOver:
      context.exchange.did("the file is complete: moves it to its place")
      tell(.takeOverNeeded)
    case .fetch: tell(.dataNeeded)
    case .ended(let result):
      saves.remove(self)
      if machine.hasFinishedDrop { context.system.unwatch(visit.source, for: .destruction) }
      tell(.ended(result))
    }
  }

  private func tell(_ notice: Notice.SaveNotice) { context.tell(.save(id, notice), to: half) }

  // MARK: The conversion

  private func convert() {
    guard !visit.isOver else { return receive(.sourceVanished) }
    var limits = context.timing.incoming
    limits.byteCount = Self.longestAnswer
    // ``DirectSaveReceiver`` decides how long the answer may take.
    (limits.stall, limits.duration, limits.minimumPace) = (.seconds(1 << 30), .seconds(1 << 30), 0)
    conversion = saves.loads.convert(
      .xdndDirectSave, of: visit,
      purpose: .directSave(
        sink: { [weak self] part in
          self?.answer += part
          return .more
        }, completion: { [weak self] in self?.finishConversion($0) }), limits: limits)
  }

  private func finishConversion(_ result: IncomingTransfer.Result) {
    let letter = ExchangeTrace.excerpt(answer)
    context.exchange.received("XdndDirectSave0: \(letter.isEmpty ? "no answer" : letter)", from: visit.source)
    switch result {
    case .complete: receive(.answered(.init(answer, isWithdrawn: visit.isWithdrawn)))
    case .failed(.withdrawn): receive(.answered(.withdrawn))
    case .failed(.refused): receive(.answered(.refused))
    case .failed(.noData), .failed(.truncated), .failed(.mislabelled), .failed(.tooLarge), .failed(.sinkFailed):
      receive(.answered(.meaningless))
    case .failed(.ownerVanished): receive(.sourceVanished)
    case .failed(.timedOut), .failed(.tooSlow), .failed(.cancelled): receive(.cancel)
    }
  }

  // MARK: Ends

  /// Handles the destruction of a window: of the source, or of the target if the drop is not finished.
  func windowVanished(_ window: WindowID) {
    if visit.source == window || visit.window == window && !machine.hasFinishedDrop { receive(.sourceVanished) }
  }
}
