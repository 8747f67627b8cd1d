/// What is wrong with a text that should be JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong: half a sentence.
  public let reason: String
  /// How many bytes are before the place.
  public let offset: Int
  /// The line that it is in, from 1.
  public let line: Int

  init(_ reason: String, at offset: Int, in bytes: some Sequence<UInt8>) {
    self.reason = reason
    self.offset = offset
    line = 1 + bytes.prefix(offset).count { $0 == 0x0A }
  }

  /// `line 1, byte 17: a value is missing`; bytes are counted from 0, and from the beginning of the text.
  public var description: String { "line \(line), byte \(offset): \(reason)" }
}
