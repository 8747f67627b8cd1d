import ArgumentParser
import XDnDToolSupport
import XDnD

/// What is fetched, and from where.
struct ReadingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Types to accept, best first: image/png,image/*.", valueName: "types"),
    transform: AcceptArgument.types)
  var accept: [ContentType]?

  @Flag(help: "Fetch all offered types.")
  var all = false

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("Take drops on this window: ID, name or 'pick'.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var window: WindowChoice?

  @Flag(exclusivity: .exclusive)
  var clipboard: ClipboardChoice?
}
