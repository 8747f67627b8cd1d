/// Takes the bytes of one representation, part by part, and says what is to happen next.
package typealias ContentSink = (UnsafeRawBufferPointer) -> SinkAnswer

/// What a ``ContentSink`` says to a part.
package enum SinkAnswer: Sendable {
  case more
  /// It has taken this part, and wants no more for now.
  case full
  /// It could not take it.
  case failed
}
