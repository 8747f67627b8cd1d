import Foundation
import TestSupport
import Testing

/// A real file manager. It is not called `FileManager`, which Foundation has.
enum FileManagerPeer: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case thunar = "Thunar"
  case pcmanfm = "PCManFM"

  var testDescription: String { rawValue }

  /// Opens a folder in a window, at `XServer.fileManagerWindow`.
  ///
  /// The process is the one that has the window: Thunar looks for an older one on the session bus, of which the
  /// harness has none, and PCManFM in the runtime directory, which is the display's own. Neither asks anything at its
  /// first start, and both show icons, in rows from the upper left.
  func launch(showing folder: String, on server: XServer) throws -> ChildProcess {
    // Drags that follow each other quickly begin with two presses at one place, which would open the file.
    let setting = "gtk-double-click-time=0\n"
    let gtk3 = "home/.config/gtk-3.0"
    try FileManager.default.createDirectory(atPath: server.directory(gtk3), withIntermediateDirectories: true)
    _ = try server.directory.write("[Settings]\n\(setting)".utf8, to: "\(gtk3)/settings.ini")
    _ = try server.directory.write(setting.utf8, to: "home/.gtkrc-2.0")
    switch self {
    case .thunar: return try server.launch("thunar", [folder])
    case .pcmanfm: return try server.launch("pcmanfm", ["--no-desktop", folder])
    }
  }
}

/// The keys that are held during a drag, and the operation that both file managers mean by them.
enum DragKeys: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case none = "no key"
  case control = "Ctrl"
  case shift = "Shift"
  case controlShift = "Ctrl+Shift"

  var testDescription: String { rawValue }

  /// As `Pointer` names them.
  var names: [String] {
    switch self {
    case .none: []
    case .control: ["Control_L"]
    case .shift: ["Shift_L"]
    case .controlShift: ["Control_L", "Shift_L"]
    }
  }

  /// As the tools name it.
  var operation: String {
    switch self {
    case .none, .control: "copy"
    case .shift: "move"
    case .controlShift: "link"
    }
  }
}
