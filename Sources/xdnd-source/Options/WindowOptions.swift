import ArgumentParser
import XDnDToolSupport
import XDnDToolWindow

/// The appearance of the window.
struct WindowOptions: ParsableArguments {
  @Flag(help: .hidden("Keep the window above others."))
  var onTop = false

  @Flag(help: .hidden("Open the window at the pointer."))
  var atPointer = false

  @Flag(help: .hidden("Open the window without decorations."))
  var frameless = false

  @Flag(help: .hidden("Show the window on all desktops."))
  var allDesktops = false

  @Option(help: .hidden("Show names, full paths or only icons in rows.", valueName: "form"))
  var rows = RowForm.names

  @Flag(help: .hidden("Do not open items on double click or Ctrl+Return."))
  var noOpen = false

  /// The window manager hints to set.
  var style: WindowStyle {
    var style: WindowStyle = []
    if onTop { style.insert(.onTop) }
    if frameless { style.insert(.frameless) }
    if allDesktops { style.insert(.onAllDesktops) }
    return style
  }
}

/// What rows show of files.
enum RowForm: String, CaseIterable, ExpressibleByArgument {
  case names, paths, icons
}
