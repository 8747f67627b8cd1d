import ArgumentParser
import ToolSupport
import ToolWindow

@main
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xdnd-probe",
    abstract: "Take drops into a terminal, and show what a drag offers and does.",
    version: "0.1.0",
    subcommands: [
      WindowCommand.self, InspectCommand.self, CheckCommand.self, RecordCommand.self, ReplayCommand.self,
      DrawCommand.self,
    ],
    defaultSubcommand: WindowCommand.self)

  static func main() {
    FontPreparation.begin()
    runAsTool()
  }
}
