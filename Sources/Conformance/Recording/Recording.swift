package import XDnD

/// A recorded drag: the wire events that one of its two ends saw. See `docs/recordings.md` for the file format.
package struct Recording: Hashable, Sendable {
  /// The end of the drag that made the recording.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    case source
    case target
  }

  /// The program at the other end. Each property is `nil` if unknown.
  package struct Peer: Hashable, Sendable {
    /// The window that the peer names in its messages.
    package var window: WindowID?
    /// The program's name, from `WM_CLASS` or from its executable.
    package var program: String?
    /// The process ID, from `_NET_WM_PID`.
    package var processID: Int?

    package init(window: WindowID? = nil, program: String? = nil, processID: Int? = nil) {
      self.window = window
      self.program = program
      self.processID = processID
    }
  }

  /// The drop target's window and its location.
  package struct Target: Hashable, Sendable {
    /// The window that XDND messages are addressed to.
    package var window: WindowID
    /// The window's frame without its border, in root pixels.
    package var frame: Rect

    package init(window: WindowID, frame: Rect) {
      self.window = window
      self.frame = frame
    }
  }

  package struct Entry: Hashable, Sendable {
    /// Microseconds since the beginning of the recording.
    package var time: Int
    package var event: WireEvent
    /// Whether the entry is a request for content that the recorder made only to record every type: a real target
    /// requests only the type that it uses. Comparisons ignore these entries.
    package var isRecordersOwn: Bool
    /// For an `XdndDrop`: whether a client had grabbed the pointer when the message arrived. `nil` if unknown.
    package var isPointerGrabbed: Bool?

    package init(time: Int, _ event: WireEvent, isRecordersOwn: Bool = false, isPointerGrabbed: Bool? = nil) {
      self.time = time
      self.event = event
      self.isRecordersOwn = isRecordersOwn
      self.isPointerGrabbed = isPointerGrabbed
    }
  }

  package var role: Role
  package var peer = Peer()
  /// The target window. A replay uses its frame to convert recorded positions to a window elsewhere.
  package var target: Target?
  /// The name of the X display.
  package var display: String?
  /// When the recording began, in ISO 8601: `2026-11-21T16:20:05Z`.
  package var date: String?
  /// The events in the order in which they happened.
  package var entries: [Entry] = []

  package init(role: Role) {
    self.role = role
  }
}

/// An error in a recording file, with its line.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  package let line: Int
  /// The reason, as a phrase without a full stop.
  package let reason: String

  /// The error as a message: `line 12: a message must have five words, not 4`.
  package var description: String { "line \(line): \(reason)" }
}
