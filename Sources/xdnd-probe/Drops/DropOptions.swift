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
      "Report the SHA-256 checksums of what is received, and of dropped files.", visibility: .hidden))
  var checksum = false
}

/// What is done with each drop, and how many are taken.
struct DropOptions: ParsableArguments {
  @Option(
    name: .customLong("exec"), parsing: .unconditional,
    help: ArgumentHelp("Run a command for each drop; {} is its files.", valueName: "command"),
    transform: CommandTemplate.init(argument:))
  var command: CommandTemplate?

  @Flag(name: .customLong("confirm"), help: "Show each drop and ask before accepting it.")
  var confirms = false

  @Option(
    name: .customLong("history-size"), parsing: .unconditional,
    help: ArgumentHelp(
      "Memory for the content of past drops, to show it and to drag it on. (default: 64M)", valueName: "size",
      visibility: .hidden), transform: SizeArgument.bytes)
  var historySize: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit after this number of drops.", valueName: "drops", visibility: .hidden))
  var count: Int?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }
}
