import ArgumentParser

/// How long something may take: the value of an option, in seconds, for ArgumentParser.
public enum SecondsArgument {
  /// No more than some thirty years.
  private static let limit = 1e9

  /// Some time.
  @Sendable public static func positive(_ argument: String) throws -> Double {
    guard let seconds = Double(argument), seconds > 0, seconds < limit else {
      throw ValidationError("it has to be a number of seconds greater than 0")
    }
    return seconds
  }

  /// Some time, or none.
  @Sendable public static func notNegative(_ argument: String) throws -> Double {
    guard let seconds = Double(argument), seconds >= 0, seconds < limit else {
      throw ValidationError("it has to be a number of seconds")
    }
    return seconds
  }
}
