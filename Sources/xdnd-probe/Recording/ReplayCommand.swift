import ArgumentParser
import XDnDConformance
import XDnDToolSupport
import XDnDToolWindow
import XDnD

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a recorded drag against a live program.",
    usage: """
      xdnd-probe replay <recording> --to <window> [<options>]
      xdnd-probe replay <recording> [<options>]
      """,
    discussion: """
      Acts as one side of a recording: sends the same messages in the same order, with the same content. Then reports \
      where the live program differed from the recorded one.

        xdnd-probe replay drag.jsonl --to gedit
        xdnd-probe replay drag.jsonl --to 0x1200003 --speed recorded -o again.jsonl
        xdnd-probe replay answers.jsonl --geometry 300x300+600+60

      By default, replays the side that was not the recorder. A source needs --to; its positions are relative to the \
      window. A target opens a window and waits for a drag.

      Exit status: 0 same behavior, 1 different behavior, 2 cancelled, 3 no drop target, 4 timed out, 5 live program \
      exited, 6 write error, 64 usage error, 69 no display, 74 server lost.
      """)

  enum Speed: String, CaseIterable, ExpressibleByArgument {
    /// With the recorded pauses.
    case recorded
    /// Without pauses.
    case fast
  }

  @Argument(help: "A recording made by xdnd-probe record; - is standard input.", transform: RawArgument.bytes)
  var recording: [UInt8]

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The window to drop on: its number, part of its name, or 'pick'.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var to: WindowChoice?

  @Option(
    name: .customLong("as"), parsing: .unconditional,
    help: ArgumentHelp("Side to replay: source or target.", valueName: "end"),
    transform: {
      guard let role = Recording.Role(rawValue: $0) else { throw ValidationError("expected source or target") }
      return role
    })
  var side: Recording.Role?

  @Option(parsing: .unconditional, help: "Pace of the replay: recorded, or fast (no pauses).")
  var speed = Speed.fast

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Write a recording of this run.", valueName: "file"), transform: RawArgument.bytes)
  var output: [UInt8]?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Timeout for each answer.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  var patience = 5.0

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Exit after this many seconds, with status 4.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Size and position of a target's window. (default: as recorded)", valueName: "geometry"),
    transform: Geometry.argument)
  var geometry: Geometry?

  @Flag(help: "Print one JSON object per line instead of text.")
  var json = false

  @OptionGroup var server: ClientOptions

  func run() throws {
    let recorded = try Recording.read(recording)
    let side = side ?? recorded.role.other
    let script = ReplayScript(recorded, as: side)
    guard script.steps.contains(where: \.isOwn) else {
      throw ValidationError("\(RawArgument.string(recording)) contains no action of a \(side.rawValue) to replay")
    }
    if let name = recorded.entries.lazy.flatMap(\.event.action.atomNames).first(where: { !$0.isValid }) {
      throw ValidationError(
        "\(RawArgument.string(recording)) cannot be replayed: no atom has a name of more than "
          + "\(AtomName.maximumByteCount) bytes or with a NUL, such as '\(name.rawValue.prefix(40))…'")
    }
    guard (side == .source) == (to != nil) else {
      throw ValidationError(
        side == .source ? "replaying a source needs --to" : "replaying a target cannot be used with --to")
    }
    let file = try output.map { try LineFile($0) }
    let client = try server.connect()
    let window = try to?.resolve(by: client, within: timeout)
    TerminationSignals.handle()
    // If the recording goes to standard output, reports go to standard error.
    let reporter = Reporter(json: json, toStandardError: output == Array("-".utf8))
    let run = ReplayRun(
      script, of: recorded, by: client, isPaced: speed == .recorded, patience: .milliseconds(Int64(patience * 1000)),
      limit: timeout.map { .now + .milliseconds(Int64($0 * 1000)) }, reporter: reporter)
    let status: ExitStatus
    do throws(ReplayRun.End) {
      if let window {
        try SourceReplay(run, on: window).perform()
      } else {
        try TargetReplay(run, geometry: geometry).perform()
      }
      status = run.compare()
    } catch {
      status = run.end(error)
    }
    var live = run.recorder.recording
    live.display = server.displayName
    try file?.write(live.text, as: "the recording")
    throw ExitCode(status)
  }
}

extension WireEvent.Action {
  /// The names of the atoms in an action.
  fileprivate var atomNames: [AtomName] {
    switch self {
    case .message(let message): [message.type] + message.names.values
    case .conversion(let conversion), .converted(let conversion):
      [conversion.selection] + [conversion.target, conversion.property].compactMap(\.self)
    case .owner(let selection, _, _): [selection]
    case .property(let property): [property.name] + ([property.type] + property.names).compactMap(\.self)
    case .vanished: []
    }
  }
}

extension ReplayScript.Step {
  fileprivate var isOwn: Bool {
    switch action {
    case .send, .convert: true
    case .receive, .disown, .destroyWindow: false
    }
  }
}
