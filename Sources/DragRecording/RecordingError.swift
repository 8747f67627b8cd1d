/// What is wrong with a file that should be a recording, and where.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// What is wrong: half a sentence.
  public let reason: String

  /// `line 12: a message has five words, and not 4`
  public var description: String { "line \(line): \(reason)" }
}
