import ArgumentParser

/// Parsers for option values that are a number of seconds.
package enum SecondsArgument {
  /// About 30 years.
  private static let limit = 1e9

  /// Parses a number greater than 0. Throws `ValidationError` for anything else.
  @Sendable package static func positive(_ argument: String) throws -> Double {
    guard let seconds = Double(argument), seconds > 0, seconds < limit else {
      throw ValidationError("expected a number of seconds greater than 0")
    }
    return seconds
  }

  /// Parses a number that is at least 0. Throws `ValidationError` for anything else.
  @Sendable package static func notNegative(_ argument: String) throws -> Double {
    guard let seconds = Double(argument), seconds >= 0, seconds < limit else {
      throw ValidationError("expected a number of seconds")
    }
    return seconds
  }
}
