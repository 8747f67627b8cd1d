/// One of the six XDND client messages, decoded.
///
/// A message is *addressed to* a window, in the `window` field of the event. `XSendEvent` may deliver it to another
/// window: a proxy receives messages that are addressed to the window it stands for. The receiving window is not part
/// of this type.
package enum XdndMessage: Hashable, Sendable {
  /// Source to target: the pointer has entered; identifies the source and its types.
  case enter(Enter)
  /// Source to target: the pointer position and the operation that the user requests.
  case position(Position)
  /// Target to source: whether a drop at the position would be accepted, and with which operation.
  case status(Status)
  /// Source to target: the pointer has left, or the drag has ended without a drop.
  case leave(Leave)
  /// Source to target: the content was dropped; convert the selection now.
  case drop(Drop)
  /// Target to source: the drop is finished, and the target needs no more data.
  case finished(Finished)

  package struct Enter: Hashable, Sendable {
    package var source: WindowID
    /// The stated version, not the negotiated one: it may be below 3 or above 5.
    package var statedVersion: UInt32
    /// Whether the complete list is in the source's `XdndTypeList`. Mutter sets the bit even for three types or fewer.
    package var hasTypeList: Bool
    /// The types in the message itself, at most three, without empty slots.
    package var inlineTypes: [AtomName]
  }

  package struct Position: Hashable, Sendable {
    package var source: WindowID
    /// Root coordinates, in pixels.
    package var point: Point
    package var time: Timestamp
    /// The operation that the user requests; `nil` for an empty slot.
    package var operation: DragOperation?
    package var scroll: WheelScroll?
  }

  package struct Status: Hashable, Sendable {
    /// The window that the answered message was addressed to.
    package var target: WindowID
    /// The acceptance; `nil` for a refusal.
    ///
    /// On the wire a refusal is all zeros: Qt 5.15 and 6.4 take any set bit for an acceptance.
    package var acceptance: Acceptance?

    package struct Acceptance: Hashable, Sendable {
      /// `nil` if the target accepts without naming an operation, an error that KWin tolerates.
      package var operation: DragOperation?
      /// The rectangle in root coordinates; empty if there is none. Within it the answer stays the same, unless the
      /// target wants positions inside: then the rectangle marks the place that a drop would apply to.
      package var region = Rect.zero
      /// Whether the target wants positions even inside `region`.
      package var wantsPositionsInside = true
    }
  }

  package struct Leave: Hashable, Sendable {
    package var source: WindowID
  }

  package struct Drop: Hashable, Sendable {
    package var source: WindowID
    /// The timestamp to convert the selection with; Chromium sends 0.
    package var time: Timestamp
  }

  package struct Finished: Hashable, Sendable {
    /// The window that `XdndDrop` was addressed to.
    package var target: WindowID
    /// The result. Not on the wire below version 5; ignore it there.
    package var result: Result

    package enum Result: Hashable, Sendable {
      case accepted(DragOperation?)
      case refused
    }
  }
}
