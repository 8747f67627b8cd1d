package import XDnDX11
import Foundation
import Glibc
import Testing
package import XDnD

/// One of the two programs, as it was built.
package enum Tool: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case source = "xdnd-source"
  case probe = "xdnd-probe"

  package var testDescription: String { rawValue }

  /// Runs it to its end without any display but those that `arguments` name.
  package func run(_ arguments: [String]) async throws -> (status: ExitStatus, output: String, errors: String) {
    var environment = ProcessInfo.processInfo.environment
    for name in ["DISPLAY", "COLUMNS", "LINES"] { environment[name] = nil }
    let process = try ChildProcess(BuiltProducts.executable(rawValue), arguments, environment: environment)
    let status = try await process.exit()
    return (status, process.output.text, process.errors.text)
  }
}

extension DragScene {
  /// Both tools with JSON lines, side by side. The probe's window comes last, so that a window manager that makes new
  /// windows active ends with the probe.
  package static func tools(
    on server: XServer, source: [String], probe: [String] = []
  ) async throws -> DragScene {
    let source = try server.launchSource(sourceGeometry, source)
    let start = try await readyPoint(of: source)
    let probe = try server.launchProbe(targetGeometry, probe)
    return DragScene(
      server: server, pointer: try Pointer(server), source: source, target: probe, start: start,
      end: try await readyPoint(of: probe))
  }

  /// A place where nothing takes drops.
  package static let nowhere = Point(x: 450, y: 600)

  /// Presses over the source and carries the drag to where nothing takes drops.
  package func carryNowhere() async throws {
    try await pointer.drag(along: [start, Self.nowhere])
    try await source.waitFor("drag-began")
  }

  /// Drags to the probe and waits for its yes, with the button still down.
  package func carryUntilAccepted() async throws {
    try await carry()
    try await source.waitFor("proposal") { $0.string("operation") != nil }
  }

  /// Drops, and says what came out on both sides.
  package func drop() async throws -> (data: JSONLine, source: JSONLine, probe: JSONLine) {
    pointer.release()
    let data = try await target.waitFor("data")
    return (data, try await source.waitFor("ended"), try await target.waitFor("ended"))
  }
}

extension ChildProcess {
  /// The next line with this event that fulfils `condition`.
  @discardableResult
  package func waitFor(
    _ event: String, timeout: Duration = .seconds(20), where condition: @escaping @Sendable (JSONLine) -> Bool
  ) async throws -> JSONLine {
    while true {
      let line = try await waitFor(event, timeout: timeout)
      if condition(line) { return line }
    }
  }

  /// Waits until `count` drags have ended, and returns their outcomes.
  ///
  /// Reads all lines from the first: a drag may end before or after the next one begins, and a wait for that beginning
  /// skips the `ended` line before it.
  package func outcomes(ofDrags count: Int, timeout: Duration = .seconds(20)) async throws -> Set<String> {
    let outcomes = try await within(timeout) { [lines] in
      var outcomes: [String] = []
      for await line in lines {
        guard let report = JSONLine(line), report.event == "ended" else { continue }
        outcomes.append(report.string("outcome") ?? "")
        if outcomes.count == count { break }
      }
      return outcomes
    }
    guard let outcomes, outcomes.count == count else { throw failure("did not end \(count) drags within \(timeout)") }
    return Set(outcomes)
  }

  /// The lines that it has printed with this event.
  package func printed(_ event: String) -> [JSONLine] {
    output.completeLines.compactMap(JSONLine.init).filter { $0.event == event }
  }
}

extension XlibPeer {
  /// Asks a window to close, as a window manager does.
  package func close(_ window: Int) {
    let id = WindowID(rawValue: UInt32(window))
    send("WM_PROTOCOLS", [Int(bitPattern: atom("WM_DELETE_WINDOW")), 0, 0, 0, 0], to: id)
  }

  /// Whether pointer and keyboard can be had; they are given back at once.
  package var isInputFree: Bool {
    let pointer = XGrabPointer(display, root, False, 0, GrabModeAsync, GrabModeAsync, 0, 0, Time(CurrentTime))
    let keyboard = XGrabKeyboard(display, root, False, GrabModeAsync, GrabModeAsync, Time(CurrentTime))
    XUngrabKeyboard(display, Time(CurrentTime))
    XUngrabPointer(display, Time(CurrentTime))
    sync()
    return pointer == GrabSuccess && keyboard == GrabSuccess
  }

  /// The window that owns the selection of drags; 0 for none.
  package var dragOwner: Window { XGetSelectionOwner(display, atom("XdndSelection")) }

  package func propertyNames(of window: Window) -> Set<String> {
    var count: Int32 = 0
    guard let atoms = XListProperties(display, window, &count) else { return [] }
    defer { XFree(atoms) }
    return Set(
      (0..<Int(count)).compactMap { index in
        guard let name = XGetAtomName(display, atoms[index]) else { return nil }
        defer { XFree(name) }
        return String(cString: name)
      })
  }

  /// All properties of a window: the number of the type, the format, and the bytes.
  package func properties(of window: WindowID) -> [String: [UInt64]] {
    propertyNames(of: window.xid).reduce(into: [:]) { found, name in
      var (type, format, count, left) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
      var data: UnsafeMutablePointer<UInt8>?
      XGetWindowProperty(
        display, window.xid, atom(name), 0, 1 << 20, False, XDnDX11.Atom(AnyPropertyType), &type, &format, &count,
        &left,
        &data)
      defer { if let data { XFree(data) } }
      // Xlib gives what has 32 bits on the wire as longs.
      let size = Int(count) * (format == 32 ? MemoryLayout<Int>.size : Int(format) / 8)
      found[name] = [UInt64(type), UInt64(format)] + UnsafeBufferPointer(start: data, count: size).map(UInt64.init)
    }
  }

  /// What is left of the properties that `isUnwanted` names, as soon as there are none, or after five seconds.
  package func remains(on window: Window, where isUnwanted: (String) -> Bool) -> Set<String> {
    XSelectInput(display, window, PropertyChangeMask)
    let deadline = ContinuousClock.now + .seconds(5)
    while true {
      let left = propertyNames(of: window).filter(isUnwanted)
      guard !left.isEmpty, .now < deadline else { return left }
      _ = event(PropertyNotify)
    }
  }
}
