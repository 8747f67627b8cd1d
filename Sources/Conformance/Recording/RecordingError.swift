/// An error in a recording file, with its line.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public let line: Int
  /// The reason, as a phrase without a full stop.
  public let reason: String

  /// The error as a message: `line 12: a message must have five words, not 4`.
  public var description: String { "line \(line): \(reason)" }
}
