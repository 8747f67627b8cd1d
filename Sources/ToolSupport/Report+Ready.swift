package import ToolWindow
package import XDnD

extension Report {
  /// Creates the report of a window that is ready, with its frame in root pixels.
  package static func ready(_ sentence: String, _ window: WindowID, _ frame: Rect) -> Report {
    Report("ready", sentence, fields: fields(Int(window.rawValue), frame))
  }

  /// Creates the report of a tool's window that is ready, with its frame in root pixels.
  ///
  /// - Parameter parts: The places of the window's parts, by the name of the field.
  package static func ready(_ sentence: String, _ window: ToolWindow, _ parts: (name: String, value: Value)) -> Report {
    let origin = window.rootOrigin ?? PixelPoint(x: 0, y: 0)
    let frame = Rect(x: origin.x, y: origin.y, width: window.size.width, height: window.size.height)
    return Report("ready", sentence, fields: fields(Int(window.windowID), frame) + [parts])
  }

  private static func fields(_ window: Int, _ frame: Rect) -> [(name: String, value: Value)] {
    [
      ("window", .integer(window)), ("x", .integer(frame.origin.x)), ("y", .integer(frame.origin.y)),
      ("width", .integer(frame.width)), ("height", .integer(frame.height)),
    ]
  }
}
