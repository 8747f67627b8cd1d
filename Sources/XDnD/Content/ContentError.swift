/// The error for bytes that do not match their type, or for a value that a type cannot represent.
package struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: Reason
  /// The type of the bytes, or the type to encode as.
  package let type: ContentType
  /// A sentence in English for display, without a full stop.
  package let message: String

  package enum Reason: Hashable, Sendable {
    /// The value has no representation of this type, or the type names an unknown charset.
    case unsupportedType
    /// The bytes are not valid for the type.
    case malformed
    /// The type cannot represent this value without loss.
    case notEncodable
  }

  /// Equal to ``message``.
  package var description: String { message }

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
