import ArgumentParser
import DragConformance
import DragRecording
import Glibc
import RawPeer
import ToolSupport
import ToolWindow
import XDnD

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say which rules of the protocol another program keeps.",
    discussion: """
      Opens a window to drop on and judges the program that drops there; with
      --target, drags over that window without a pointer and judges it. Prints one
      line for each rule: pass, broken, advice (the specification only asks for it,
      or it helps a peer that does wrong) or not-seen, and what was seen, or why
      nothing was.

        xdnd-probe check
        xdnd-probe check --target 0x1e00007
        xdnd-probe check --target Files --at 40,60 --save drag.jsonl
        xdnd-probe check --rule drop-time,uri-list-form --format junit > report.xml
        xdnd-probe check --list

      A target is sent text and a file of a temporary directory, as by a user. At
      the end it is refused all content once, and once it gets no answer, for up to
      12 seconds each; --rule without refusal-ends-drop and silence-ends-drop leaves
      that out.

      Exit codes: 0 no rule was broken, 1 some were, 2 cancelled, 3 no window that
      takes drops, 4 no drag in time, 5 the other side died, 64 wrong arguments,
      69 no display, 74 server lost.
      """)

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Judge what takes drops in a window: its number, its name, or pick.", valueName: "window"))
  var target: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Where in the window of --target. (default: its middle)", valueName: "x,y"))
  var at: WindowPlace?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Look for these rules only; with commas.", valueName: "rules"), transform: RuleChoice.init)
  var rule: RuleChoice?

  @Flag(name: .long, help: "Print the rules, and end.")
  var list = false

  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format: ResultFormat = .text

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Keep what was seen, for xdnd-probe draw and replay.", valueName: "file"))
  var save: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("End after so many seconds; with code 4 if there was no drag.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  var timeout: Double?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Size and place of the window, as in 300x200+40+40.", valueName: "geometry"),
    transform: Geometry.argument)
  var geometry: Geometry?

  @Option(
    name: .long, parsing: .unconditional, help: ArgumentHelp("The X server; by default $DISPLAY.", valueName: "display")
  )
  var display: String?

  func validate() throws {
    if at != nil, target == nil { throw ValidationError("--at is a place in the window of --target") }
    if target != nil, geometry != nil { throw ValidationError("with --target there is no window for --geometry") }
  }

  func run() throws {
    let side = target == nil ? ConformanceRule.Side.source : .target
    let chosen = rule?.rules ?? (list ? ConformanceRule.all : ConformanceRule.all(of: side))
    let printer = RuleResultPrinter(format: format)
    if list { return printer.list(chosen) }
    guard let peer = RawPeer(connectingTo: display) else {
      Reporter.complain("xdnd-probe", "cannot connect to the display")
      throw ExitCode(ExitStatus.noDisplay.rawValue)
    }
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
        Reporter.complain("xdnd-probe", "the window \(window) takes no drops")
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
      return ["XdndEnter", "XdndPosition", "XdndLeave", "XdndDrop"].contains(message.type.rawValue)
    }
    guard hasDragged || status == nil else {
      if let status {
        Reporter.complain("xdnd-probe", status == .timedOut ? "there was no drag" : "there was no drag: \(status.word)")
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
      Reporter.complain("xdnd-probe", "cannot write \(save): \(String(cString: strerror(errno)))")
      throw ExitCode(ExitStatus.usage.rawValue)
    }
    let text = Array(recording.text.utf8)
    let written = fwrite(text, 1, text.count, file)
    guard fclose(file) == 0, written == text.count else {
      Reporter.complain("xdnd-probe", "cannot write \(save): \(String(cString: strerror(errno)))")
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
        throw ValidationError("there is no rule '\(name)'; --list prints them")
      }
      return rule
    }
  }
}
