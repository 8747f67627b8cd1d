import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Fetches drops that are not saved: to show them, write them to a file, print them or run a command with them.
final class FetchController: DropHandler {
  private let settings: ProbeSettings
  private let content: WindowContent
  private let results: DropResults
  private let reporter: Reporter
  private let loop: EventLoop
  /// `nil` without `--exec`.
  private let commands: CommandRunner?
  private let checksums: FileChecksums
  private var readers: [ObjectIdentifier: DropReader] = [:]
  /// Orders the drops that are written to the output, if it is a stream.
  private let turns = Turns()
  /// The drops that wait for their turn.
  private var waiting: Set<ObjectIdentifier> = []

  init(
    _ settings: ProbeSettings, content: WindowContent, results: DropResults, reporter: Reporter, on loop: EventLoop
  ) {
    self.settings = settings
    self.content = content
    self.results = results
    self.reporter = reporter
    self.loop = loop
    commands = settings.drops.command.map { CommandRunner($0, reporter: reporter, on: loop) }
    checksums = FileChecksums(on: loop, reporter: reporter)
    checksums.onIdle = { [results] in results.stopIfDone() }
  }

  var isIdle: Bool { commands?.isIdle ?? true && checksums.isIdle }

  func stop() {
    waiting = []
    // Running transfers keep their files open beyond the lifetime of this object.
    for reader in readers.values { reader.cancel() }
    commands?.stop()
    checksums.stop()
  }

  func take(_ drop: any ProbeDrop) {
    guard settings.output?.isStream == true else { return fetch(drop) {} }
    let id = ObjectIdentifier(drop)
    waiting.insert(id)
    // The previous drop may take arbitrarily long.
    drop.waitForWork()
    content.drops.update(drop) { $0.outcome = "waiting" }
    content.beginWork(on: drop, "waiting", .cancel) { [weak self] in
      guard let self, waiting.remove(id) != nil else { return }
      content.endWork(on: drop)
      results.fail(drop, .cancelledByUser)
    }
    turns.take { [weak self] done in
      guard let self, waiting.remove(id) != nil else { return done() }
      fetch(drop, done)
    }
  }

  func holdsEnd(of drop: any ProbeDrop, _ end: @escaping () -> Void) -> Bool {
    if waiting.remove(ObjectIdentifier(drop)) != nil { content.endWork(on: drop) }
    return false
  }

  /// - Parameter hasRead: Called when nothing more will be written to the output.
  private func fetch(_ drop: any ProbeDrop, _ hasRead: @escaping () -> Void) {
    let id = ObjectIdentifier(drop)
    let types = settings.extent.types(in: drop.negotiation)
    report(drop, types)
    let scratch: ScratchFile?
    do {
      scratch = try commands?.makeFile()
    } catch {
      hasRead()
      return results.fail(drop, error)
    }
    content.drops.update(drop) { $0.outcome = "receiving" }
    var received: ReceivedContent?
    let reader = DropReader(
      drop.provider, types: types, extent: settings.extent,
      output: scratch.map { OutputDestination(scratchFile: $0.path) } ?? settings.output,
      limit: settings.limits.byteCount, reporter: reporter, on: loop
    ) { [weak self] failure in
      guard let self, readers.removeValue(forKey: id) != nil else { return }
      content.endWork(on: drop)
      defer { hasRead() }
      if let failure { results.fail(drop, failure) } else { chooseOperation(for: drop, received, scratch) }
    }
    reader.holdsContent = settings.isOnlyShown
    reader.computesChecksums = settings.computesChecksums
    reader.onContent = { [weak self] in
      received = $0
      self?.show($0, of: drop)
    }
    readers[id] = reader
    let work = content.beginWork(on: drop, "receiving", .cancel) { [weak reader] in reader?.abort() }
    reader.onProgress = { [weak work] in work?.received($0, of: $1, from: drop) }
    reader.start()
  }

  private func report(_ drop: any ProbeDrop, _ types: [ContentType]) {
    let names =
      types.isEmpty
      ? "nothing" : Formatting.visible(types[0].name) + (settings.extent == .all ? " and all other types" : "")
    reporter.print(.dropped(drop, "receiving \(names)", types.first))
  }

  private func show(_ received: ReceivedContent, of drop: any ProbeDrop) {
    let files = received.decoded?.files ?? []
    if settings.computesChecksums { checksums.report(files.compactMap(\.rawPath)) }
    for part in DropHistory.Part.all(of: received) { content.drops.add(part, to: drop) }
    let surplus = files.count - DropHistory.mostParts
    if surplus > 0 { content.drops.update(drop) { $0.surplus += surplus } }
    content.update()
  }

  private func chooseOperation(for drop: any ProbeDrop, _ received: ReceivedContent?, _ scratch: ScratchFile?) {
    let operation = drop.droppedOperation ?? .copy
    guard operation == .ask else { return process(received, of: drop, scratch, operation) }
    content.drops.update(drop) { $0.outcome = "waiting for your choice" }
    content.questions.askForOperation(
      of: drop, called: content.subject(of: drop), among: [.copy, .move, .link, .private], endsWithDrop: true
    ) { [weak self] operation in
      guard let operation else { self?.results.fail(drop, .cancelledByUser); return }
      self?.process(received, of: drop, scratch, operation)
    }
  }

  /// Prints the content or runs the command with it, and ends the drop.
  private func process(
    _ received: ReceivedContent?, of drop: any ProbeDrop, _ scratch: ScratchFile?, _ operation: DragOperation
  ) {
    // A reader of the output, or a command, may take arbitrarily long.
    drop.waitForWork()
    if let received, let printer = settings.printer {
      printer.print(received, reporter, on: loop) { [results] failure in
        if let failure { results.fail(drop, failure) } else { drop.finish(operation) }
      }
    } else if let received, let commands, let scratch {
      do {
        let command = try commands.run(with: received, in: scratch, of: drop, as: operation) { [content, results] end in
          content.endWork(on: drop)
          content.drops.update(drop) {
            $0.remark = end.details
            $0.ending = end.words
            if end.failure == nil { $0.done = "done" }
            $0.hasFailed = end.failure != nil && !end.isStopped
          }
          if let failure = end.failure {
            results.fail(drop, failure, isLate: true, isShown: true)
          } else {
            drop.finish(operation)
          }
          content.update()
          results.stopIfDone()
        }
        command.onText = { [weak content] text in
          content?.drops.update(drop) { $0.output = text }
          content?.update()
        }
        content.drops.update(drop) { $0.outcome = "running" }
        content.beginWork(on: drop, "running \(commands.name)", .stop) { commands.end(of: drop) }
        content.update()
      } catch {
        results.fail(drop, error)
      }
    } else {
      drop.finish(operation)
    }
  }
}
