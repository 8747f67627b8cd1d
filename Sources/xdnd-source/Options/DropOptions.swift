import ArgumentParser
import ToolSupport
import XDnD

/// A scripted drop on a window.
struct DropOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Drop on this window without a pointer: its number, part of its name, or 'pick'.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var to: WindowChoice?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Position in the --to window. (default: its center)", valueName: "x,y"), transform: place)
  var at: Point?

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Position to pass before --at; may be repeated.", valueName: "x,y", visibility: .hidden),
    transform: place)
  var via: [Point] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Number of positions to pass on a line from the window's upper left corner.", valueName: "number",
      visibility: .hidden))
  var steps: Int?

  func check(isCopied: Bool, isDraggedNow: Bool) throws {
    guard to != nil else {
      guard at == nil, via.isEmpty, steps == nil else {
        throw ValidationError("--at, --via and --steps need --to")
      }
      return
    }
    guard !isCopied else { throw ValidationError("--to cannot be used with --clipboard or --primary") }
    guard !isDraggedNow else { throw ValidationError("--now cannot be used with --to") }
    guard via.isEmpty || steps == nil else { throw ValidationError("--steps cannot be used with --via") }
    guard steps.map({ 0...10_000 ~= $0 }) ?? true else {
      throw ValidationError("--steps must be from 0 to 10000")
    }
  }

  /// Returns the points before `end`, without `end` itself, in device pixels, window-local.
  func path(to end: Point) -> [Point] {
    guard let steps, steps > 0 else { return via }
    return (0..<steps).map { Point(x: end.x * $0 / steps, y: end.y * $0 / steps) }
  }

  @Sendable private static func place(_ argument: String) throws -> Point {
    guard let place = WindowPlace(argument: argument) else { throw ValidationError("expected X,Y, such as 40,30") }
    return place.point
  }
}
