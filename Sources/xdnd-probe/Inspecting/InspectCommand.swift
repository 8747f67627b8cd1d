import ArgumentParser
import RawPeer
import ToolSupport
import XDnD

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Say what takes drops, and what would happen to a drag.",
    discussion: """
      Of a window: whether it takes drops, in which version, over which proxy, what
      covers it, and in words what would happen to a drag there. Without a window:
      the desktop, and all windows that take drops.

        xdnd-probe inspect
        xdnd-probe inspect pick
        xdnd-probe inspect Files --at 40,60
        xdnd-probe inspect 0x1e00007 --format json

      Exit codes: 0 it takes drops, 2 nothing was picked, 3 it takes none,
      64 wrong arguments, 69 no display, 74 server lost.
      """)

  /// The output format.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @Argument(help: ArgumentHelp("Its number, its name, or pick to click on it.", valueName: "window"))
  var window: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Where in the window a drag would be. (default: its middle)", valueName: "x,y"))
  var at: WindowPlace?

  @Option(name: .long, parsing: .unconditional, help: "How to print.")
  var format: Format = .text

  @Option(
    name: .long, parsing: .unconditional, help: ArgumentHelp("The X server; by default $DISPLAY.", valueName: "display")
  )
  var display: String?

  func validate() throws {
    if at != nil, window == nil { throw ValidationError("--at is a place in a window") }
  }

  func run() throws {
    guard let peer = RawPeer(connectingTo: display) else {
      Reporter.complain("xdnd-probe", "cannot connect to the display")
      throw ExitCode(ExitStatus.noDisplay.rawValue)
    }
    let reporter = Reporter(format: format == .json ? .json : .text)
    guard let window else {
      let desktop = Desktop(peer)
      reporter.print(desktop.report)
      for target in desktop.targets { reporter.print(target.report) }
      if peer.isClosed { throw ExitCode(ExitStatus.serverLost.rawValue) }
      return
    }
    let chosen: WindowID
    do {
      chosen = try WindowChoice(argument: window).resolve(on: peer.display)
    } catch {
      Reporter.complain("xdnd-probe", error.sentence)
      throw ExitCode(error.status.rawValue)
    }
    guard let inspected = InspectedWindow(peer, chosen, at: at?.point) else {
      Reporter.complain("xdnd-probe", "the window \(chosen) is gone")
      throw ExitCode((peer.isClosed ? ExitStatus.serverLost : .noTarget).rawValue)
    }
    reporter.print(inspected.report)
    if !inspected.takesDrops { throw ExitCode(ExitStatus.noTarget.rawValue) }
  }
}
