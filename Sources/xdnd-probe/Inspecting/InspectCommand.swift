import ArgumentParser
import XDnDConformance
import XDnDToolSupport
import XDnD

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show drop targets, and what would happen to a drag.",
    discussion: """
      For a window: whether it accepts drops, its XDND version and proxy, the
      windows that cover it, and what would happen to a drag there. Without a
      window: the desktop, and all windows that accept drops.

        xdnd-probe inspect
        xdnd-probe inspect pick
        xdnd-probe inspect Files --at 40,60
        xdnd-probe inspect 0x1e00007 --format json

      Exit status: 0 accepts drops, 2 nothing was picked, 3 does not accept drops,
      64 usage error, 69 no display, 74 server lost.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Argument(
    help: ArgumentHelp("Window number, part of its name, or 'pick' to click on it.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var window: WindowChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Position of the drag in the window. (default: its center)", valueName: "x,y"))
  var at: Point?

  @Option(parsing: .unconditional, help: "Output format.")
  var format: Format = .text

  @OptionGroup var server: ClientOptions

  func validate() throws {
    if at != nil, window == nil { throw ValidationError("--at needs a window") }
  }

  func run() throws {
    let client = try server.connect()
    let reporter = Reporter(json: format == .json)
    guard let window else {
      let targets = Desktop.targets(client)
      reporter.print(Desktop.report(client, targetCount: targets.count))
      for target in targets { reporter.print(target.report) }
      if client.isClosed { throw ExitCode(.serverLost) }
      return
    }
    let chosen = try window.resolve(by: client)
    guard let inspected = InspectedWindow(client, chosen, at: at) else {
      throw ExitCode(client.isClosed ? .serverLost : .noTarget, because: "window \(chosen) does not exist")
    }
    reporter.print(inspected.report)
    if !inspected.takesDrops { throw ExitCode(.noTarget) }
  }
}
