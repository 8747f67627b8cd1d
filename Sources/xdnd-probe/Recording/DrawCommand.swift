import ArgumentParser
import DragConformance
import DragRecording
import Glibc
import ToolSupport

struct DrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw a recorded drag as a sequence diagram.",
    usage: "xdnd-probe draw <recording> [-o <file.svg>]",
    discussion: """
      Draws what a recording has as an SVG picture for a bug report.

        xdnd-probe record --once -o drag.jsonl
        xdnd-probe draw drag.jsonl -o drag.svg
        xdnd-probe record --once | xdnd-probe draw - | rsvg-convert > drag.png

      Positions that repeat themselves are drawn once, with how many there are. What was refused is red. Long waits are \
      marked, and so are the rules of xdnd-probe check that the other side has broken, in red, and advice that it has \
      not followed, in yellow. Light or dark: as its reader is.

      Exit codes: 0 drawn, 6 not written, 64 wrong arguments or no recording.
      """)

  @Argument(help: "What xdnd-probe record has written; - is standard input.", transform: RawArgument.bytes)
  var recording: [UInt8]

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The picture; by default standard output.", valueName: "file.svg"), transform: RawArgument.bytes)
  var output: [UInt8]?

  func run() throws {
    let drag = try RecordingFile.read(recording)
    let results = ConformanceChecker(role: drag.role, entries: drag.entries, frame: drag.target?.frame).results()
    let picture = drag.svg(
      noting: results.filter { $0.outcome == .broken || $0.outcome == .advice }.map {
        Remark($0.rule.id, at: $0.entry, $0.evidence, isAdvice: $0.outcome == .advice)
      })
    guard try LineFile(output).write(picture) else {
      Reporter.complain("xdnd-probe", "the picture cannot be written: \(String(cString: strerror(errno)))")
      throw ExitCode(ExitStatus.transferFailed.rawValue)
    }
  }
}
