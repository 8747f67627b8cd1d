import ArgumentParser
import XDnDToolSupport
import XDnDToolWindow

/// The appearance of the window.
struct WindowOptions: ParsableArguments {
  @Flag(help: "Keep the window above others.")
  var onTop = false

  @Flag(help: "Open the window at the pointer.")
  var atPointer = false

  @Flag(help: .hidden("Open the window without decorations."))
  var frameless = false

  @Flag(help: .hidden("Show the window on all desktops."))
  var allDesktops = false

  @Flag(help: .hidden("Show only names in rows."))
  var nameOnly = false

  @Flag(help: .hidden("Show only icons in rows."))
  var iconOnly = false

  @Option(help: .hidden("Show file names or full paths in rows.", valueName: "form"))
  var paths = RowMaker.TitleForm.name

  @Flag(help: .hidden("Do not open items on double click or Control+Return."))
  var noOpen = false

  func check() throws {
    try reject(nameOnly && iconOnly, "--name-only cannot be used with --icon-only")
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
