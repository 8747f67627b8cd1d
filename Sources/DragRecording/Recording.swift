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

    /// An entry.
    public init(time: Int, _ event: WireEvent) {
      self.time = time
      self.event = event
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
