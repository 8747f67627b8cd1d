import CX11
import Glibc
import ToolSupport

/// The program that a window belongs to, as far as windows tell.
///
/// Sources of drags are often windows that nobody sees and nothing is written on. But a program writes on one of its
/// windows who it is, and the server gives the windows of one connection numbers that begin alike.
struct PeerProgram: Equatable {
  /// What it calls itself, or what the system does.
  var name: String?
  var process: Int?

  /// Asks the server: some round trips.
  ///
  /// - Parameter window: May be gone already; then nothing is known.
  init(of window: UInt32, on display: OpaquePointer) {
    // Errors of earlier requests are for whoever made those. Ours are about windows that are gone.
    XSync(display, 0)
    let previous = XSetErrorHandler { _, _ in 0 }
    defer { _ = XSetErrorHandler(previous) }
    let windows = WindowFamily(display)
    let relatives = windows.relatives(of: CX11.Window(window))
    process = relatives.lazy.compactMap { windows.words("_NET_WM_PID", of: $0).first.map { Int($0) } }.first
    // What is only made for drags may say so, and not what program it is for.
    let ordinary = relatives.filter { windows.isForPeople($0) }
    name = (ordinary + relatives).lazy.compactMap { windows.className(of: $0) }.first
    if name == nil, let process { name = Self.systemName(of: process) }
  }

  /// For people.
  var description: String {
    let name = self.name.map { Humane.visible($0) }
    return [name, process.map { "process \($0)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// The first 15 bytes of the program's file name.
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

/// The windows of a display, and what is written on them.
private struct WindowFamily {
  private let display: OpaquePointer
  private let root: CX11.Window

  init(_ display: OpaquePointer) {
    self.display = display
    root = XDefaultRootWindow(display)
  }

  /// The window itself, those that it is in, their leaders, and then the other windows of the same connection that lie
  /// on the root window or are managed.
  func relatives(of window: CX11.Window) -> [CX11.Window] {
    var found: [CX11.Window] = []
    func note(_ candidate: CX11.Window) {
      if isAlike(candidate, window), !found.contains(candidate) { found.append(candidate) }
    }
    var next = window
    // No tree of windows is that deep.
    for _ in 0..<32 where next != 0 && next != root {
      note(next)
      for leader in words("WM_CLIENT_LEADER", of: next) { note(CX11.Window(leader)) }
      next = family(of: next).parent
    }
    for other in words("_NET_CLIENT_LIST", of: root) { note(CX11.Window(other)) }
    for other in family(of: root).children { note(other) }
    return found
  }

  /// Whether both have been made by one connection: what its resources have in common is above the 21 bits that servers
  /// leave to it, or fewer, where they serve more than 256 connections.
  private func isAlike(_ one: CX11.Window, _ other: CX11.Window) -> Bool { one & ~Self.mask == other & ~Self.mask }

  private static let mask: CX11.Window = 0x1F_FFFF

  /// Whether a window manager would touch it.
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

  /// The second of the two names in `WM_CLASS`: the program's own, and not that of the window.
  func className(of window: CX11.Window) -> String? {
    var hint = XClassHint()
    guard XGetClassHint(display, window, &hint) != 0 else { return nil }
    defer {
      XFree(hint.res_name)
      XFree(hint.res_class)
    }
    guard let name = hint.res_class.map({ String(cString: $0) }), !name.isEmpty else { return nil }
    return name
  }

  /// The numbers in a property; none if there is no such property.
  func words(_ property: String, of window: CX11.Window) -> [UInt32] {
    let name = XInternAtom(display, property, 1)
    guard name != 0 else { return [] }
    var type: CX11.Atom = 0
    var (format, count, rest): (Int32, UInt, UInt) = (0, 0, 0)
    var data: UnsafeMutablePointer<UInt8>?
    guard
      XGetWindowProperty(
        display, window, name, 0, 4096, 0, CX11.Atom(AnyPropertyType), &type, &format, &count, &rest, &data)
        == Success
    else { return [] }
    defer { if let data { XFree(data) } }
    guard let data, format == 32 else { return [] }
    // Words of 32 bits lie in longs.
    return UnsafeRawPointer(data).withMemoryRebound(to: UInt.self, capacity: Int(count)) { longs in
      (0..<Int(count)).map { UInt32(truncatingIfNeeded: longs[$0]) }
    }
  }
}
