import ArgumentParser
import ToolSupport

/// Where fetched content is written.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("output"), parsing: .unconditional,
    help: ArgumentHelp("Write it to a file; - is standard output.", valueName: "file"))
  var file: String?

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Report the SHA-256 of each dropped file as well, when it is known; the drop does not wait for it.",
      visibility: .hidden))
  var checksum = false
}

/// What is done with each drop, and how many are taken.
struct DropOptions: ParsableArguments {
  @Option(
    name: .customLong("exec"), parsing: .unconditional,
    help: ArgumentHelp(
      "Run a command with it: {} are the files, or one with the content, which is its input as well; 0 is success.",
      valueName: "command"),
    transform: CommandTemplate.init(argument:))
  var command: CommandTemplate?

  @Flag(name: .customLong("confirm"), help: "Show it, and ask before anything is done with it.")
  var confirms = false

  @Flag(name: .customLong("keep"), help: "Let it be dragged out of the window again.")
  var keeps = false

  @Option(
    name: .customLong("history-size"), parsing: .unconditional,
    help: ArgumentHelp(
      "How many bytes of past drops the window holds, for --keep and for pictures. (default: 64M)", valueName: "size",
      visibility: .hidden), transform: SizeArgument.bytes)
  var historySize: Int?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("End after so many drops.", valueName: "drops"))
  var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count has to be at least 1") }
  }
}
