package import ArgumentParser
package import Logging
package import ToolWindow
package import XDnD

/// The options that both tools share.
package struct SharedOptions: ParsableArguments {
  /// Whether to print JSON.
  @Flag(name: .long, help: "Print one JSON object per line instead of text.")
  package var json = false

  /// Whether to end after the first drag.
  @Flag(name: .long, help: "Exit after the first drag; the status is its result.")
  package var once = false

  // All options are `.unconditional`: their values, texts and numbers, may begin with a hyphen.

  /// The time limit in seconds; `nil` for none.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Exit after this many seconds, with status 4.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  package var timeout: Double?

  /// The window's size and position, in pixels.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Size and position of the window, such as 300x200+40+40.", valueName: "geometry", visibility: .hidden),
    transform: Geometry.argument)
  package var geometry: Geometry?

  /// Light or dark colors.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Light or dark colors; by default those of the desktop.", valueName: "look", visibility: .hidden)
  )
  package var appearance = AppearanceChoice.auto

  /// The operations to offer or to accept, the preferred one first; `nil` if the user gave none.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Operations: copy, move, link, ask, separated by commas; the first without modifiers. (default: copy)",
      valueName: "actions"),
    transform: Actions.init(argument:))
  package var action: Actions?

  /// The name of the X display; `nil` for `$DISPLAY`.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("X server to connect to. (default: $DISPLAY)", valueName: "display", visibility: .hidden))
  package var display: String?

  /// The least severe level to log; `nil` for no log.
  @Option(
    name: .customLong("log"), parsing: .unconditional,
    help: ArgumentHelp(
      "Log to standard error: debug for mistakes of the peer, trace for everything. (values: "
        + Logger.Level.allCases.map(\.rawValue).joined(separator: ", ") + ")", valueName: "level", visibility: .hidden),
    transform: {
      guard let level = Logger.Level(rawValue: $0) else {
        throw ValidationError("expected one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return level
    })
  package var logLevel: Logger.Level?

  /// The faults for ``Misbehavior``, separated by commas.
  @Option(
    name: .customLong("misbehave"), parsing: .unconditional,
    help: ArgumentHelp(
      "Misbehave on purpose: slow, silent, flood, die-on-drop, the name of a rule …; separated by commas.",
      valueName: "faults", visibility: .hidden))
  var faults: String?

  /// Creates the options, for ArgumentParser.
  package init() {}

  /// The operations to offer or to accept, the preferred one first.
  ///
  /// - Parameter standard: The operations if the user gave none.
  package func operations(orElse standard: [DragOperation] = [.copy]) -> [DragOperation] {
    action?.operations ?? standard
  }

  /// Throws `ValidationError` if a fault is unknown for this side of a drag.
  package func validateFaults(of side: Misbehavior.Side) throws {
    let known = Misbehavior.ids(of: side)
    let unknown = faultIDs.filter { !known.contains($0) }
    guard unknown.isEmpty else {
      throw ValidationError(
        "unknown fault for --misbehave: \(unknown.joined(separator: ", ")); expected \(known.joined(separator: ", "))")
    }
  }

  /// The object that makes this tool break rules; `nil` if the user asked for no faults.
  package func misbehavior(of side: Misbehavior.Side) -> Misbehavior? {
    faults == nil ? nil : Misbehavior(faultIDs, of: side)
  }

  private var faultIDs: [String] {
    faults?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  /// The library's configuration for these options.
  package var configuration: Configuration {
    var configuration = Configuration()
    configuration.onTemporaryFiles = { TemporaryFileSweeper.start() }
    if let logLevel {
      configuration.logger = Logger(label: "xdnd") {
        // The handler's default times lack milliseconds; these agree with the times in reports.
        StreamLogHandler(
          label: $0, stream: LogStream(),
          metadataProvider: Logger.MetadataProvider { ["time": "\(Reporter.time)"] })
      }
      configuration.logger.logLevel = logLevel
    }
    return configuration
  }

}

/// The value of `--action`: operations in the given order.
package struct Actions: Sendable, CustomStringConvertible {
  /// The operations without duplicates.
  package let operations: [DragOperation]

  /// Creates a value from operations.
  package init(_ operations: [DragOperation]) {
    self.operations = operations
  }

  /// Parses a list like `copy,move`. Throws `ValidationError` if a word is unknown.
  @Sendable init(argument: String) throws {
    var operations: [DragOperation] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let operation = Self.known.first(where: { $0.description == word }) else {
        throw ValidationError("expected copy, move, link or ask, separated by commas")
      }
      if !operations.contains(operation) { operations.append(operation) }
    }
    self.operations = operations
  }

  private static let known: [DragOperation] = [.copy, .move, .link, .ask]

  /// The operations as on the command line.
  package var description: String { operations.map(\.description).joined(separator: ",") }
}
