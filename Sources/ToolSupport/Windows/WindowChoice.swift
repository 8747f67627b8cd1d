package import XDnD
internal import XDnDX11
internal import Glibc

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

  /// Parses an argument. Anything except a number and `pick` is a name.
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
  /// ``EventLoop``, which takes over the signals.
  ///
  /// - Parameters:
  ///   - display: A `Display *`.
  ///   - timeout: How long the user may take to click, in seconds; `nil` without a limit.
  package func resolve(on display: OpaquePointer, within timeout: Double? = nil) throws(Failure) -> WindowID {
    try DisplayHandle.borrowing(display) { handle throws(Failure) in
      let clients = ClientWindows(handle)
      switch self {
      case .id(let window):
        guard clients.size(of: window) != nil else { throw Failure("window \(window) does not exist", .noTarget) }
        return window
      case .name(let name): return try Self.window(named: name, among: clients.all())
      case .pick:
        let limit = timeout.map { ContinuousClock.now + .seconds($0) }
        return try WindowPicker(display: display, clients: clients, limit: limit).pick()
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

  /// Finds the window with a name. Prefers windows that the user can find; then titles to classes, which all windows of
  /// a program share, and both to partial matches.
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

/// Lets the user choose a window with a click, while it grabs pointer and keyboard.
struct WindowPicker {
  let display: OpaquePointer
  let clients: ClientWindows
  /// When the wait ends; `nil` without a limit.
  let limit: ContinuousClock.Instant?

  /// Waits for a click with the first button. Any other button and Escape cancel.
  func pick() throws(WindowChoice.Failure) -> WindowID {
    // 34 is `XC_crosshair` of the cursor font.
    let cursor = XCreateFontCursor(display, 34)
    defer {
      XUngrabKeyboard(display, XDnDX11.Time(CurrentTime))
      XUngrabPointer(display, XDnDX11.Time(CurrentTime))
      XFreeCursor(display, cursor)
      XSync(display, 0)
    }
    guard grab(with: cursor) else {
      throw WindowChoice.Failure(
        "cannot pick a window: another program holds the pointer or the keyboard", .cancelled)
    }
    while true {
      var event = try nextEvent(ButtonPressMask | KeyPressMask)
      if event.type == ButtonPress {
        let press = event.xbutton
        // Waits for the release, which would otherwise go to the chosen window without its press.
        while event.type != ButtonRelease || event.xbutton.button != press.button {
          event = try nextEvent(ButtonReleaseMask)
        }
        return try window(clickedBy: press)
      }
      if XLookupKeysym(&event.xkey, 0) == XK_Escape { throw .cancelled }
    }
  }

  /// Waits for an event, unless the time is over or a signal asks the tool to end.
  private func nextEvent(_ mask: Int) throws(WindowChoice.Failure) -> XEvent {
    var event = XEvent()
    while XCheckMaskEvent(display, mask, &event) == 0 {
      if TerminationSignals.haveArrived { throw .cancelled }
      if let limit, limit <= .now { throw WindowChoice.Failure("no window was picked in time", .timedOut) }
      var connection = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
      poll(&connection, 1, limit?.pollTimeout ?? -1)
    }
    return event
  }

  private func window(clickedBy press: XButtonEvent) throws(WindowChoice.Failure) -> WindowID {
    guard press.button == 1 else { throw .cancelled }
    guard press.subwindow != 0 else { throw WindowChoice.Failure("no window at the pointer", .noTarget) }
    return clients.client(in: WindowID(press.subwindow))
  }

  /// Retries for a second: the shortcut or menu that started the tool may still hold a grab.
  private func grab(with cursor: XDnDX11.Cursor) -> Bool {
    let root = XDefaultRootWindow(display)
    for _ in 0..<50 {
      // The keyboard first, so that Escape works as soon as the cursor changes.
      let keyboard = XGrabKeyboard(display, root, 0, GrabModeAsync, GrabModeAsync, XDnDX11.Time(CurrentTime))
      if keyboard == GrabSuccess {
        let pointer = XGrabPointer(
          display, root, 0, UInt32(ButtonPressMask | ButtonReleaseMask), GrabModeAsync, GrabModeAsync, 0, cursor,
          XDnDX11.Time(CurrentTime))
        if pointer == GrabSuccess { return true }
        // Both grabs or none: otherwise, two programs could each wait for the other's grab.
        XUngrabKeyboard(display, XDnDX11.Time(CurrentTime))
        XFlush(display)
      }
      usleep(20_000)
    }
    return false
  }
}

extension WindowChoice.Failure {
  fileprivate static let cancelled = WindowChoice.Failure("no window was picked", .cancelled)
}
