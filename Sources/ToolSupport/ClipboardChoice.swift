package import ArgumentParser
package import XDnD

/// The options `--clipboard` and `--primary`, which exclude each other.
package enum ClipboardChoice: String, EnumerableFlag, Sendable {
  case clipboard, primary

  package static func help(for value: ClipboardChoice) -> ArgumentHelp? {
    switch value {
    case .clipboard: "Use the clipboard instead of a drag."
    case .primary: .hidden("Use the primary selection instead of a drag.")
    }
  }

  /// The selection's name in messages.
  package var name: String { self == .clipboard ? "the clipboard" : "the primary selection" }

  package func clipboard(of driver: DragAndDrop) -> Clipboard {
    self == .clipboard ? driver.clipboard : driver.primarySelection
  }
}
