public import XDnD

/// A drag as one of its two ends has seen it.
public struct Recording: Hashable, Sendable {
  /// Which end wrote it down.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// The one that drags.
    case source
    /// The one that is dropped on.
    case target
  }

  /// Who the other side is, as far as it says so.
  public struct Peer: Hashable, Sendable {
    /// The window that it speaks for.
    public var window: WindowID?
    /// The name of the program: `WM_CLASS`, or of its executable.
    public var program: String?
    /// `_NET_WM_PID`, or what the server knows of the connection.
    public var processID: Int?

    /// A peer.
    public init(window: WindowID? = nil, program: String? = nil, processID: Int? = nil) {
      self.window = window
      self.program = program
      self.processID = processID
    }
  }

  /// The window that is dropped on, and where it is.
  public struct Target: Hashable, Sendable {
    /// The window that messages are about.
    public var window: WindowID
    /// Without its border, in pixels of the root window.
    public var frame: Rect

    /// A window.
    public init(window: WindowID, frame: Rect) {
      self.window = window
      self.frame = frame
    }
  }

  /// What happened, and when.
  public struct Entry: Hashable, Sendable {
    /// Microseconds since the recording began.
    public var time: Int
    /// What happened.
    public var event: WireEvent
    /// Whether the recorder did it by itself, so that the recording has it: requests for all content, where a target takes
    /// what it can use. It says nothing of how targets behave, and comparisons leave it out.
    public var isRecordersOwn: Bool
    /// Of an `XdndDrop`: whether a client held the pointer when it came. `nil` if the recorder does not know.
    public var isPointerGrabbed: Bool?

    /// An entry.
    public init(time: Int, _ event: WireEvent, isRecordersOwn: Bool = false, isPointerGrabbed: Bool? = nil) {
      self.time = time
      self.event = event
      self.isRecordersOwn = isRecordersOwn
      self.isPointerGrabbed = isPointerGrabbed
    }
  }

  /// Which end wrote it down.
  public var role: Role
  /// The other end.
  public var peer = Peer()
  /// What was dropped on, so that places can be found again in a window that is elsewhere.
  public var target: Target?
  /// The display's name.
  public var display: String?
  /// When it began, as ISO 8601 has it: `2026-11-21T16:20:05Z`.
  public var date: String?
  /// In the order in which it happened.
  public var entries: [Entry] = []

  /// An empty recording.
  public init(role: Role) {
    self.role = role
  }
}
