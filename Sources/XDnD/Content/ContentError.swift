/// Bytes that are not what their type says, or a value that a type cannot hold.
public struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public let reason: Reason
  /// The type that the bytes have, or should have got.
  public let type: ContentType
  /// A sentence for people; it does not end with a full stop.
  public let message: String

  /// What can go wrong.
  public enum Reason: Hashable, Sendable {
    /// The value has no form of this type, or its characters have a charset that is not known.
    case unsupportedType
    /// The bytes do not follow the rules of the type.
    case malformed
    /// The type cannot hold this value without a loss.
    case notEncodable
  }

  /// The message.
  public var description: String { message }

  static func unsupported(_ type: ContentType, for value: String) -> ContentError {
    ContentError(reason: .unsupportedType, type: type, message: "\(type) is no form of \(value)")
  }

  static func malformed(_ type: ContentType, _ detail: String) -> ContentError {
    ContentError(reason: .malformed, type: type, message: "this is not \(type): \(detail)")
  }

  static func notEncodable(_ type: ContentType, _ detail: String) -> ContentError {
    ContentError(reason: .notEncodable, type: type, message: "\(type) cannot hold this: \(detail)")
  }
}
