package import XDnDToolWindow
package import XDnD

/// A connection of the library with its event loop, and the tool's options.
package struct DriverSession {
  package let driver: DragAndDrop
  package let loop: EventLoop
  package let options: SharedOptions
  package let reporter: Reporter
  package let tool: String

  package init(_ driver: DragAndDrop, _ options: SharedOptions, _ reporter: Reporter, of tool: String) {
    self.driver = driver
    self.options = options
    self.reporter = reporter
    self.tool = tool
    loop = EventLoop(driver)
  }

  /// Passes events and the desktop's appearance to a window on the driver's connection.
  ///
  /// - Parameter isShown: Whether the window will be shown. Otherwise it gets only events, and screen readers do not
  ///   see it.
  package func connect(_ window: ToolWindow, isShown: Bool = true) {
    driver.onOtherEvent = { [weak window] in _ = window?.handle(event: $0) }
    guard isShown else { return }
    loop.watch(window.iconDescriptor) { [weak window] in window?.takeIcons() }
    loop.watch(window.makeAccessible(as: tool)) { [weak window] in window?.takeAccessibilityRequests() }
    options.appearance.apply(to: window, following: driver)
  }

  /// Runs the loop until it is stopped, a second signal arrives or the server is lost.
  ///
  /// - Parameters:
  ///   - window: A connected window. The caller closes it.
  ///   - onTimeout: Called after the report that `--timeout` has expired; by default it ends the loop.
  ///   - onSignal: Called for the first signal; by default it ends the loop.
  package func run(
    _ window: ToolWindow? = nil, onTimeout: (() -> Void)? = nil, onSignal: (() -> Void)? = nil
  ) -> ExitStatus {
    loop.after(options.timeout) { [loop, reporter] in
      reporter.print(.timedOut)
      if let onTimeout { onTimeout() } else { loop.stop(.timedOut) }
    }
    let status = loop.run { if let onSignal { onSignal() } else { loop.stop(.cancelled) } }
    reporter.progressBar?.erase()
    // If the server was lost during the final animation of a drag, the status does not say so.
    if driver.isClosed { window?.detach() }
    if status == .serverLost { reporter.printServerLost(as: tool) }
    return status
  }
}
