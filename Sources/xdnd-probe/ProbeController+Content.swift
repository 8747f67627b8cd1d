import ToolSupport
import ToolWindow
import XDnD

/// What is done with a drop that is not saved.
extension ProbeController {
  func fetch(_ drop: DropSession) {
    let id = ObjectIdentifier(drop)
    let scratch = settings.command == nil ? nil : ScratchFile()
    guard settings.command == nil || scratch != nil else {
      return failed(drop, Intake.Failure(sentence: "there is no place for temporary files", status: .transferFailed))
    }
    history.update(id) { $0.outcome = "fetching" }
    var arrived: (type: ContentType, content: ArrivedContent?)?
    let intake = Intake(
      drop, types: settings.extent.types(in: drop.negotiation), extent: settings.extent,
      output: scratch.map { Output($0) } ?? settings.output, limit: settings.bounds.byteCount,
      reporter: reporter
    ) { [weak self] result in
      guard let self, intakes.removeValue(forKey: id) != nil else { return }
      switch result {
      case .success: answer(drop, arrived, scratch)
      case .failure(let failure): failed(drop, failure)
      }
    }
    intake.keepsBytes = settings.keeps
    intake.onContent = { [weak self] arrival, content in
      arrived = (arrival.requested, content)
      self?.show(arrival, content, of: drop)
    }
    intakes[id] = intake
    intake.start()
  }

  private func show(_ arrival: Arrival, _ content: ArrivedContent?, of drop: DropSession) {
    for part in DropHistory.Part.all(of: arrival, content, isKept: settings.keeps) {
      history.add(part, to: ObjectIdentifier(drop))
    }
    updateScene()
  }

  /// Everything is here.
  private func answer(
    _ drop: DropSession, _ arrived: (type: ContentType, content: ArrivedContent?)?, _ scratch: ScratchFile?
  ) {
    guard drop.droppedOperation == .ask else {
      return use(drop, arrived, scratch, drop.droppedOperation ?? .copy)
    }
    askForOperation(drop, among: [.copy, .move, .link, .private]) { [weak self] operation in
      if let operation { self?.use(drop, arrived, scratch, operation) } else { drop.reject() }
    }
  }

  private func use(
    _ drop: DropSession, _ arrived: (type: ContentType, content: ArrivedContent?)?, _ scratch: ScratchFile?,
    _ operation: DragOperation
  ) {
    if let printer = settings.printer, let content = arrived?.content {
      guard let count = printer.print(content) else { return failed(drop, Printer.failure) }
      reporter.printForPrograms(Report("printed", "", ["entries": .integer(count)]))
    }
    guard let template = settings.command, let arrived else { return drop.finish(operation) }
    var input = DropCommand.Input(type: arrived.type, operation: operation, files: [], content: nil)
    if let files = arrived.content?.files {
      input.files = files.map { $0.rawPath ?? Array($0.uri.utf8) }
    } else if let scratch {
      scratch.rename(for: arrived.type)
      input.files = [scratch.path]
      input.content = scratch
    }
    run(template, input, for: drop)
  }

  // MARK: Commands

  private func run(_ template: CommandTemplate, _ input: DropCommand.Input, for drop: DropSession) {
    let id = ObjectIdentifier(drop)
    let command = DropCommand(template, input, on: loop, reporter: reporter) { [weak self] problem in
      guard let self, commands.removeValue(forKey: id) != nil else { return }
      if let problem {
        failed(drop, Intake.Failure(sentence: problem, status: .transferFailed))
        // The source is told no more, if it is gone.
        if pendingStatus == .dropped { pendingStatus = .transferFailed }
      } else {
        drop.finish(input.operation)
      }
      updateScene()
      stopIfDone()
    }
    guard let command else {
      return failed(
        drop, Intake.Failure(sentence: "the command cannot be started: \(template.argument)", status: .transferFailed))
    }
    commands[id] = command
    history.update(id) { $0.outcome = "running" }
    updateScene()
  }

  func failed(_ drop: DropSession, _ failure: Intake.Failure) {
    reporter.print(.failure(failure))
    note(Humane.visible(failure.sentence), "", state: .error, of: drop)
    statuses[ObjectIdentifier(drop)] = failure.status
    drop.reject()
  }
}

extension DropHistory.Part {
  /// What has come with one type: of a list of files a part each.
  ///
  /// - Parameter isKept: Whether it can be dragged out again.
  static func all(of arrival: Arrival, _ content: ArrivedContent?, isKept: Bool) -> [DropHistory.Part] {
    let size = Humane.size(arrival.count)
    if let files = content?.files {
      return files.map { file in
        let size = file.content.map { Humane.size($0.size) }
        return DropHistory.Part(
          title: file.visibleName ?? Humane.visible(file.uri),
          details: [size, file.visibleDirectory].compactMap(\.self).joined(separator: ", "), content: .files([file]),
          item: isKept ? DragItem(FileList(uris: [file.uri])) : nil)
      }
    }
    var part = DropHistory.Part(
      title: content?.preview ?? Humane.visible(arrival.requested.name),
      details: content?.preview == nil ? size : "\(Humane.visible(arrival.requested.name)), \(size)",
      type: arrival.requested,
      content: content)
    if arrival.requested.type == "image" { part.picture = arrival.bytes }
    if isKept, let bytes = arrival.bytes {
      if case .text(let text) = content, PlainText.reads(arrival.requested) {
        part.item = DragItem(text)
      } else {
        var item = DragItem()
        item.promise(arrival.requested, bytes: bytes)
        part.item = item
      }
    }
    if part.picture != nil || part.item != nil { part.heldBytes = arrival.bytes?.count ?? 0 }
    return [part]
  }
}
