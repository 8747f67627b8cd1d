import ArgumentParser
import XDnDToolSupport
import XDnD

/// The types to fetch, and where the content comes from: drops on a window, or a clipboard.
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

/// The parser for `--accept`.
enum AcceptArgument {
  /// Parses a comma-separated list. `text/plain` stands for text under all its type names.
  @Sendable static func types(_ argument: String) throws -> [ContentType] {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.filter { $0 != " " }) }
    guard words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else {
      throw ValidationError("expected MIME types separated by commas, such as image/png,image/*")
    }
    return words.map { $0 == "text/plain" ? .plainText : ContentType($0) }
  }
}

/// The limits for one representation, because a source can send any amount at any speed.
struct TransferLimits: ParsableArguments {
  @Option(
    name: .customLong("max-size"), parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum size of one type's content, such as 500M. (default: 16G)", valueName: "size", visibility: .hidden),
    transform: SizeArgument.bytes)
  var size: Int?

  @Option(
    name: .customLong("max-time"), parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum duration of an incremental (INCR) transfer. (default: 3600)", valueName: "seconds", visibility: .hidden),
    transform: SecondsArgument.positive)
  var seconds: Double?

  @Option(
    name: .customLong("min-pace"), parsing: .unconditional,
    help: ArgumentHelp(
      "Minimum rate of an incremental transfer per minute; 0 disables the check. (default: 4K)", valueName: "size",
      visibility: .hidden),
    transform: SizeArgument.bytes)
  var pace: Int?

  /// The maximum size of one representation in bytes.
  var byteCount: Int { size ?? PeerLimits().maximumFileTransferSize }

  func apply(to configuration: inout Configuration) {
    configuration.limits.maximumFileTransferSize = byteCount
    if let seconds { configuration.limits.maximumTransferDuration = .seconds(seconds) }
    if let pace { configuration.limits.minimumTransferPace = pace }
    configuration.limits.maximumTransferSize = min(configuration.limits.maximumTransferSize, byteCount)
  }
}
