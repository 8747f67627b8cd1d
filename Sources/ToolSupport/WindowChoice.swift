package import XDnD

/// How the user names a window: by number, by name or with a click.
package enum WindowChoice: Hashable, Sendable {
  /// A window ID: `0x400002`, or decimal as in JSON.
  case id(WindowID)
  /// The title or class of a window, or a part of it.
  case name(String)
  /// The window that the user clicks on.
  case pick

  /// The reason why no window was found.
  package struct Failure: Error, Equatable {
    package let sentence: String
    /// The exit status for a tool that cannot continue.
    package let status: ExitStatus

    package init(_ sentence: String, _ status: ExitStatus) {
      self.sentence = sentence
      self.status = status
    }
  }

  /// Parses an argument. What is neither a number nor `pick` is a name.
  @Sendable package init(argument: String) {
    let isHexadecimal = argument.hasPrefix("0x") || argument.hasPrefix("0X")
    if argument == "pick" {
      self = .pick
    } else if let number = isHexadecimal ? UInt32(argument.dropFirst(2), radix: 16) : UInt32(argument) {
      self = .id(WindowID(rawValue: number))
    } else {
      self = .name(argument)
    }
  }

  /// Returns the chosen window. Throws ``Failure`` if there is none, or if a name is ambiguous.
  ///
  /// ``pick`` blocks until the user clicks, and removes only its own events from the queue. Call it before creating an
  /// ``EventLoop``, which would catch the signals that end the wait.
  ///
  /// - Parameter display: A `Display *`.
  package func resolve(on display: OpaquePointer) throws(Failure) -> WindowID {
    try DisplayHandle.borrowing(display) { handle throws(Failure) in
      let clients = ClientWindows(handle)
      switch self {
      case .id(let window):
        guard clients.size(of: window) != nil else { throw Failure("window \(window) does not exist", .noTarget) }
        return window
      case .name(let name): return try Self.window(named: name, among: clients.all())
      case .pick: return try WindowPicker(display, clients).pick()
      }
    }
  }

  /// Returns a window's size in pixels; `nil` if the window does not exist.
  package static func size(of window: WindowID, on display: OpaquePointer) -> (width: Int, height: Int)? {
    DisplayHandle.borrowing(display) { ClientWindows($0).size(of: window) }
  }

  /// Returns a window's upper left corner in root coordinates; `nil` if the window does not exist.
  package static func origin(of window: WindowID, on display: OpaquePointer) -> Point? {
    DisplayHandle.borrowing(display) { ClientWindows($0).origin(of: window) }
  }

  /// Finds the window with a name. A window that the user can find precedes the others, a full match a partial one, and a
  /// title a class, which all windows of a program share.
  static func window(named name: String, among clients: [ClientWindows.Client]) throws(Failure) -> WindowID {
    let part = name.lowercased()
    let readings: [(ClientWindows.Client) -> Bool] = [
      { $0.title == name }, { $0.classes.contains(name) }, { $0.names.contains { $0.lowercased().contains(part) } },
    ]
    let matches =
      [clients.filter(\.isFindable), clients].lazy.flatMap { clients in readings.map { clients.filter($0) } }
      .first { !$0.isEmpty } ?? []
    guard let first = matches.first else { throw Failure("no window named '\(name)'", .noTarget) }
    guard matches.count == 1 else {
      let list = matches.map { "\($0.window) '\($0.title)'" }.joined(separator: ", ")
      throw Failure("'\(name)' matches \(matches.count) windows: \(list)", .usage)
    }
    return first.window
  }
}
