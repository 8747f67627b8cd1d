import ArgumentParser
import XDnDToolSupport

/// Where fetched content is written.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("output"), parsing: .unconditional,
    help: ArgumentHelp("Write the content to a file; - is standard output.", valueName: "file"))
  var file: String?

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Report the SHA-256 checksum of each dropped file, computed in the background.", visibility: .hidden))
  var checksum = false
}

/// What is done with each drop, and how many are taken.
struct DropOptions: ParsableArguments {
  @Option(
    name: .customLong("exec"), parsing: .unconditional,
    help: ArgumentHelp(
      "Run a command per drop. {} is its files, or a file of the content, which is also the input; 0 is success.",
      valueName: "command"),
    transform: CommandTemplate.init(argument:))
  var command: CommandTemplate?

  @Flag(name: .customLong("confirm"), help: "Show each drop and ask before accepting it.")
  var confirms = false

  @Flag(name: .customLong("keep"), help: "Allow dragging dropped content out of the window.")
  var keeps = false

  @Option(
    name: .customLong("history-size"), parsing: .unconditional,
    help: ArgumentHelp(
      "Memory for past drops, used by --keep and picture previews. (default: 64M)", valueName: "size",
      visibility: .hidden), transform: SizeArgument.bytes)
  var historySize: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Exit after this number of drops.", valueName: "drops"))
  var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }
}
