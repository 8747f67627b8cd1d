import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD
import ArgumentParser

/// Runs the `--exec` command for each drop.
final class CommandRunner {
  /// How a command has ended.
  struct End {
    /// The reason for a failure; `nil` if the command succeeded.
    let failure: DropFailure?
    /// Whether the user has stopped it.
    let isStopped: Bool
    /// For display, instead of the drop's result: `command failed: status 3`; `nil` if the command succeeded.
    let words: String?
    /// For display: `after 3 s`.
    let details: String
  }

  private struct Command {
    let process: Subprocess
    var isStopped = false
    /// The file with the content, removed with this value; `nil` if the arguments are dropped files.
    let content: ScratchFile?
  }

  private let template: CommandTemplate
  private let reporter: Reporter
  private let loop: EventLoop
  private let scratch = ScratchSpace()
  /// The running commands, by drop.
  private var commands: [ObjectIdentifier: Command] = [:]

  init(_ template: CommandTemplate, reporter: Reporter, on loop: EventLoop) {
    self.template = template
    self.reporter = reporter
    self.loop = loop
  }

  /// The command, for display.
  var name: String { Formatting.visible(template.argument) }

  var isIdle: Bool { commands.isEmpty }

  /// Terminates all commands and removes their files.
  func stop() {
    for command in commands.values { command.process.terminate() }
    scratch.removeAll()
  }

  /// Ends the command for a drop at the user's request.
  func end(of drop: any ProbeDrop) {
    guard let command = commands[ObjectIdentifier(drop)] else { return }
    commands[ObjectIdentifier(drop)]?.isStopped = true
    command.process.terminate()
  }

  func makeFile() throws(DropFailure) -> ScratchFile {
    guard let file = scratch.makeFile() else { throw DropFailure("cannot create a temporary file in $TMPDIR") }
    return file
  }

  /// - Parameters:
  ///   - scratch: The file with the content.
  ///   - completion: Called when the command has ended, if this object still exists.
  /// - Returns: The output of the command.
  func run(
    with received: ReceivedContent, in scratch: ScratchFile, of drop: any ProbeDrop, as operation: DragOperation,
    completion: @escaping (End) -> Void
  ) throws(DropFailure) -> CommandStreams {
    let id = ObjectIdentifier(drop)
    // The arguments are the paths of dropped local files. For content, and for lists of only remote links, the argument
    // is the tool's own file, which is also the input. Nothing else that a source wrote becomes an argument.
    let paths = try localPaths(of: received)
    let content = paths == nil ? scratch : nil
    content?.rename(for: received.requested)
    let arguments = paths ?? [scratch.path]
    guard let streams = CommandStreams(on: loop),
      let process = start(arguments, content, received.requested, operation, streams)
    else { throw DropFailure("cannot start the command '\(template.argument)'") }
    streams.begin()
    let (name, start) = (name, ContinuousClock.now)
    commands[id] = Command(process: process, content: content)
    reporter.print(
      "exec-began", "Running \(name).",
      [
        "command": .string(template.argument), "process": .integer(Int(process.id)),
        "files": .strings(arguments.map { String(decoding: $0, as: UTF8.self) }),
      ])
    loop.onEnd(of: process.id) { [weak self, reporter, template] status in
      streams.finish()
      let command = self?.commands.removeValue(forKey: id)
      let isStopped = command?.isStopped ?? false
      let (code, signal) = (status >> 8 & 0xFF, status & 0x7F)
      let words = signal == 0 ? "exited with status \(code)" : "killed by signal \(signal)"
      reporter.print(
        "exec-ended", "\(name): \(words).",
        [
          "process": .integer(Int(process.id)), "status": signal == 0 ? .integer(Int(code)) : nil,
          "signal": signal == 0 ? nil : .integer(Int(signal)), "stopped": isStopped ? true : nil,
        ])
      guard command != nil else { return }
      let time = Self.words(for: .now - start)
      let failure: DropFailure? =
        isStopped
        ? .cancelledByUser : status == 0 ? nil : DropFailure("\(template.argument): \(words)")
      completion(
        End(
          failure: failure, isStopped: isStopped,
          words: isStopped
            ? "stopped" : status == 0 ? nil : "command failed: \(signal == 0 ? "status \(code)" : words)",
          details: status == 0 ? "exit status 0, \(time)" : "after \(time)"))
    }
    return streams
  }

  /// Returns a duration as text: `0.2 s`, `12 s`, `2 min 5 s`.
  static func words(for duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 10 else { return "\(seconds).\(attoseconds / 100_000_000_000_000_000) s" }
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }

  /// Returns the local files of a list; `nil` if the content itself is to be passed to the command.
  private func localPaths(of received: ReceivedContent) throws(DropFailure) -> [RawPath]? {
    guard DecodedContent.isList(received.requested) else { return nil }
    guard case .files(let files)? = received.decoded else { throw DropFailure(received.unreadableReason) }
    let paths = files.compactMap(\.rawPath)
    if paths.isEmpty, files.contains(where: { if case .remote = $0.entry { true } else { false } }) { return nil }
    let leftOut = files.compactMap { file in file.entry.noFileReason.map { LeftOut(uri: file.uri, reason: $0) } }
    if !leftOut.isEmpty { reporter.print(.leftOut(leftOut)) }
    guard !paths.isEmpty else { throw DropFailure("the drop contains no file on this host", .refused) }
    return paths
  }

  private func start(
    _ arguments: [RawPath], _ content: ScratchFile?, _ type: ContentType, _ operation: DragOperation,
    _ streams: CommandStreams
  ) -> Subprocess? {
    let input = content.map { (try? openFile($0.path, O_RDONLY)) ?? -1 }
    guard input != -1 else { return nil }
    defer { if let input { close(input) } }
    return try? Subprocess(
      shell: RawArgument.bytes(of: template.script), arguments: arguments,
      environment: [
        ("XDND_TYPE", Array(type.name.utf8)), ("XDND_ACTION", Array(operation.description.utf8)),
        ("XDND_FILE", arguments.first ?? []),
      ], input: input, output: streams.ends, inheriting: content.map { [$0.lock] } ?? [])
  }
}

/// The value of `--exec`: a shell command in which `{}` stands for the dropped files.
///
/// File names never become part of the command text, where the shell could execute them. They are passed as arguments,
/// and `{}` is replaced by `"$@"`.
struct CommandTemplate: Sendable {
  /// The command as given.
  let argument: String
  /// The command for the shell.
  let script: String

  @Sendable init(argument: String) throws {
    guard argument.contains(where: { !$0.isWhitespace }) else { throw ValidationError("expected a shell command") }
    self.argument = argument
    var script = ""
    var quote: Character?
    var rest = Substring(argument)
    while let character = rest.popFirst() {
      if character == "\\", quote != "'", let next = rest.popFirst() {
        script.append(character)
        script.append(next)
        continue
      }
      if character == "'" || character == "\"", quote == nil || quote == character {
        quote = quote == nil ? character : nil
      }
      // Within single quotes, `{}` belongs to something else, such as an awk program.
      guard character == "{", rest.first == "}", quote != "'" else {
        script.append(character)
        continue
      }
      let next = rest.dropFirst().first
      guard quote == nil, Self.ends(script.last), Self.ends(next) else {
        throw ValidationError("{} must be a word of its own, without quotes; it is quoted automatically")
      }
      rest.removeFirst()
      script += "\"$@\""
    }
    self.script = script
  }

  /// Whether a word ends next to this character.
  private static func ends(_ neighbor: Character?) -> Bool {
    neighbor.map { $0.isWhitespace || ";|&()<>`".contains($0) } ?? true
  }
}
