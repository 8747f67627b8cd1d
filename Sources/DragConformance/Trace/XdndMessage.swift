import XDnD

/// An XDND client message with its place in the recording.
struct XdndMessage {
  /// The entry's number from 1, as in the evidence.
  var number: Int
  /// Microseconds since the beginning of the recording.
  var time: Int
  var content: WireEvent.Message
  /// Whether a client had grabbed the pointer when the message arrived; `nil` if unknown.
  var isPointerGrabbed: Bool?

  var kind: String { content.type.rawValue }
  /// The word at an index; 0 if there is none.
  func word(_ index: Int) -> UInt32 { content.words.indices.contains(index) ? content.words[index] : 0 }
  func name(_ index: Int) -> String? { content.names[index]?.rawValue }
  var label: String { "#\(number) \(kind)" }
  /// Two signed 16-bit halves, x above y: the packing of root coordinates.
  func point(_ index: Int) -> Point {
    Point(x: Int(Int16(truncatingIfNeeded: word(index) >> 16)), y: Int(Int16(truncatingIfNeeded: word(index))))
  }
  /// The rectangle of an `XdndStatus`, in root pixels.
  var rectangle: Rect {
    let origin = point(2)
    return Rect(x: origin.x, y: origin.y, width: Int(word(3) >> 16), height: Int(word(3) & 0xFFFF))
  }
  var accepts: Bool { word(1) & 1 != 0 }
}

/// A word as `0x2`, or `0`, for evidence.
func hexadecimal(_ word: UInt32) -> String { word == 0 ? "0" : "0x" + String(word, radix: 16) }
