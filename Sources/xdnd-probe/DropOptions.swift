import ArgumentParser
import ToolSupport

/// The options that say what is done with a drop, and with how many.
struct DropOptions: ParsableArguments {
  @Option(
    name: .customLong("exec"), parsing: .unconditional,
    help: ArgumentHelp(
      "Run a command of the shell with each drop: {} are the dropped files, or one with the content, which is also the "
        + "command's standard input. The source is told that all is well if it ends with 0.", valueName: "command"),
    transform: CommandTemplate.init(argument:))
  var command: CommandTemplate?

  @Flag(name: .customLong("confirm"), help: "Show what was dropped, and ask before anything is done with it.")
  var confirms = false

  @Flag(name: .customLong("keep"), help: "Let what was dropped be dragged out of the window again.")
  var keeps = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("End after so many drops; 0 as the exit code if all went well.", valueName: "drops"))
  var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count has to be at least 1") }
  }
}
