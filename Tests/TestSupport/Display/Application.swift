package import Testing

/// A program that people use, as Debian has it.
package enum Application: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case dolphin = "Dolphin"
  case emacs = "Emacs"
  case engrampa = "Engrampa"
  case gedit
  case gThumb

  package var testDescription: String { rawValue }

  /// Of its windows (`WM_CLASS`).
  package var windowClass: String {
    switch self {
    case .dolphin: "dolphin"
    case .emacs: "Emacs"
    case .engrampa: "Engrampa"
    case .gedit: "Gedit"
    case .gThumb: "Gthumb"
    }
  }

  /// The program and what it is always told.
  private var command: [String] {
    switch self {
    case .dolphin: ["dolphin"]
    case .emacs: ["emacs", "--quick"]
    case .engrampa: ["engrampa"]
    case .gedit: ["gedit"]
    case .gThumb: ["gthumb"]
    }
  }

  /// Opens a window of it, at `XServer.fileManagerWindow`.
  ///
  /// The process is the one that has the window: there is no session bus on which it could find an older one.
  package func launch(opening file: String?, on server: XServer) throws -> ChildProcess {
    try server.launch(command[0], command.dropFirst() + [file].compactMap(\.self))
  }
}

extension Trait where Self == ConditionTrait {
  /// An application, from the Debian package that has it.
  package static func requires(_ application: Application) -> Self {
    switch application {
    case .dolphin: requires(program: "dolphin")
    case .emacs: requires(program: "emacs", package: "emacs-gtk")
    case .engrampa: requires(program: "engrampa")
    case .gedit: requires(program: "gedit")
    case .gThumb: requires(program: "gthumb")
    }
  }
}
