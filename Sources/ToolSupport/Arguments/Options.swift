public import ArgumentParser
package import Logging
package import XDnDToolWindow
public import XDnD

package struct SharedOptions: ParsableArguments {
  @Flag(help: .hidden("Print one JSON object per line instead of text."))
  package var json = false

  @Flag(help: "Exit after the first drag; the status is its result.")
  package var once = false

  // All options are `.unconditional`, because their values may begin with a hyphen.

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
    transform: { (name: String) throws -> Logger.Level in
      try parsed(Logger.Level(rawValue: name), or: "expected one of \(logLevels)")
    })
  package var logLevel: Logger.Level?

  package init() {}

  private static var logLevels: String { Logger.Level.allCases.map(\.rawValue).joined(separator: ", ") }

  @Sendable private static func parsedOperations(_ argument: String) throws -> [DragOperation] {
    let known: [DragOperation] = [.copy, .move, .link, .ask]
    var operations: [DragOperation] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let named = known.first { $0.description == word }
      let operation = try parsed(named, or: "expected copy, move, link or ask, separated by commas")
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

/// The mutually exclusive options `--clipboard` and `--primary`.
package enum ClipboardChoice: String, EnumerableFlag, Sendable {
  case clipboard, primary

  package static func help(for value: ClipboardChoice) -> ArgumentHelp? {
    switch value {
    case .clipboard: "Use the clipboard instead of a drag."
    case .primary: .hidden("Use the primary selection instead of a drag.")
    }
  }

  /// The selection's name in messages.
  package var name: String { self == .clipboard ? "the clipboard" : "the primary selection" }

  package func clipboard(of driver: DragAndDrop) -> Clipboard {
    self == .clipboard ? driver.clipboard : driver.primarySelection
  }
}

/// Parsers for option values that are a number of seconds. They throw `ValidationError` for anything else.
package enum SecondsArgument {
  /// About 30 years.
  private static let limit = 1e9

  @Sendable package static func positive(_ argument: String) throws -> Double {
    guard let seconds = try? notNegative(argument), seconds > 0 else {
      throw ValidationError("expected a number of seconds greater than 0")
    }
    return seconds
  }

  @Sendable package static func notNegative(_ argument: String) throws -> Double {
    guard let seconds = Double(argument), seconds >= 0, seconds < limit else {
      throw ValidationError("expected a number of seconds")
    }
    return seconds
  }
}

/// A parser for option values that are a number of bytes, such as `500M`.
package enum SizeArgument {
  /// Parses digits with an optional `K`, `M`, `G` or `T` for powers of 1024.
  @Sendable package static func bytes(_ argument: String) throws -> Int {
    let units = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = argument.last.flatMap { units[$0.uppercased()] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    // `Int` would also accept a sign.
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits)
    else { throw ValidationError("expected a number of bytes, such as 500M") }
    let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !isTooMuch else { throw ValidationError("the number of bytes is too large") }
    return bytes
  }
}

extension Geometry {
  /// Parses the value of `--geometry`.
  @Sendable package static func argument(_ argument: String) throws -> Geometry {
    try parsed(Geometry(argument), or: "expected a geometry such as 300x200, +40+40 or 300x200+40+40")
  }
}

/// A point in a window, in pixels from its upper left corner: `40,60`. Its coordinates fit into 16 bits, as XDND
/// requires.
extension Point: ExpressibleByArgument {
  /// Parses `x,y`; `nil` if the argument is invalid.
  public init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int16($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
    self.init(x: Int(x), y: Int(y))
  }
}

extension ArgumentHelp {
  /// The help of an option that only `--help-hidden` and the manual page show.
  package static func hidden(_ abstract: String, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(abstract, valueName: valueName, visibility: .hidden)
  }
}

/// Returns a parsed argument. Throws `ValidationError` with the reason if `value` is `nil`.
package func parsed<Value>(_ value: Value?, or reason: @autoclosure () -> String) throws -> Value {
  guard let value else { throw ValidationError(reason()) }
  return value
}

/// Throws `ValidationError` if a combination of options is wrong.
package func reject(_ isWrong: Bool, _ reason: String) throws {
  if isWrong { throw ValidationError(reason) }
}
