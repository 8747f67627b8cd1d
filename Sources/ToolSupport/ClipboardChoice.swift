public import ArgumentParser
public import XDnD

/// The options `--clipboard` and `--primary`, of which there can be one.
public enum ClipboardChoice: String, EnumerableFlag, Sendable {
  /// What *copy* puts there and *paste* takes.
  case clipboard
  /// What is selected.
  case primary

  /// For ArgumentParser.
  public static func help(for value: ClipboardChoice) -> ArgumentHelp? {
    switch value {
    case .clipboard: "Use the clipboard instead of a drag."
    case .primary: "Use the primary selection instead of a drag."
    }
  }

  /// For people.
  public var name: String { self == .clipboard ? "the clipboard" : "the primary selection" }

  /// The clipboard itself.
  public func clipboard(of driver: DragAndDrop) -> Clipboard {
    self == .clipboard ? driver.clipboard : driver.primarySelection
  }
}
