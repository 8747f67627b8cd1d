public import ArgumentParser
package import XDnDToolWindow
public import XDnD

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
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = argument.last.flatMap { units[Character($0.uppercased())] }
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
    guard let geometry = Geometry(argument) else {
      throw ValidationError("expected a geometry such as 300x200, +40+40 or 300x200+40+40")
    }
    return geometry
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

/// Throws `ValidationError` if a combination of options is wrong.
package func reject(_ isWrong: Bool, _ reason: String) throws {
  if isWrong { throw ValidationError(reason) }
}
