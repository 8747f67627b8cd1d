import ArgumentParser
import XDnDToolSupport

@main
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xdnd-probe",
    abstract: "Receive drops in a terminal, and inspect drags.",
    version: toolVersion,
    subcommands: [
      WindowCommand.self, CheckCommand.self, InspectCommand.self, RecordCommand.self, ReplayCommand.self,
      DrawCommand.self,
    ],
    defaultSubcommand: WindowCommand.self)

  static func main() {
    if let help = help(ifAskedBy: CommandLine.arguments.dropFirst().map(\.self)) {
      print(help)
      return
    }
    runAsTool(windowless: [
      "check", "inspect", "record", "replay", "draw", "help", "--clipboard", "--primary", "--for", "--version",
    ])
  }
}
