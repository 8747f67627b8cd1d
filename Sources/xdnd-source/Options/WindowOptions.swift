import ArgumentParser
import ToolWindow

/// The appearance of the window.
struct WindowOptions: ParsableArguments {
  @Flag(name: .customLong("on-top"), help: "Keep the window above others.")
  var onTop = false

  @Flag(name: .customLong("at-pointer"), help: "Open the window at the pointer.")
  var atPointer = false

  @Flag(name: .long, help: ArgumentHelp("Open the window without decorations.", visibility: .hidden))
  var frameless = false

  @Flag(
    name: .customLong("all-desktops"), help: ArgumentHelp("Show the window on all desktops.", visibility: .hidden))
  var allDesktops = false

  @Flag(name: .customLong("name-only"), help: ArgumentHelp("Show only names in rows.", visibility: .hidden))
  var nameOnly = false

  @Flag(name: .customLong("icon-only"), help: ArgumentHelp("Show only icons in rows.", visibility: .hidden))
  var iconOnly = false

  @Option(
    name: .long, help: ArgumentHelp("Show file names or full paths in rows.", valueName: "form", visibility: .hidden))
  var paths = RowMaker.TitleForm.name

  @Flag(
    name: .customLong("no-open"),
    help: ArgumentHelp("Do not open items on double click or Control+Return.", visibility: .hidden))
  var noOpen = false

  func check() throws {
    guard !nameOnly || !iconOnly else { throw ValidationError("--name-only cannot be used with --icon-only") }
  }

  /// The window manager hints to set.
  var style: WindowStyle {
    var style: WindowStyle = []
    if onTop { style.insert(.onTop) }
    if frameless { style.insert(.frameless) }
    if allDesktops { style.insert(.onAllDesktops) }
    return style
  }
}

extension RowMaker.TitleForm: ExpressibleByArgument {}
