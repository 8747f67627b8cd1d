public import ArgumentParser
public import Logging
public import ToolWindow
public import XDnD

/// The options that both tools have.
public struct SharedOptions: ParsableArguments {
  /// Whether to print JSON.
  @Flag(name: .long, help: "Print JSON objects, one a line, instead of sentences.")
  public var json = false

  /// Whether to end after the first drag.
  @Flag(name: .long, help: "End after the first drag; the exit code says how.")
  public var once = false

  // All options take what follows as their value, whatever it begins with: text and numbers may begin with a minus.

  /// After how many seconds to end.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("End after so many seconds, with exit code 4.", valueName: "seconds"),
    transform: SecondsArgument.positive)
  public var timeout: Double?

  /// Size and place of the window.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Size and place of the window, as in 300x200+40+40.", valueName: "geometry", visibility: .hidden),
    transform: Geometry.argument)
  public var geometry: Geometry?

  /// Bright or dark.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Light or dark; by default as the desktop.", valueName: "look", visibility: .hidden))
  public var appearance = AppearanceChoice.auto

  /// What may be done, the default first.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "What may be done: copy, move, link, ask, with commas; the first without a key. (default: copy)",
      valueName: "actions"),
    transform: Actions.init(argument:))
  public var action: Actions?

  /// The X server; `nil` for what `DISPLAY` says.
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The X server; by default $DISPLAY.", valueName: "display", visibility: .hidden))
  public var display: String?

  /// How much to log.
  @Option(
    name: .customLong("log"), parsing: .unconditional,
    help: ArgumentHelp(
      "Log to standard error: debug for mistakes of the other side, trace for everything. (values: "
        + Logger.Level.allCases.map(\.rawValue).joined(separator: ", ") + ")", valueName: "level", visibility: .hidden),
    transform: {
      guard let level = Logger.Level(rawValue: $0) else {
        throw ValidationError("it has to be \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return level
    })
  public var logLevel: Logger.Level?

  /// What to do wrong.
  @Option(
    name: .customLong("misbehave"), parsing: .unconditional,
    help: ArgumentHelp(
      "Be a bad peer on purpose: slow, silent, flood, die-on-drop, the name of a rule …; several with commas.",
      valueName: "faults", visibility: .hidden))
  var faults: String?

  /// For ArgumentParser.
  public init() {}

  /// What may be done, the default first.
  ///
  /// - Parameter standard: What it is if the user does not say.
  public func operations(orElse standard: [DragOperation] = [.copy]) -> [DragOperation] {
    action?.operations ?? standard
  }

  /// Complains if a side of drags cannot do wrong as it is told to.
  package func validateFaults(of side: Misbehavior.Side) throws {
    let known = Misbehavior.ids(of: side)
    let unknown = faultIDs.filter { !known.contains($0) }
    guard unknown.isEmpty else {
      throw ValidationError(
        "--misbehave does not know \(unknown.joined(separator: ", ")), but \(known.joined(separator: ", "))")
    }
  }

  /// Who changes what goes over the wire, to do wrong; `nil` for nobody.
  package func misbehavior(of side: Misbehavior.Side) -> Misbehavior? {
    faults == nil ? nil : Misbehavior(faultIDs, of: side)
  }

  private var faultIDs: [String] {
    faults?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  /// The library's configuration for these options.
  public var configuration: Configuration {
    var configuration = Configuration()
    configuration.onTemporaryFiles = { TemporaryFileSweeper.start() }
    if let logLevel {
      configuration.logger = Logger(label: "xdnd") {
        // The handler's own time has no milliseconds, and these are those of the reports.
        StreamLogHandler(
          label: $0, stream: LogStream(),
          metadataProvider: Logger.MetadataProvider { ["time": "\(Reporter.time)"] })
      }
      configuration.logger.logLevel = logLevel
    }
    return configuration
  }

}

/// The operations of `--action`, in the given order.
public struct Actions: Sendable, CustomStringConvertible {
  /// Without duplicates.
  public let operations: [DragOperation]

  /// The given operations.
  public init(_ operations: [DragOperation]) {
    self.operations = operations
  }

  /// Reads `copy,move`.
  @Sendable init(argument: String) throws {
    var operations: [DragOperation] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let operation = Self.known.first(where: { $0.description == word }) else {
        throw ValidationError("there are copy, move, link and ask; several with commas")
      }
      if !operations.contains(operation) { operations.append(operation) }
    }
    self.operations = operations
  }

  private static let known: [DragOperation] = [.copy, .move, .link, .ask]

  /// As it would be written on the command line.
  public var description: String { operations.map(\.description).joined(separator: ",") }
}
