import ArgumentParser
import DragConformance
import DragRecording
import Glibc
import ScriptedClient
import ToolSupport
import ToolWindow
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
      4 no drag in time, 5 peer exited, 64 usage error, 69 no display,
      74 server lost.
      """)

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Check the drop target in this window: its number, part of its name, or 'pick'.", valueName: "window"))
  var target: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Position in the --target window. (default: its center)", valueName: "x,y"))
  var at: WindowPlace?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Check only these rules, separated by commas.", valueName: "rules"), transform: RuleChoice.init)
  var rule: RuleChoice?

  @Flag(name: .long, help: "List the rules and exit.")
  var list = false

  @Option(name: .long, parsing: .unconditional, help: "Output format.")
  var format: ResultFormat = .text

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Write a recording for xdnd-probe draw and replay.", valueName: "file"))
  var save: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Exit after this many seconds, with status 4 if there was no drag.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  var timeout: Double?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Size and position of the window, such as 300x200+40+40.", valueName: "geometry"),
    transform: Geometry.argument)
  var geometry: Geometry?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("X server to connect to. (default: $DISPLAY)", valueName: "display")
  )
  var display: String?

  func validate() throws {
    if at != nil, target == nil { throw ValidationError("--at needs --target") }
    if target != nil, geometry != nil { throw ValidationError("--geometry cannot be used with --target") }
  }

  func run() throws {
    let side = target == nil ? ConformanceRule.Side.source : .target
    let chosen = rule?.rules ?? (list ? ConformanceRule.all : ConformanceRule.all(of: side))
    let printer = RuleResultPrinter(format: format)
    if list { return printer.list(chosen) }
    let peer = try connectedClient(to: display)
    let window: WindowID?
    do {
      window = try target.map { name throws(WindowChoice.Failure) in
        try WindowChoice(argument: name).resolve(on: peer.display)
      }
    } catch {
      Reporter.complain("xdnd-probe", error.sentence)
      throw ExitCode(error.status.rawValue)
    }
    EndSignals.take()
    let limit = timeout.map { ContinuousClock.now + .milliseconds(Int64($0 * 1000)) }
    let evidence: (recording: Recording, status: ExitStatus?)
    if let window {
      guard let examination = TargetExamination(peer, window, at: at?.point, until: limit, rules: chosen) else {
        Reporter.complain("xdnd-probe", "window \(window) does not accept drops")
        throw ExitCode(ExitStatus.noTarget.rawValue)
      }
      evidence = examination.run()
    } else {
      evidence = SourceExamination(peer, geometry: geometry, until: limit, printer: printer).run()
    }
    try keep(evidence.recording)
    throw ExitCode(conclude(evidence, chosen, printer).rawValue)
  }

  /// Prints the results and returns the exit status.
  private func conclude(
    _ evidence: (recording: Recording, status: ExitStatus?), _ rules: [ConformanceRule], _ printer: RuleResultPrinter
  ) -> ExitStatus {
    let (recording, status) = evidence
    let checker = ConformanceChecker(role: recording.role, entries: recording.entries, frame: recording.target?.frame)
    let results = rules.filter { $0.side == checker.side }.map(checker.result(for:))
    // An XdndDrop without an XdndEnter counts as a drag, because it must be checked too.
    let hasDragged = recording.entries.contains {
      guard case .message(let message) = $0.event.action else { return false }
      return [.enter, .position, .leave, .drop].contains(message.kind)
    }
    guard hasDragged || status == nil else {
      if let status {
        Reporter.complain(
          "xdnd-probe", status == .timedOut ? "no drag was observed" : "no drag was observed: \(status.word)")
      }
      return status ?? .timedOut
    }
    printer.print(results, of: recording.peer)
    if let status, status != .timedOut { return status }
    return results.contains { $0.outcome == .broken } ? .refused : .dropped
  }

  private func keep(_ recording: Recording) throws {
    guard let save else { return }
    guard let file = fopen(save, "w") else {
      Reporter.complain("xdnd-probe", "cannot write '\(save)': \(String(cString: strerror(errno)))")
      throw ExitCode(ExitStatus.usage.rawValue)
    }
    let text = Array(recording.text.utf8)
    let written = fwrite(text, 1, text.count, file)
    guard fclose(file) == 0, written == text.count else {
      Reporter.complain("xdnd-probe", "cannot write '\(save)': \(String(cString: strerror(errno)))")
      throw ExitCode(ExitStatus.transferFailed.rawValue)
    }
  }
}

/// The value of `--rule`.
struct RuleChoice: Sendable {
  let rules: [ConformanceRule]

  @Sendable init(_ argument: String) throws {
    rules = try argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let rule = ConformanceRule.named(String(name)) else {
        throw ValidationError("unknown rule '\(name)'; use --list to list the rules")
      }
      return rule
    }
  }
}
