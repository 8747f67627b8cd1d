import XDnDToolSupport
import XDnDToolWindow
import XDnD
import ArgumentParser

/// The options of the window, checked and with defaults.
struct ProbeSettings {
  let offer: DropOffer
  let extent: DropReader.Extent
  let limits: TransferLimits
  let explains: Bool
  /// Where content is written (`--output`).
  let output: OutputDestination?
  let computesChecksums: Bool
  /// How drops are saved as files; `nil` without `--save`.
  let saving: SaveSettings?
  /// Prints the content on standard output; `nil` to print reports.
  let printer: ContentPrinter?
  let drops: DropOptions
  /// Whether every position is reported, not only changes.
  let isVerbose: Bool
  /// The number of drops after which the tool ends; `nil` for no limit.
  let dropLimit: Int?

  /// Whether drops are merely displayed: nothing is saved, written, printed or passed to a command.
  var isOnlyShown: Bool { saving == nil && output == nil && printer == nil && drops.command == nil }

  /// Describes the effect of a drop with an operation, to follow `Drop to`.
  func words(for operation: DragOperation) -> String {
    guard operation != .ask else { return "choose what to do" }
    let verb = OperationWords.verb(operation)
    if let saving { return "\(verb) into \(Formatting.quoted(saving.visibleName.lastComponent))" }
    if let command = drops.command {
      return "run \(Formatting.quoted(Formatting.visible(command.argument, limit: LabelLimit(scalarCount: 24))))"
    }
    if printer != nil || output?.argument == "-" { return "print" }
    if let output { return "write \(Formatting.quoted(Formatting.visible(output.argument ?? "").lastComponent))" }
    return "\(verb) here"
  }

  /// The text in the window before the first drop.
  var invitation: String {
    let what = Self.names.first { kind in offer.types.allSatisfy { kind.holds($0) } }?.name ?? "something"
    let purpose =
      saving.map { " to save it in \(Formatting.quoted($0.visibleName))" }
      ?? drops.command.map {
        " to run \(Formatting.quoted(Formatting.visible($0.argument, limit: LabelLimit(scalarCount: 40))))"
      }
    return "Drop \(what) here" + (purpose ?? "")
  }

  private static let names: [(name: String, holds: @Sendable (ContentType) -> Bool)] = [
    ("an image", { $0.type == "image" }), ("files", { DecodedContent.isList($0) }), ("text", { $0.type == "text" }),
    ("a video", { $0.type == "video" }), ("audio", { $0.type == "audio" }),
  ]
}

extension String {
  fileprivate var lastComponent: String { split(separator: "/").last.map(String.init) ?? self }
}

/// The output file for fetched content, and its checksums.
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

/// The processing of each drop, and the number of drops to accept.
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
