import CBareX11
import Glibc

/// Starts programs and observes their windows. It runs without a window manager, so that each `MapNotify` comes
/// directly from the server.
final class Watcher {
  struct Times {
    /// The time from the start of the process until its window is mapped.
    var mapped: Duration
    /// The time from the start of the process until its window shows something: text has many shades, an empty
    /// background has one.
    var painted: Duration
  }

  private let display: OpaquePointer
  private let root: Window

  init() {
    guard let display = XOpenDisplay(nil) else { fatalError("no display") }
    self.display = display
    root = XDefaultRootWindow(display)
    XSelectInput(display, root, SubstructureNotifyMask)
    XSync(display, 0)
    // Windows may be destroyed while they are inspected.
    XSetErrorHandler { _, _ in 0 }
  }

  /// Starts a program, waits for its window and its first contents, and ends it.
  func measure(_ command: [String], waitsForPicture: Bool) -> Times? {
    drain()
    let start = ContinuousClock.now
    let process = launch(command)
    defer {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      // A round trip: the next program starts after the server has answered, and competes less with the end of this
      // one.
      XSync(display, 0)
    }
    let limit = start + .seconds(20)
    guard let window = mapped(before: limit) else { return nil }
    let mapped = ContinuousClock.now - start
    while waitsForPicture, !isPainted(window) {
      guard ContinuousClock.now < limit else { return nil }
      usleep(200)
    }
    return Times(mapped: mapped, painted: ContinuousClock.now - start)
  }

  private func launch(_ command: [String]) -> pid_t {
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var process = pid_t()
    guard posix_spawn(&process, command[0], &actions, nil, &arguments, environ) == 0 else {
      fatalError("cannot start \(command[0])")
    }
    return process
  }

  private func mapped(before limit: ContinuousClock.Instant) -> Window? {
    while ContinuousClock.now < limit {
      while XPending(display) > 0 {
        var event = XEvent()
        XNextEvent(display, &event)
        // Skips the auxiliary windows that toolkits map.
        if event.type == MapNotify, isVisible(event.xmap.window) { return event.xmap.window }
      }
      var descriptor = pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, 100)
    }
    return nil
  }

  private func isVisible(_ window: Window) -> Bool {
    var attributes = XWindowAttributes()
    return XGetWindowAttributes(display, window, &attributes) != 0 && attributes.map_state == IsViewable
      && attributes.override_redirect == 0 && attributes.width > 16
  }

  private func isPainted(_ window: Window) -> Bool {
    var attributes = XWindowAttributes()
    guard XGetWindowAttributes(display, window, &attributes) != 0,
      let image = XGetImage(
        display, window, 0, 0, UInt32(attributes.width), UInt32(attributes.height), UInt.max, ZPixmap)
    else { return false }
    defer { _ = image.pointee.f.destroy_image(image) }
    let count = Int(image.pointee.bytes_per_line) * Int(image.pointee.height) / 4
    var colors: Set<UInt32> = []
    image.pointee.data.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
      for index in 0..<count where colors.count < 12 { colors.insert(pixels[index] & 0xFFFFFF) }
    }
    return colors.count >= 12
  }

  private func drain() {
    XSync(display, 0)
    while XPending(display) > 0 {
      var event = XEvent()
      XNextEvent(display, &event)
    }
  }
}
