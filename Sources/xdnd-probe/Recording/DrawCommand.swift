import ArgumentParser
import XDnDConformance
import XDnDToolSupport

struct DrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw a recorded drag as a sequence diagram.",
    usage: "xdnd-probe draw <recording> [-o <file.svg>]",
    discussion: """
      Draws a recording as an SVG sequence diagram, for example for a bug report.

        xdnd-probe record --once -o drag.jsonl
        xdnd-probe draw drag.jsonl -o drag.svg
        xdnd-probe record --once | xdnd-probe draw - | rsvg-convert > drag.png

      Repeated positions are drawn once with their number. Refusals are red. Long waits, rules that the other program broke (red) \
      and advice that it did not follow (yellow) are marked. The diagram follows the viewer's light or dark color scheme.

      Exit status: 0 drawn, 6 write error, 64 usage error or invalid recording.
      """)

  @Argument(help: "A recording made by xdnd-probe record; - is standard input.", transform: RawArgument.bytes)
  var recording: [UInt8]

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Output file. (default: standard output)", valueName: "file.svg"), transform: RawArgument.bytes)
  var output: [UInt8]?

  func run() throws {
    let drag = try Recording.read(recording)
    let results = ConformanceChecker(role: drag.role, entries: drag.entries, frame: drag.target?.frame).results()
    let picture = drag.svg(
      noting: results.filter { $0.outcome == .broken || $0.outcome == .advice }.map {
        Remark($0.rule.id, at: $0.entry, $0.evidence, isAdvice: $0.outcome == .advice)
      })
    let name = output.map { "'\(RawArgument.string($0))'" } ?? "standard output"
    try LineFile(output).write(picture, as: name)
  }
}
