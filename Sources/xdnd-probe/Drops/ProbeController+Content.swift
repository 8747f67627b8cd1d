import ToolSupport
import ToolWindow
import XDnD

/// The processing of drops that are not saved: fetch, print, run a command.
extension ProbeController {
  func fetch(_ drop: DropSession) {
    let id = ObjectIdentifier(drop)
    let scratch = self.scratch?.makeFile()
    guard self.scratch == nil || scratch != nil else {
      return failed(
        drop, DropReader.Failure(sentence: "there is no place for temporary files", status: .transferFailed))
    }
    history.update(id) { $0.outcome = "fetching" }
    var arrived: (received: ReceivedContent, content: DecodedContent?)?
    let reader = DropReader(
      drop, types: settings.extent.types(in: drop.negotiation), extent: settings.extent,
      output: scratch.map { OutputDestination(scratchFile: $0.path) } ?? settings.output,
      limit: settings.bounds.byteCount,
      reporter: reporter, on: loop
    ) { [weak self] result in
      guard let self, readers.removeValue(forKey: id) != nil else { return }
      switch result {
      case .success: answer(drop, arrived, scratch)
      case .failure(let failure): failed(drop, failure)
      }
    }
    reader.keepsBytes = settings.keeps
    reader.onContent = { [weak self] received, content in
      arrived = (received, content)
      if let self, settings.computesChecksums { checksums.report(content?.files?.compactMap(\.rawPath) ?? []) }
      self?.show(received, content, of: drop)
    }
    readers[id] = reader
    reader.start()
  }

  private func show(_ received: ReceivedContent, _ content: DecodedContent?, of drop: DropSession) {
    for part in DropHistory.Part.all(of: received, content, isKept: settings.keeps) {
      history.add(part, to: ObjectIdentifier(drop))
    }
    let surplus = (content?.files?.count ?? 0) - DropHistory.mostParts
    if surplus > 0 { history.update(ObjectIdentifier(drop)) { $0.surplus += surplus } }
    updateScene()
  }

  /// Continues after all content has arrived.
  private func answer(
    _ drop: DropSession, _ arrived: (received: ReceivedContent, content: DecodedContent?)?, _ scratch: ScratchFile?
  ) {
    guard drop.droppedOperation == .ask else {
      return use(drop, arrived, scratch, drop.droppedOperation ?? .copy)
    }
    askForOperation(drop, among: [.copy, .move, .link, .private]) { [weak self] operation in
      if let operation { self?.use(drop, arrived, scratch, operation) } else { drop.reject() }
    }
  }

  private func use(
    _ drop: DropSession, _ arrived: (received: ReceivedContent, content: DecodedContent?)?, _ scratch: ScratchFile?,
    _ operation: DragOperation
  ) {
    guard let arrived else { return drop.finish(operation) }
    if let printer = settings.printer {
      printer.print(arrived.content, of: arrived.received, reporter, on: loop) { [weak self] failure in
        if let failure { self?.failed(drop, failure) } else { drop.finish(operation) }
      }
    } else if let template = settings.command {
      do {
        let files = try argumentFiles(of: arrived.content, arrived.received, scratch)
        let input = DropCommand.Input(
          type: arrived.received.requested, operation: operation, files: files.paths, content: files.content)
        run(template, input, for: drop)
      } catch {
        failed(drop, error)
      }
    } else {
      drop.finish(operation)
    }
  }

  /// Returns the files for `{}`: the dropped local files, so that nothing else that a source wrote becomes an
  /// argument. For content, and for lists of remote links only, it is the tool's own file with the content.
  private func argumentFiles(
    of content: DecodedContent?, _ received: ReceivedContent, _ scratch: ScratchFile?
  ) throws(DropReader.Failure) -> (paths: [[UInt8]], content: ScratchFile?) {
    guard DecodedContent.isList(received.requested) else { return try contentFile(received, scratch) }
    guard case .files(let files)? = content else {
      throw DropReader.Failure(sentence: received.unreadableReason, status: .transferFailed)
    }
    let paths = files.compactMap(\.rawPath)
    if paths.isEmpty, files.contains(where: { if case .remote = $0.entry { true } else { false } }) {
      return try contentFile(received, scratch)
    }
    let leftOut = files.compactMap { file in
      file.entry.noFileReason.map { LeftOut(uri: file.uri, reason: $0) }
    }
    if !leftOut.isEmpty { reporter.print(.leftOut(leftOut)) }
    guard !paths.isEmpty else {
      throw DropReader.Failure(sentence: "it holds no file that is on this machine", status: .refused)
    }
    return (paths, nil)
  }

  private func contentFile(
    _ received: ReceivedContent, _ scratch: ScratchFile?
  ) throws(DropReader.Failure) -> (paths: [[UInt8]], content: ScratchFile?) {
    guard let scratch else {
      throw DropReader.Failure(sentence: "there is no place for temporary files", status: .transferFailed)
    }
    scratch.rename(for: received.requested)
    return ([scratch.path], scratch)
  }

  // MARK: Commands

  private func run(_ template: CommandTemplate, _ input: DropCommand.Input, for drop: DropSession) {
    let id = ObjectIdentifier(drop)
    let command = DropCommand(template, input, on: loop, reporter: reporter) { [weak self] problem in
      guard let self, commands.removeValue(forKey: id) != nil else { return }
      if let problem {
        failed(drop, DropReader.Failure(sentence: problem, status: .transferFailed))
        // The exit status records the failure even if the source has gone and cannot be told.
        if pendingStatus == .dropped { pendingStatus = .transferFailed }
      } else {
        drop.finish(input.operation)
      }
      updateScene()
      stopIfDone()
    }
    guard let command else {
      return failed(
        drop,
        DropReader.Failure(sentence: "the command cannot be started: \(template.argument)", status: .transferFailed))
    }
    commands[id] = command
    history.update(id) { $0.outcome = "running" }
    updateScene()
  }

  func failed(_ drop: DropSession, _ failure: DropReader.Failure) {
    reporter.print(.failure(failure))
    note(Humane.visible(failure.sentence), "", state: .error, of: drop)
    statuses[ObjectIdentifier(drop)] = failure.status
    drop.reject()
  }
}

extension DropHistory.Part {
  /// Returns the parts of one representation: one per file of a list, up to ``DropHistory/mostParts``, or else a
  /// single part.
  ///
  /// - Parameter isKept: Whether the parts can be dragged out again.
  static func all(of received: ReceivedContent, _ content: DecodedContent?, isKept: Bool) -> [DropHistory.Part] {
    let size = Humane.size(received.count)
    if let files = content?.files {
      return files.prefix(DropHistory.mostParts).map { file in
        let size = file.size.map(Humane.size)
        return DropHistory.Part(
          title: file.visibleName ?? Humane.visible(file.uri),
          details: [size, file.visibleDirectory].compactMap(\.self).joined(separator: ", "), content: .files([file]),
          item: isKept ? DragItem(FileList(uris: [file.uri])) : nil)
      }
    }
    var part = DropHistory.Part(
      title: content?.preview ?? Humane.visible(received.requested.name),
      details: content?.preview == nil ? size : "\(Humane.visible(received.requested.name)), \(size)",
      type: received.requested,
      content: content)
    if received.requested.type == "image" { part.picture = received.bytes }
    if isKept, let bytes = received.bytes {
      if case .text(let text) = content, PlainText.reads(received.requested) {
        part.item = DragItem(text)
      } else {
        var item = DragItem()
        item.promise(received.requested, bytes: bytes)
        part.item = item
      }
    }
    if part.picture != nil || part.item != nil { part.heldBytes = received.bytes?.count ?? 0 }
    return [part]
  }
}
