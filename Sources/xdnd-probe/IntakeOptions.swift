import ArgumentParser
import ToolSupport

/// What is fetched, and from where.
struct IntakeOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Types, best first: image/png,image/*,*/*; by default files, then the richest type.", valueName: "types"),
    transform: AcceptedTypes.init(argument:))
  var accept: AcceptedTypes?

  @Flag(name: .long, help: "Fetch every type that is offered.")
  var all = false

  @Flag(exclusivity: .exclusive)
  var clipboard: ClipboardChoice?
}
