import ArgumentParser
import ToolWindow

/// The appearance of the window.
struct WindowOptions: ParsableArguments {
  @Flag(name: .customLong("on-top"), help: "Keep the window above others.")
  var onTop = false

  @Flag(name: .customLong("at-pointer"), help: "Open the window at the pointer.")
  var atPointer = false

  @Flag(name: .long, help: ArgumentHelp("Without the frame of the window manager.", visibility: .hidden))
  var frameless = false

  @Flag(
    name: .customLong("all-desktops"), help: ArgumentHelp("Show the window on all desktops.", visibility: .hidden))
  var allDesktops = false

  @Flag(name: .customLong("name-only"), help: ArgumentHelp("Rows with a name and nothing else.", visibility: .hidden))
  var nameOnly = false

  @Flag(name: .customLong("icon-only"), help: ArgumentHelp("Rows with an icon and no name.", visibility: .hidden))
  var iconOnly = false

  @Option(
    name: .long, help: ArgumentHelp("What rows call a file: name or full.", valueName: "form", visibility: .hidden))
  var paths = RowMaker.TitleForm.name

  @Flag(
    name: .customLong("no-open"),
    help: ArgumentHelp("Do not open a row with a double click or Control+Return.", visibility: .hidden))
  var noOpen = false

  func check() throws {
    guard !nameOnly || !iconOnly else { throw ValidationError("--name-only and --icon-only leave nothing: choose one") }
  }

  /// The window manager hints to set.
  var style: ToolWindow.Style {
    var style: ToolWindow.Style = []
    if onTop { style.insert(.onTop) }
    if frameless { style.insert(.frameless) }
    if allDesktops { style.insert(.onAllDesktops) }
    return style
  }
}

extension RowMaker.TitleForm: ExpressibleByArgument {}
