import ArgumentParser
import XDnDToolSupport
import XDnD

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
  var byteCount: Int { size ?? Configuration().maximumFileTransferSize }

  func apply(to configuration: inout Configuration) {
    configuration.maximumFileTransferSize = byteCount
    if let seconds { configuration.maximumTransferDuration = .seconds(seconds) }
    if let pace { configuration.minimumTransferPace = pace }
    configuration.maximumTransferSize = min(configuration.maximumTransferSize, byteCount)
  }
}
