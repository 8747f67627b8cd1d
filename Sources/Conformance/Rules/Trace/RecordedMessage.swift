import XDnD

/// An XDND client message with its place in the recording.
struct RecordedMessage {
  /// The entry's number from 1, as in the evidence.
  var number: Int
  /// Microseconds since the beginning of the recording.
  var time: Int
  var content: WireEvent.Message
  /// Whether a client had grabbed the pointer when the message arrived; `nil` if unknown.
  var isPointerGrabbed: Bool?

  var kind: XdndMessageKind? { content.kind }
  var xdnd: MessageWords { content.xdnd }
  /// The word at an index; 0 if there is none.
  func word(_ index: Int) -> UInt32 { xdnd.array[index] }
  func name(_ index: Int) -> String? { content.names[index]?.rawValue }
  var accepts: Bool { xdnd.isAcceptance }
  var label: String { "#\(number) \(content.type)" }
}

extension WireEvent.Property {
  /// Why the value is not a list of atoms, as evidence; `nil` if it is one.
  func atomListFault(at number: Int) -> String? {
    if type != .atom || format != 32 {
      return "#\(number) \(name) is \(type?.rawValue ?? "of no type") of format \(format)"
    }
    return names.firstIndex(of: nil).map { "#\(number) \(name) has no atom in place \($0)" }
  }
}

/// A word as `0x2`, or `0`, for evidence.
func hexadecimal(_ word: UInt32) -> String { word == 0 ? "0" : Hexadecimal.text(word) }
