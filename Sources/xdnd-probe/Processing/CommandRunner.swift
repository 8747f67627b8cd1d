import ToolSupport
import ToolWindow
import XDnD

/// Runs the `--exec` command for each drop.
final class CommandRunner {
  private let template: CommandTemplate
  private let reporter: Reporter
  private let loop: EventLoop
  private let scratch = ScratchSpace()
  /// The running commands.
  private var commands: [ObjectIdentifier: DropCommand] = [:]

  init(_ template: CommandTemplate, reporter: Reporter, on loop: EventLoop) {
    self.template = template
    self.reporter = reporter
    self.loop = loop
  }

  /// The rows of the running commands.
  var rows: [Scene.Row] { commands.values.map(\.row) }

  var isIdle: Bool { commands.isEmpty }

  /// Terminates all commands and removes their files.
  func stop() {
    for command in commands.values { command.stop() }
    scratch.removeAll()
  }

  /// Returns a file for the content of a drop.
  func makeFile() throws(DropReader.Failure) -> ScratchFile {
    guard let file = scratch.makeFile() else {
      throw DropReader.Failure(sentence: "cannot create a temporary file in $TMPDIR", status: .transferFailed)
    }
    return file
  }

  /// Starts the command for a drop.
  ///
  /// - Parameters:
  ///   - file: The file with the content.
  ///   - completion: Receives `nil` if the command succeeded, otherwise the reason.
  func run(
    with received: ReceivedContent, in file: ScratchFile, of drop: DropSession, as operation: DragOperation,
    completion: @escaping (DropReader.Failure?) -> Void
  ) throws(DropReader.Failure) {
    let id = ObjectIdentifier(drop)
    let files = try argumentFiles(of: received, in: file)
    let input = DropCommand.Input(
      type: received.requested, operation: operation, files: files.paths, content: files.content)
    let command = DropCommand(template, input, on: loop, reporter: reporter) { [weak self] problem in
      guard self?.commands.removeValue(forKey: id) != nil else { return }
      completion(problem.map { DropReader.Failure(sentence: $0, status: .transferFailed) })
    }
    guard let command else {
      throw DropReader.Failure(sentence: "cannot start the command '\(template.argument)'", status: .transferFailed)
    }
    commands[id] = command
  }

  /// Returns the files for `{}`: the dropped local files, so that nothing else that a source wrote becomes an
  /// argument. For content, and for lists of remote links only, it is the tool's own file with the content.
  private func argumentFiles(
    of received: ReceivedContent, in scratch: ScratchFile
  ) throws(DropReader.Failure) -> (paths: [[UInt8]], content: ScratchFile?) {
    guard DecodedContent.isList(received.requested) else { return contentFile(of: received, scratch) }
    guard case .files(let files)? = received.decoded else {
      throw DropReader.Failure(sentence: received.unreadableReason, status: .transferFailed)
    }
    let paths = files.compactMap(\.rawPath)
    if paths.isEmpty, files.contains(where: { if case .remote = $0.entry { true } else { false } }) {
      return contentFile(of: received, scratch)
    }
    let leftOut = files.compactMap { file in
      file.entry.noFileReason.map { LeftOut(uri: file.uri, reason: $0) }
    }
    if !leftOut.isEmpty { reporter.print(.leftOut(leftOut)) }
    guard !paths.isEmpty else {
      throw DropReader.Failure(sentence: "the drop contains no file on this host", status: .refused)
    }
    return (paths, nil)
  }

  private func contentFile(
    of received: ReceivedContent, _ scratch: ScratchFile
  ) -> (paths: [[UInt8]], content: ScratchFile?) {
    scratch.rename(for: received.requested)
    return ([scratch.path], scratch)
  }
}
