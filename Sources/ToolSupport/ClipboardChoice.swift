public import ArgumentParser
public import XDnD

/// The options `--clipboard` and `--primary`, which exclude each other.
public enum ClipboardChoice: String, EnumerableFlag, Sendable {
  /// The clipboard: `CLIPBOARD`.
  case clipboard
  /// The selected content: `PRIMARY`.
  case primary

  /// The help text of an option.
  public static func help(for value: ClipboardChoice) -> ArgumentHelp? {
    switch value {
    case .clipboard: "Use the clipboard instead of a drag."
    case .primary: "Use the primary selection instead of a drag."
    }
  }

  /// The selection's name in messages.
  public var name: String { self == .clipboard ? "the clipboard" : "the primary selection" }

  /// The library's object for this selection.
  public func clipboard(of driver: DragAndDrop) -> Clipboard {
    self == .clipboard ? driver.clipboard : driver.primarySelection
  }
}
