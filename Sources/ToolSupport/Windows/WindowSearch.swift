package import XDnD
internal import XDnDX11

/// Finds the window that the user has named. With `--timeout`, waits until it exists and can be used.
package final class WindowSearch {
  private let find: () throws(WindowChoice.Failure) -> WindowID
  private var state: State

  private enum State {
    case found(WindowID)
    /// The last search has failed. The next one follows when a window changes.
    case awaited(WindowArrivals, WindowChoice.Failure)
  }

  /// Looks for the window. Throws if it is not found and the tool does not wait for it.
  ///
  /// For ``WindowChoice/pick``, call it before creating an ``EventLoop``, which takes over the signals.
  ///
  /// - Parameters:
  ///   - display: A `Display *`.
  ///   - timeout: The value of `--timeout`; without one the tool does not wait.
  ///   - canWait: Whether a window that is not found now may be found later.
  ///   - find: Looks for the window. Only failures with ``ExitStatus/noTarget`` may be temporary.
  package init(
    on display: OpaquePointer, timeout: Double?, canWait: Bool,
    find: @escaping () throws(WindowChoice.Failure) -> WindowID
  ) throws(WindowChoice.Failure) {
    self.find = find
    do {
      state = .found(try find())
    } catch {
      guard canWait, error.status == .noTarget else { throw error }
      guard timeout != nil else {
        throw WindowChoice.Failure("\(error.sentence); with --timeout the tool waits for it", error.status)
      }
      guard let arrivals = WindowArrivals(of: display) else { throw error }
      state = .awaited(arrivals, error)
    }
  }

  /// Why the window is still awaited; `nil` once it is found.
  package var reason: String? {
    if case .awaited(_, let failure) = state { failure.sentence } else { nil }
  }

  /// Calls `completion` at most once: with the window, or with a permanent failure.
  package func run(
    on loop: EventLoop, _ reporter: Reporter,
    completion: @escaping (Result<WindowID, WindowChoice.Failure>) -> Void
  ) {
    switch state {
    case .found(let window): completion(.success(window))
    case .awaited(let arrivals, let failure):
      let sentence = "Waiting: \(Formatting.visible(failure.sentence))."
      reporter.print("waiting", sentence, ["reason": .string(failure.sentence)])
      loop.watch(arrivals.descriptor) { [unowned self] in look(on: loop, completion) }
      // The window may have appeared before the observation began.
      look(on: loop, completion)
    }
  }

  private func look(on loop: EventLoop, _ completion: (Result<WindowID, WindowChoice.Failure>) -> Void) {
    guard case .awaited(let arrivals, _) = state, !loop.isStopping else { return }
    arrivals.drain()
    do {
      let window = try find()
      loop.unwatch(arrivals.descriptor)
      state = .found(window)
      completion(.success(window))
    } catch {
      state = .awaited(arrivals, error)
      guard error.status != .noTarget else { return }
      // Several windows match, for example; waiting does not resolve that.
      loop.unwatch(arrivals.descriptor)
      completion(.failure(error))
    }
  }
}

/// Watches for new windows, and for changes of properties such as titles and `XdndAware`.
///
/// It uses a connection of its own: a client has one event mask on the root window, and the driver's belongs to the
/// library.
package final class WindowArrivals {
  private let display: DisplayHandle
  /// Readable when something may have changed; then call ``drain()``. The object owns the descriptor.
  package let descriptor: CInt

  /// - Parameter other: A `Display *` of the same server.
  /// - Returns: `nil` if a second connection cannot be opened.
  package init?(of other: OpaquePointer) {
    guard let display = DisplayOpening.open(String(cString: XDisplayString(other))) else { return nil }
    self.display = DisplayHandle(display, isOwned: true)
    descriptor = self.display.fileDescriptor
    select(self.display.root)
    for client in ClientWindows(self.display).all() { select(client.window) }
  }

  deinit { display.release() }

  package func drain() {
    while let event = display.nextEvent() {
      // A new window's title and XdndAware may be set later.
      if event.type == CreateNotify { select(WindowID(event.xcreatewindow.window)) }
    }
  }

  /// Also selects events of child windows: a window manager puts client windows into frames.
  private func select(_ window: WindowID) {
    display.request(onError: .swallow) { XSelectInput($0, window.xid, SubstructureNotifyMask | PropertyChangeMask) }
  }
}
