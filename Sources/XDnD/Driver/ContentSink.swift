/// Takes the bytes of one representation, part by part, and answers whether the transfer continues.
package typealias ContentSink = (UnsafeRawBufferPointer) -> SinkAnswer

/// The answer of a ``ContentSink`` to a part.
package enum SinkAnswer: Sendable {
  /// It has taken the part, and takes the next one.
  case more
  /// It has taken the part, and takes no more until ``IncomingTransfer/Input/resume`` (back-pressure).
  case full
  /// It could not take the part. The transfer ends.
  case failed
}
