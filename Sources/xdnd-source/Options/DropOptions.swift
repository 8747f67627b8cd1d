import ArgumentParser
import XDnDToolSupport
import XDnD

/// A scripted drop on a window.
struct DropOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Drop on this window without a pointer: its number, part of its name, or 'pick'.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var to: WindowChoice?

  @Option(
    parsing: .unconditional, help: .hidden("Position in the --to window. (default: its center)", valueName: "x,y"),
    transform: place)
  var at: Point?

  @Option(
    parsing: .unconditionalSingleValue,
    help: .hidden("Position to pass before --at; may be repeated.", valueName: "x,y"), transform: place)
  var via: [Point] = []

  @Option(
    parsing: .unconditional,
    help: .hidden("Number of positions to pass on a line from the window's upper left corner.", valueName: "number"))
  var steps: Int?

  func check(isCopied: Bool, isDraggedNow: Bool) throws {
    guard to != nil else {
      return try reject(at != nil || !via.isEmpty || steps != nil, "--at, --via and --steps need --to")
    }
    try reject(isCopied, "--to cannot be used with --clipboard or --primary")
    try reject(isDraggedNow, "--now cannot be used with --to")
    try reject(!via.isEmpty && steps != nil, "--steps cannot be used with --via")
    try reject(steps.map { !(0...10_000 ~= $0) } ?? false, "--steps must be from 0 to 10000")
  }

  /// Returns the points before `end`, without `end` itself, in device pixels, window-local.
  func path(to end: Point) -> [Point] {
    guard let steps, steps > 0 else { return via }
    return (0..<steps).map { Point(x: end.x * $0 / steps, y: end.y * $0 / steps) }
  }

  @Sendable private static func place(_ argument: String) throws -> Point {
    guard let place = Point(argument: argument) else { throw ValidationError("expected X,Y, such as 40,30") }
    return place
  }
}
