public import XDnD

/// A recorded drag: the wire events that one of its two ends saw. See `docs/recordings.md` for the file format.
public struct Recording: Hashable, Sendable {
  /// The end of the drag that made the recording.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// The drag source.
    case source
    /// The drop target.
    case target
  }

  /// What is known of the program at the other end. Each property is `nil` if unknown.
  public struct Peer: Hashable, Sendable {
    /// The window that the peer names in its messages.
    public var window: WindowID?
    /// The program's name, from `WM_CLASS` or from its executable.
    public var program: String?
    /// The process, from `_NET_WM_PID` or from what the server knows of the connection.
    public var processID: Int?

    /// Creates a description of a peer.
    public init(window: WindowID? = nil, program: String? = nil, processID: Int? = nil) {
      self.window = window
      self.program = program
      self.processID = processID
    }
  }

  /// The drop target's window and its location.
  public struct Target: Hashable, Sendable {
    /// The window that XDND messages are addressed to.
    public var window: WindowID
    /// The window's frame without its border, in root pixels.
    public var frame: Rect

    /// Creates a description of a target window.
    public init(window: WindowID, frame: Rect) {
      self.window = window
      self.frame = frame
    }
  }

  /// A wire event with its time.
  public struct Entry: Hashable, Sendable {
    /// Microseconds since the beginning of the recording.
    public var time: Int
    /// The event.
    public var event: WireEvent
    /// Whether the recorder did this only to record all content: it requests every type, where a real target requests
    /// the type that it uses. Comparisons ignore these entries.
    public var isRecordersOwn: Bool
    /// For an `XdndDrop`: whether a client had grabbed the pointer when the message arrived. `nil` if unknown.
    public var isPointerGrabbed: Bool?

    /// Creates an entry.
    public init(time: Int, _ event: WireEvent, isRecordersOwn: Bool = false, isPointerGrabbed: Bool? = nil) {
      self.time = time
      self.event = event
      self.isRecordersOwn = isRecordersOwn
      self.isPointerGrabbed = isPointerGrabbed
    }
  }

  /// The end of the drag that made the recording.
  public var role: Role
  /// The program at the other end.
  public var peer = Peer()
  /// The target window. A replay uses its frame to convert recorded positions to a window elsewhere.
  public var target: Target?
  /// The name of the X display.
  public var display: String?
  /// When the recording began, in ISO 8601: `2026-11-21T16:20:05Z`.
  public var date: String?
  /// The events in the order in which they happened.
  public var entries: [Entry] = []

  /// Creates an empty recording.
  public init(role: Role) {
    self.role = role
  }
}

/// An error in a recording file, with its line.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public let line: Int
  /// The reason, as a phrase without a full stop.
  public let reason: String

  /// The error as a message: `line 12: a message must have five words, not 4`.
  public var description: String { "line \(line): \(reason)" }
}
