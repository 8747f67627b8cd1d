/// A syntax error in JSON text, with its location.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, as a phrase without a full stop.
  public let reason: String
  /// The number of bytes before the error.
  public let offset: Int
  /// The line of the error, from 1.
  public let line: Int

  init(_ reason: String, at offset: Int, in bytes: some Sequence<UInt8>) {
    self.reason = reason
    self.offset = offset
    line = 1 + bytes.prefix(offset).count { $0 == 0x0A }
  }

  /// The error as a message, such as `line 1, byte 17: a comma or ] is expected`. Bytes are counted from 0 and from the
  /// beginning of the text.
  public var description: String { "line \(line), byte \(offset): \(reason)" }
}
