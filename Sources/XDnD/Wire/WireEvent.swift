/// One protocol action between this program and a peer, as it appeared on the wire, without interpretation.
///
/// Delivered to ``DragAndDrop/onWireEvent``. A sequence of events holds everything that one end of a drag can observe:
/// enough to check the peer's conformance, to draw the exchange, and to replay it.
package struct WireEvent: Hashable, Sendable {
  /// Which side performed the action.
  package enum Direction: String, Hashable, Sendable, CaseIterable {
    /// This program.
    case sent
    /// The peer, or the server on its behalf.
    case received
  }

  package var direction: Direction
  package var action: Action

  package init(_ direction: Direction, _ action: Action) {
    self.direction = direction
    self.action = action
  }

  package enum Action: Hashable, Sendable {
    /// A client message. The library itself reports only XDND's six.
    case message(Message)
    /// A request to convert a selection: `ConvertSelection` when sent, `SelectionRequest` when received.
    case conversion(Conversion)
    /// The answer to a conversion: `SelectionNotify`, in both directions.
    case converted(Conversion)
    /// A selection has a new owner; ``WindowID/none`` for no owner.
    case owner(of: AtomName, WindowID, Timestamp)
    /// A property was written, read or deleted.
    case property(Property)
    /// A window was destroyed.
    case vanished(WindowID)
  }

  package struct Message: Hashable, Sendable {
    /// The message type, such as `XdndEnter`.
    package var type: AtomName
    /// The `window` field of the event: the window that the message is addressed to.
    package var window: WindowID
    /// The window that the message was sent to, if it differs: a proxy. `nil` in received messages.
    package var destination: WindowID?
    /// The five data words; empty if the message was not of format 32, which XDND requires.
    package var words: [UInt32]
    /// The names of the words that the message type defines as atoms, by word index. Excludes `None` (0), and numbers
    /// that are not atoms of the server.
    package var names: [Int: AtomName]

    package init(
      type: AtomName, window: WindowID, destination: WindowID? = nil, words: [UInt32], names: [Int: AtomName] = [:]
    ) {
      self.type = type
      self.window = window
      self.destination = destination
      self.words = words
      self.names = names
    }
  }

  /// The arguments of a selection conversion.
  package struct Conversion: Hashable, Sendable {
    package var selection: AtomName
    /// The requested type.
    package var target: AtomName?
    /// The property for the result. `nil` stands for `None`; in an answer, for a refusal.
    package var property: AtomName?
    /// The window that requests the conversion and owns ``property``.
    package var requestor: WindowID
    /// The ICCCM timestamp of the request.
    package var time: Timestamp

    package init(
      selection: AtomName, target: AtomName?, property: AtomName?, requestor: WindowID, time: Timestamp
    ) {
      self.selection = selection
      self.target = target
      self.property = property
      self.requestor = requestor
      self.time = time
    }
  }

  /// An access to a property.
  package struct Property: Hashable, Sendable {
    package enum Change: String, Hashable, Sendable, CaseIterable {
      /// This program replaced the value.
      case written
      /// This program read the value, or one page of it.
      case read
      /// This program deleted the property.
      case deleted
      /// The server reports a new value (`PropertyNotify`).
      case changed
      /// The server reports the deletion (`PropertyNotify`).
      case removed
    }

    package var change: Change
    /// The window that has the property.
    package var window: WindowID
    package var name: AtomName
    /// The property's type; `nil` if nothing was written or read.
    package var type: AtomName?
    /// 8, 16 or 32 bits per unit; 0 if nothing was written or read.
    package var format: Int
    /// The offset of ``bytes`` within the property, in bytes.
    package var offset: Int
    /// The bytes written or read, in the machine's byte order, with four bytes per unit of format 32. Limited to
    /// ``DragAndDrop/wireEventByteLimit``.
    package var bytes: [UInt8]
    /// The number of bytes written or read, without the limit.
    package var byteCount: Int
    /// The atom names if the property is a list of atoms; `nil` for `None` and for numbers that are not atoms of the
    /// server.
    package var names: [AtomName?]

    package init(
      _ change: Change, _ name: AtomName, of window: WindowID, type: AtomName? = nil, format: Int = 0, offset: Int = 0,
      bytes: [UInt8] = [], byteCount: Int? = nil, names: [AtomName?] = []
    ) {
      self.change = change
      self.window = window
      self.name = name
      self.type = type
      self.format = format
      self.offset = offset
      self.bytes = bytes
      self.byteCount = byteCount ?? bytes.count
      self.names = names
    }
  }
}
