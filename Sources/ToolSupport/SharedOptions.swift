package import ArgumentParser
package import Logging
package import XDnDToolWindow
package import XDnD

/// The options that both tools share.
package struct SharedOptions: ParsableArguments {
  @Flag(help: .hidden("Print one JSON object per line instead of text."))
  package var json = false

  @Flag(help: "Exit after the first drag; the status is its result.")
  package var once = false

  // All options are `.unconditional`: their values, texts and numbers, may begin with a hyphen.

  /// In seconds.
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Exit after this many seconds, with status 4.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  package var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: .hidden("Size and position of the window, such as 300x200+40+40.", valueName: "geometry"),
    transform: Geometry.argument)
  package var geometry: Geometry?

  @Option(
    parsing: .unconditional, help: .hidden("Light or dark colors; by default those of the desktop.", valueName: "look"))
  package var appearance = AppearanceChoice.auto

  /// The operations to offer or to accept, the preferred one first and without duplicates; `nil` if the user gave none.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What drops may do: copy, move, link, ask, separated by commas; the first if no key chooses another.",
      valueName: "actions"),
    transform: parsedOperations)
  package var action: [DragOperation]?

  /// `nil` for `$DISPLAY`.
  @Option(parsing: .unconditional, help: .hidden("X server to connect to. (default: $DISPLAY)", valueName: "display"))
  package var display: String?

  @Option(
    name: .customLong("log"), parsing: .unconditional,
    help: .hidden(
      "Log to standard error: debug for mistakes of the other program, trace for everything. (values: \(logLevels))",
      valueName: "level"),
    transform: {
      guard let level = Logger.Level(rawValue: $0) else { throw ValidationError("expected one of \(logLevels)") }
      return level
    })
  package var logLevel: Logger.Level?

  package init() {}

  private static var logLevels: String { Logger.Level.allCases.map(\.rawValue).joined(separator: ", ") }

  @Sendable private static func parsedOperations(_ argument: String) throws -> [DragOperation] {
    let known: [DragOperation] = [.copy, .move, .link, .ask]
    var operations: [DragOperation] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let operation = known.first(where: { $0.description == word }) else {
        throw ValidationError("expected copy, move, link or ask, separated by commas")
      }
      if !operations.contains(operation) { operations.append(operation) }
    }
    return operations
  }

  package var configuration: Configuration {
    var configuration = Configuration()
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
