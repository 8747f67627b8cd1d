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
  @Flag(name: .long, help: "End after the first drag, with an exit code that says how it went.")
  public var once = false

  /// After how many seconds to end.
  @Option(name: .long, help: ArgumentHelp("End after so many seconds, with exit code 4.", valueName: "seconds"))
  public var timeout: Double?

  /// Size and place of the window.
  @Option(name: .long, help: ArgumentHelp("Size and place of the window, as in 300x200+40+40.", valueName: "geometry"))
  public var geometry: Geometry?

  /// What may be done, the default first.
  @Option(
    name: .long,
    help: ArgumentHelp("What may be done: copy, move, link, ask; several with commas.", valueName: "actions"))
  public var action = Actions([.copy])

  /// The X server; `nil` for what `DISPLAY` says.
  @Option(name: .long, help: ArgumentHelp("The X server; by default $DISPLAY.", valueName: "display"))
  public var display: String?

  /// How much to log.
  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      "Log to standard error: debug for mistakes of the other side, trace for everything.", valueName: "level"))
  public var logLevel: Logger.Level?

  /// For ArgumentParser.
  public init() {}

  /// The library's configuration for these options.
  public var configuration: Configuration {
    var configuration = Configuration()
    if let logLevel {
      configuration.logger = Logger(label: "xdnd") { StreamLogHandler.standardError(label: $0) }
      configuration.logger.logLevel = logLevel
    }
    return configuration
  }

  /// Checks what the parser cannot.
  public func validate() throws {
    if let timeout, !(timeout > 0 && timeout < 1e9) {
      throw ValidationError("--timeout takes a number of seconds greater than 0")
    }
  }
}

/// The operations of `--action`, in the given order.
public struct Actions: ExpressibleByArgument, Sendable {
  /// Without duplicates.
  public let operations: [DragOperation]

  /// The given operations.
  public init(_ operations: [DragOperation]) {
    self.operations = operations
  }

  /// Reads `copy,move`; `nil` for anything that is not an operation.
  public init?(argument: String) {
    var operations: [DragOperation] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let operation = Self.known.first(where: { $0.description == word }) else { return nil }
      if !operations.contains(operation) { operations.append(operation) }
    }
    self.operations = operations
  }

  private static let known: [DragOperation] = [.copy, .move, .link, .ask]

  /// As it would be written on the command line.
  public var defaultValueDescription: String { operations.map(\.description).joined(separator: ",") }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

extension Geometry: ExpressibleByArgument {
  /// Reads `300x200+40+40`.
  public init?(argument: String) {
    self.init(argument)
  }
}
