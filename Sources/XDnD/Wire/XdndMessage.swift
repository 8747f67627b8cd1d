/// One of the six XDND client messages, with its fields named.
///
/// A message is *addressed to* a window (the `window` field of the event), which is not always where `XSendEvent`
/// delivers it: a proxy receives messages that are addressed to the window it stands for. That routing is not part of
/// the message.
enum XdndMessage: Hashable, Sendable {
  /// Source to target: the pointer has come in; this is who I am and what I offer.
  case enter(Enter)
  /// Source to target: the pointer is here, and this is what the user wants.
  case position(Position)
  /// Target to source: whether a drop here would be taken, and how.
  case status(Status)
  /// Source to target: the pointer has gone, or the drag is over without a drop.
  case leave(Leave)
  /// Source to target: the button is up, the content is yours to fetch.
  case drop(Drop)
  /// Target to source: I have all I need.
  case finished(Finished)

  struct Enter: Hashable, Sendable {
    var source: WindowID
    /// As stated, not negotiated: it may be below 3 or above 5.
    var statedVersion: UInt32
    /// Whether the whole list is in the source's `XdndTypeList`. Mutter sets it with three types or fewer too.
    var hasTypeList: Bool
    /// The types that fit into the message, at most three; empty slots are left out.
    var inlineTypes: [AtomName]
  }

  struct Position: Hashable, Sendable {
    var source: WindowID
    /// Root coordinates in pixels.
    var point: Point
    var time: Timestamp
    /// What the user asks for; `nil` when the slot was empty.
    var operation: DragOperation?
    /// A notch of the wheel, if that is what the position reports.
    var scroll: WheelScroll?
  }

  struct Status: Hashable, Sendable {
    /// The window that the answered message was addressed to.
    var target: WindowID
    /// What the target would do; `nil` is a refusal.
    ///
    /// A refusal is all zeros on the wire: Qt 5.15 and 6.4 take any set bit for an acceptance.
    var acceptance: Acceptance?

    struct Acceptance: Hashable, Sendable {
      /// `nil` when the target accepts and names no operation, which is a mistake that KWin forgives.
      var operation: DragOperation?
      /// Root coordinates within which the answer stays the same; empty when each position counts.
      var quietRegion = Rect(x: 0, y: 0, width: 0, height: 0)
      /// Whether positions inside `quietRegion` are wanted all the same.
      var wantsPositionsInside = true
    }
  }

  struct Leave: Hashable, Sendable {
    var source: WindowID
  }

  struct Drop: Hashable, Sendable {
    var source: WindowID
    /// The time to convert the selection with; Chromium sends 0.
    var time: Timestamp
  }

  struct Finished: Hashable, Sendable {
    /// The window that `XdndDrop` was addressed to.
    var target: WindowID
    /// The result. Below version 5 it is not on the wire, and what is read there means nothing.
    var result: Result

    enum Result: Hashable, Sendable {
      case accepted(DragOperation?)
      case refused

      /// What was done; `nil` for a refusal, or an acceptance that names nothing.
      var operation: DragOperation? {
        guard case .accepted(let operation) = self else { return nil }
        return operation
      }
    }
  }
}
