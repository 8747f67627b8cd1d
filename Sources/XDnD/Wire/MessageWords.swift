/// The five 32-bit words of a format-32 `ClientMessage`, and the fields of the six XDND messages in them.
package struct MessageWords: Equatable, Sendable {
  package var l0: UInt32 = 0
  package var l1: UInt32 = 0
  package var l2: UInt32 = 0
  package var l3: UInt32 = 0
  package var l4: UInt32 = 0

  package var array: [UInt32] { [l0, l1, l2, l3, l4] }
}

extension MessageWords {
  /// Creates words from a list. Missing words are 0.
  package init(_ list: some Collection<UInt32>) {
    let words = Array(list.prefix(5)) + Array(repeating: 0, count: max(0, 5 - list.count))
    self.init(l0: words[0], l1: words[1], l2: words[2], l3: words[3], l4: words[4])
  }

  /// All messages: the window of the sender. A target names the window that the source has addressed.
  package var sender: WindowID { WindowID(rawValue: l0) }

  package var statedVersion: UInt32 { l1 >> 24 }

  /// `XdndEnter`: whether the source has an `XdndTypeList`.
  package var hasTypeList: Bool { l1 & 1 != 0 }

  /// `XdndPosition`: the pointer. `XdndStatus`: the origin of the rectangle. In root coordinates.
  package var point: Point { PackedPair.point(l2) }

  package var positionTime: Timestamp { Timestamp(rawValue: l3) }

  /// `XdndStatus`: whether the target accepts a drop.
  ///
  /// Only bit 0 decides: tkdnd 2.6 leaves random bits above bit 1, and SDL names an operation while it refuses.
  package var isAcceptance: Bool { l1 & 1 != 0 }

  /// `XdndStatus`: whether the target wants positions even inside ``statusRegion``.
  package var wantsPositionsInside: Bool { l1 & 2 != 0 }

  /// `XdndStatus`: the rectangle, in root coordinates.
  package var statusRegion: Rect {
    let size = PackedPair.size(l3)
    return Rect(x: point.x, y: point.y, width: size.width, height: size.height)
  }

  /// `XdndDrop`: the timestamp to convert the selection with.
  package var dropTime: Timestamp { Timestamp(rawValue: l2) }

  /// `XdndFinished`: whether the target has accepted the drop.
  ///
  /// Tests the whole word, not bit 0: tkdnd sets bit 1, and GLFW 3.3.8 stores the number of bytes here.
  package var isSuccess: Bool { l1 != 0 }
}

extension WireEvent.Message {
  /// Which of the six XDND messages this is; `nil` for another client message.
  package var kind: XdndMessageKind? { XdndMessageKind(rawValue: type.rawValue) }

  /// The words, to be read as the fields of an XDND message.
  package var xdnd: MessageWords { MessageWords(words) }

  /// `XdndEnter`: the names of the types in the message itself.
  package var inlineTypes: [AtomName] { XdndMessageKind.enter.atomPlaces.compactMap { names[$0] } }
}

package struct WindowProperty: Hashable, Sendable {
  package var window: WindowID
  package var name: AtomName

  package init(_ name: AtomName, of window: WindowID) {
    self.window = window
    self.name = name
  }
}

extension WireEvent.Conversion {
  /// The property for the content. An obsolete requestor names none, and means the property named like the target
  /// (ICCCM §2.2).
  package var place: WindowProperty? { (property ?? target).map { WindowProperty($0, of: requestor) } }
}

extension WireEvent.Property {
  package var place: WindowProperty { WindowProperty(name, of: window) }

  /// Whether this announces an INCR transfer (ICCCM §2.7.2).
  package var isAnnouncement: Bool { type == .incr }

  /// The units of a property of format 32; otherwise empty.
  package var words: [UInt32] { format == 32 ? bytes.withUnsafeBytes(Format32.words) : [] }
}

/// The 32-bit words of the protocol as bytes in the machine's order, and as the C `long` that Xlib uses for them.
///
/// On 64-bit platforms Xlib sign-extends each word: 0x80000005 arrives as a negative number.
package enum Format32 {
  /// The words in the bytes, without an incomplete one at the end.
  package static func words(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
    (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
  }

  package static func bytes(_ words: some Sequence<UInt32>) -> [UInt8] {
    words.flatMap { word in withUnsafeBytes(of: word, Array.init) }
  }

  package static func word(_ long: Int) -> UInt32 { UInt32(truncatingIfNeeded: long) }

  /// Xlib takes the low 32 bits of each `long`.
  package static func long(_ word: UInt32) -> Int { Int(word) }
}
