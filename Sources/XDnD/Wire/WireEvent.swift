/// One thing that went over the wire between this program and another, as it was there: nothing in it is interpreted.
///
/// What ``DragAndDrop/onWireEvent`` is told. A list of them is all that can be known of a drag from one of its two ends:
/// enough to judge the other one, to draw what happened, and to do the same again.
public struct WireEvent: Hashable, Sendable {
  /// Who has done it.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// This program.
    case sent
    /// The other one, or the server on its behalf.
    case received
  }

  /// Who has done it.
  public var direction: Direction
  /// What was done.
  public var action: Action

  /// An event.
  public init(_ direction: Direction, _ action: Action) {
    self.direction = direction
    self.action = action
  }

  /// What was done.
  public enum Action: Hashable, Sendable {
    /// One of the six XDND messages: a client message.
    case message(Message)
    /// A selection is to be converted: `ConvertSelection` when sent, `SelectionRequest` when received.
    case conversion(Conversion)
    /// The answer: `SelectionNotify`, in both directions.
    case converted(Conversion)
    /// A selection has another owner; ``WindowID/none`` if nobody has it any more.
    case owner(of: AtomName, WindowID, Timestamp)
    /// Something was done to a property.
    case property(Property)
    /// A window is gone.
    case vanished(WindowID)
  }

  /// A client message.
  public struct Message: Hashable, Sendable {
    /// The type, such as `XdndEnter`.
    public var type: AtomName
    /// The window that it is addressed to.
    public var window: WindowID
    /// The window that it was sent to, if that is another one: a proxy. `nil` also of all that is received.
    public var destination: WindowID?
    /// The five words of data; none if the message was not of format 32, which each of them has to be.
    public var words: [UInt32]
    /// The names of those words that are atoms by the type of the message, by their place; none for `None` (0), and none for
    /// a number that the server does not know as an atom.
    public var names: [Int: AtomName]

    /// A message.
    public init(
      type: AtomName, window: WindowID, destination: WindowID? = nil, words: [UInt32], names: [Int: AtomName] = [:]
    ) {
      self.type = type
      self.window = window
      self.destination = destination
      self.words = words
      self.names = names
    }
  }

  /// A selection, what it is to become, and where to put it.
  public struct Conversion: Hashable, Sendable {
    /// Whose content is wanted.
    public var selection: AtomName
    /// The type that it is wanted in.
    public var target: AtomName?
    /// `nil` stands for `None`: in an answer, that there is none.
    public var property: AtomName?
    /// Who wants it: the window whose property it will be.
    public var requestor: WindowID
    /// For when it is wanted.
    public var time: Timestamp

    /// A conversion.
    public init(
      selection: AtomName, target: AtomName?, property: AtomName?, requestor: WindowID, time: Timestamp
    ) {
      self.selection = selection
      self.target = target
      self.property = property
      self.requestor = requestor
      self.time = time
    }
  }

  /// A property, and what was done to it.
  public struct Property: Hashable, Sendable {
    /// What was done.
    public enum Change: String, Hashable, Sendable, CaseIterable {
      /// Its content was replaced, by us.
      case written
      /// Its content was read, by us; it may be one of several pages.
      case read
      /// It was deleted, by us.
      case deleted
      /// The server says that somebody has changed it.
      case changed
      /// The server says that somebody has deleted it.
      case removed
    }

    /// What was done.
    public var change: Change
    /// Whose property it is.
    public var window: WindowID
    /// What it is called.
    public var name: AtomName
    /// `nil` where nothing was written or read.
    public var type: AtomName?
    /// 8, 16 or 32 bits a unit; 0 where nothing was written or read.
    public var format: Int
    /// Where the bytes begin within the whole property.
    public var offset: Int
    /// What was written or read, in the machine's byte order; four for each unit of format 32. Cut off at
    /// ``DragAndDrop/wireEventByteLimit``.
    public var bytes: [UInt8]
    /// How many there were.
    public var byteCount: Int
    /// The names, if the property is a list of atoms; `nil` for `None` and for numbers that are no atoms.
    public var names: [AtomName?]

    /// A property.
    public init(
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
