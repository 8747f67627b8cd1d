import ArgumentParser
import XDnDConformance
import XDnDToolSupport
import XDnDToolWindow
import XDnD

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a program against the rules of XDND.",
    discussion: """
      Opens a drop target window and checks the program that drops there; with
      --target, drags over that window without a pointer and checks its program.
      Prints one line per rule: pass, broken, advice (recommended only) or not-seen,
      with the evidence.

        xdnd-probe check
        xdnd-probe check --target 0x1e00007
        xdnd-probe check --target Files --at 40,60 --save drag.jsonl
        xdnd-probe check --rule drop-time,uri-list-form --format junit > report.xml
        xdnd-probe check --list

      A target is sent text and a file of a temporary directory, as by a user. The
      last two drops refuse all content and answer no request, for up to 12 seconds
      each; --rule without refusal-ends-drop and silence-ends-drop skips them.

      Exit status: 0 no rule broken, 1 rules broken, 2 cancelled, 3 no drop target,
      4 no drag in time, 5 program exited, 64 usage error, 69 no display,
      74 server lost.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Check the drop target in this window: its number, part of its name, or 'pick'.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var target: WindowChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Position in the --target window. (default: its center)", valueName: "x,y"))
  var at: Point?

  @Option(
    name: .customLong("rule"), parsing: .unconditional,
    help: ArgumentHelp("Check only these rules, separated by commas.", valueName: "rules"), transform: Self.rules)
  var rules: [ConformanceRule]?

  @Flag(help: "List the rules and exit.")
  var list = false

  @Option(parsing: .unconditional, help: "Output format.")
  var format: ResultFormat = .text

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Write a recording for xdnd-probe draw and replay.", valueName: "file"),
    transform: RawArgument.bytes)
  var save: [UInt8]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit after this many seconds, with status 4 if there was no drag.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Size and position of the window, such as 300x200+40+40.", valueName: "geometry"),
    transform: Geometry.argument)
  var geometry: Geometry?

  @OptionGroup var server: ClientOptions

  func validate() throws {
    if save == Array("-".utf8) { throw ValidationError("--save needs a file: the results go to standard output") }
    if at != nil, target == nil { throw ValidationError("--at needs --target") }
    if target != nil, geometry != nil { throw ValidationError("--geometry cannot be used with --target") }
    let others = (rules ?? []).filter { $0.side != side }
    guard !list, let other = others.first else { return }
    throw ValidationError(
      side == .target
        ? "the rule '\(other.id)' is about drag sources, and --target checks a drop target"
        : "the rule '\(other.id)' is about drop targets, which --target checks")
  }

  private var side: ConformanceRule.Side { target == nil ? .source : .target }

  func run() throws {
    let chosen = rules ?? (list ? ConformanceRule.all : ConformanceRule.all(of: side))
    let printer = RuleResultPrinter(format: format)
    if list { return printer.list(chosen) }
    let file = try save.map { try LineFile($0) }
    let client = try server.connect()
    let window = try target?.resolve(by: client, within: timeout)
    TerminationSignals.handle()
    let limit = timeout.map { ContinuousClock.now + .milliseconds(Int64($0 * 1000)) }
    let (recording, status): (Recording, ExitStatus?)
    if let window {
      guard let prober = TargetProber(client, window, at: at, until: limit, rules: chosen) else {
        throw ExitCode(.noTarget, because: "window \(window) does not accept drops")
      }
      printer.began()
      (recording, status) = prober.run()
    } else {
      (recording, status) = SourceProber(client, geometry: geometry, until: limit, printer: printer).run()
    }
    let result = conclude(recording, status, chosen, printer)
    try file?.write(recording.text, as: "'\(RawArgument.string(save ?? []))'")
    throw ExitCode(result)
  }

  /// - Parameter status: Why the prober ended early; `nil` if it did not.
  private func conclude(
    _ recording: Recording, _ status: ExitStatus?, _ rules: [ConformanceRule], _ printer: RuleResultPrinter
  ) -> ExitStatus {
    // An XdndDrop without an XdndEnter counts as a drag, because it must be checked too.
    let hasDragged = recording.entries.contains {
      guard case .message(let message) = $0.event.action else { return false }
      return [.enter, .position, .leave, .drop].contains(message.kind)
    }
    if !hasDragged, let status {
      Reporter.printError(
        "xdnd-probe", status == .timedOut ? "no drag was observed" : "no drag was observed: \(status.word)")
      return status
    }
    let checker = ConformanceChecker(role: recording.role, entries: recording.entries, frame: recording.target?.frame)
    let results = rules.filter { $0.side == checker.side }.map(checker.result(for:))
    printer.print(results, of: recording.peer)
    if let status, status != .timedOut { return status }
    return results.contains { $0.outcome == .broken } ? .refused : .dropped
  }

  @Sendable private static func rules(_ argument: String) throws -> [ConformanceRule] {
    try argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let rule = ConformanceRule.named(String(name)) else {
        throw ValidationError("unknown rule '\(name)'; use --list to list the rules")
      }
      return rule
    }
  }
}
