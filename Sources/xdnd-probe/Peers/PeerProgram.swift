import XDnDConformance
import XDnDFiles
import Glibc
import XDnDToolSupport
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

  /// Costs several round trips. A program whose window no longer exists is unidentified.
  init(of window: WindowID, on display: OpaquePointer) {
    self = DisplayHandle.borrowing(display) { PeerProgram(of: window, WindowFamily($0)) }
  }

  /// Identifies a program over a scripted client's connection. These requests belong to no drag: the client does not
  /// report them.
  init(of window: WindowID, seenBy client: ScriptedClient) {
    self = client.isClosed ? PeerProgram() : PeerProgram(of: window, on: client.display)
  }

  private init() {}

  private init(of window: WindowID, _ windows: WindowFamily) {
    let relatives = windows.relatives(of: window)
    process = relatives.firstNonNil { windows.words("_NET_WM_PID", of: $0).first.map { Int($0) } }
    // The class of an ordinary window identifies the program best: the instance name may describe the kind of window,
    // as Firefox's does. A window made only for drags may have a class of its own, as this library's does.
    let ordinary = relatives.filter { windows.isForPeople($0) }
    name =
      ordinary.firstNonNil { window in
        let names = windows.names.classes(of: window)
        return Self.spelling(of: names.program, named: names.instance, title: windows.names.title(of: window))
      }
      ?? relatives.firstNonNil { windows.names.classes(of: $0).instance }
    if name == nil, let process { name = Self.systemName(of: process) }
    title = windows.lineage(of: window).firstNonNil { windows.names.title(of: $0) }
  }

  /// The name and process, for display.
  var description: String {
    let name = self.name.map { Formatting.visible($0) }
    return [name, process.map { "process \($0)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns a program's class in the program's own spelling.
  ///
  /// The class is often the instance name with a capital letter that a toolkit has put there, such as `Gtk4-demo`. A
  /// title that contains the class shows that the program itself uses this spelling, as Thunar does.
  ///
  /// - Parameter title: The title of the window; evaluated only if the two differ in case alone.
  static func spelling(of program: String?, named instance: String?, title: @autoclosure () -> String?) -> String? {
    guard let program, let instance, program != instance, program.lowercased() == instance.lowercased() else {
      return program
    }
    return title()?.contains(program) == true ? program : instance
  }

  /// Returns the process name: the first 15 bytes of the executable's name.
  private static func systemName(of process: Int) -> String? {
    guard let file = try? openFile(Array("/proc/\(process)/comm".utf8), O_RDONLY) else { return nil }
    defer { close(file) }
    guard let bytes = try? readAll(from: file, upTo: 64), !bytes.isEmpty else { return nil }
    return String(decoding: bytes.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

extension Recording.Peer {
  init(of window: WindowID, seenBy client: ScriptedClient) {
    let program = PeerProgram(of: window, seenBy: client)
    self.init(window: window, program: program.name, processID: program.process)
  }
}

/// The windows of a display, and their relations.
private struct WindowFamily {
  let names: WindowNames
  private let display: DisplayHandle
  private let windows: WindowQueries
  private let properties: Properties

  init(_ display: DisplayHandle) {
    self.display = display
    names = WindowNames(display)
    windows = WindowQueries(display)
    properties = Properties(display, AtomTable(display))
  }

  /// Returns the window, its ancestors and their leaders, followed by the other windows of the same connection that
  /// are managed or children of the root window.
  func relatives(of window: WindowID) -> [WindowID] {
    func client(of window: WindowID) -> ClientID { ClientID(of: window, resourceMask: display.resourceMask) }
    var found: [WindowID] = []
    func note(_ candidate: WindowID) {
      if client(of: candidate) == client(of: window), !found.contains(candidate) { found.append(candidate) }
    }
    for ancestor in lineage(of: window) {
      note(ancestor)
      for leader in words("WM_CLIENT_LEADER", of: ancestor) { note(WindowID(rawValue: leader)) }
    }
    for other in words("_NET_CLIENT_LIST", of: display.root) { note(WindowID(rawValue: other)) }
    for other in windows.family(of: display.root)?.children ?? [] { note(other) }
    return found
  }

  /// Returns the window and its ancestors, without the root window.
  func lineage(of window: WindowID) -> [WindowID] {
    window == .none || window == display.root ? [] : [window] + windows.ancestors(of: window)
  }

  /// Whether the window is mapped and managed by the window manager.
  func isForPeople(_ window: WindowID) -> Bool {
    windows.state(of: window).map { !$0.isUnmanaged && $0.isMapped } ?? false
  }

  func words(_ name: String, of window: WindowID) -> [UInt32] {
    properties.words(in: AtomName(name), of: window, type: nil, limit: 4096) ?? []
  }
}
