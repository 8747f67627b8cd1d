import CX11
import Glibc
import RawPeer
import ToolSupport
import XDnD

/// The program that owns a window, as far as its windows identify it.
///
/// A drag's source window is often hidden and has no properties. But another window of the same connection usually
/// names the program, and the server gives all window IDs of a connection a common prefix.
struct PeerProgram: Equatable {
  /// The program's own name, or the process name.
  var name: String?
  var process: Int?
  /// The title of the window or of one of its ancestors.
  var title: String?

  /// Creates a program of which nothing is known.
  init() {}

  /// Identifies a program. Costs several round trips.
  ///
  /// - Parameter window: A window that may no longer exist; the program is then unidentified.
  init(of window: WindowID, on display: OpaquePointer) {
    // Errors of earlier requests belong to the installed error handler. Errors from here on concern destroyed windows
    // and are ignored.
    XSync(display, 0)
    let previous = XSetErrorHandler { _, _ in 0 }
    defer { _ = XSetErrorHandler(previous) }
    let windows = WindowFamily(display)
    let window = CX11.Window(window.rawValue)
    let relatives = windows.relatives(of: window)
    process = relatives.lazy.compactMap { windows.words("_NET_WM_PID", of: $0).first.map { Int($0) } }.first
    // The class of an ordinary window identifies the program best: the instance name may describe the kind of window,
    // as Firefox's does. A window made only for drags may have a class of its own, as this library's does.
    let ordinary = relatives.filter { windows.isForPeople($0) }
    name =
      ordinary.lazy.compactMap { windows.names(of: $0)?.type }.first
      ?? relatives.lazy.compactMap { windows.names(of: $0)?.instance }.first
    if name == nil, let process { name = Self.systemName(of: process) }
    title = windows.lineage(of: window).lazy.compactMap { windows.title(of: $0) }.first
  }

  /// The name and process, for display.
  var description: String {
    let name = self.name.map { Humane.visible($0) }
    return [name, process.map { "process \($0)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the process name: the first 15 bytes of the executable's name.
  private static func systemName(of process: Int) -> String? {
    let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

extension RawPeer {
  /// Returns the program that owns a window. These requests belong to no drag and are not observed.
  func program(of window: WindowID) -> PeerProgram {
    isClosed ? PeerProgram() : PeerProgram(of: window, on: display)
  }
}

/// Access to the windows of a display and their properties.
private struct WindowFamily {
  private let display: OpaquePointer
  private let root: CX11.Window

  init(_ display: OpaquePointer) {
    self.display = display
    root = XDefaultRootWindow(display)
  }

  /// Returns the window, its ancestors and their leaders, followed by the other windows of the same connection that
  /// are managed or children of the root window.
  func relatives(of window: CX11.Window) -> [CX11.Window] {
    var found: [CX11.Window] = []
    func note(_ candidate: CX11.Window) {
      if isAlike(candidate, window), !found.contains(candidate) { found.append(candidate) }
    }
    for ancestor in lineage(of: window) {
      note(ancestor)
      for leader in words("WM_CLIENT_LEADER", of: ancestor) { note(CX11.Window(leader)) }
    }
    for other in words("_NET_CLIENT_LIST", of: root) { note(CX11.Window(other)) }
    for other in family(of: root).children { note(other) }
    return found
  }

  /// Returns the window and its ancestors, without the root window.
  func lineage(of window: CX11.Window) -> [CX11.Window] {
    // A limit for the depth of the window tree.
    Array(sequence(first: window) { family(of: $0).parent }.prefix(32).prefix { $0 != 0 && $0 != root })
  }

  /// Whether both windows were created by the same connection. A server gives each connection an ID prefix above the
  /// low 21 bits, or above fewer bits if it serves more than 256 connections.
  private func isAlike(_ one: CX11.Window, _ other: CX11.Window) -> Bool { one & ~Self.mask == other & ~Self.mask }

  private static let mask: CX11.Window = 0x1F_FFFF

  /// Whether the window is mapped and managed by the window manager.
  func isForPeople(_ window: CX11.Window) -> Bool {
    var attributes = XWindowAttributes()
    return XGetWindowAttributes(display, window, &attributes) != 0 && attributes.override_redirect == 0
      && attributes.map_state != IsUnmapped
  }

  private func family(of window: CX11.Window) -> (parent: CX11.Window, children: [CX11.Window]) {
    var (root, parent): (CX11.Window, CX11.Window) = (0, 0)
    var children: UnsafeMutablePointer<CX11.Window>?
    var count: UInt32 = 0
    guard XQueryTree(display, window, &root, &parent, &children, &count) != 0 else { return (0, []) }
    defer { if let children { XFree(children) } }
    return (parent, Array(UnsafeBufferPointer(start: children, count: Int(count))))
  }

  /// Returns the instance and class names in `WM_CLASS`; `nil` if there are none.
  func names(of window: CX11.Window) -> (instance: String?, type: String?)? {
    var hint = XClassHint()
    guard XGetClassHint(display, window, &hint) != 0 else { return nil }
    defer {
      XFree(hint.res_name)
      XFree(hint.res_class)
    }
    func text(_ name: UnsafeMutablePointer<CChar>?) -> String? {
      name.flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
    }
    return (text(hint.res_name), text(hint.res_class))
  }

  func title(of window: CX11.Window) -> String? {
    let title = property("_NET_WM_NAME", of: window, format: 8) { String(decoding: $0, as: UTF8.self) }
    return title ?? property("WM_NAME", of: window, format: 8) { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the 32-bit values of a property; empty if there is no such property.
  func words(_ name: String, of window: CX11.Window) -> [UInt32] {
    // Xlib stores 32-bit values in C longs.
    property(name, of: window, format: 32) { $0.bindMemory(to: UInt.self).map { UInt32(truncatingIfNeeded: $0) } } ?? []
  }

  private func property<Value>(
    _ property: String, of window: CX11.Window, format expected: Int32, _ read: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    let name = XInternAtom(display, property, 1)
    guard name != 0 else { return nil }
    var type: CX11.Atom = 0
    var (format, count, rest): (Int32, UInt, UInt) = (0, 0, 0)
    var data: UnsafeMutablePointer<UInt8>?
    guard
      XGetWindowProperty(
        display, window, name, 0, 4096, 0, CX11.Atom(AnyPropertyType), &type, &format, &count, &rest, &data)
        == Success
    else { return nil }
    defer { if let data { XFree(data) } }
    guard let data, format == expected else { return nil }
    return read(UnsafeRawBufferPointer(start: data, count: Int(count) * (format == 32 ? MemoryLayout<UInt>.size : 1)))
  }
}
