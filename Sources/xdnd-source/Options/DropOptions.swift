import ArgumentParser
import ToolSupport
import XDnD

/// A scripted drop on a window.
struct DropOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Drop without a pointer: a number, a name, or pick.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var to: WindowChoice?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Where in that window. (default: its middle)", valueName: "x,y"), transform: place)
  var at: Point?

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Where to be before; repeat it for a path.", valueName: "x,y", visibility: .hidden),
    transform: place)
  var via: [Point] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How many places to be at before, on the line from the upper left corner.", valueName: "number",
      visibility: .hidden))
  var steps: Int?

  func check(isCopied: Bool, isDraggedNow: Bool) throws {
    guard to != nil else {
      guard at == nil, via.isEmpty, steps == nil else {
        throw ValidationError("--at, --via and --steps are about the window of --to")
      }
      return
    }
    guard !isCopied else { throw ValidationError("a clipboard is not dropped anywhere: leave out --to") }
    guard !isDraggedNow else { throw ValidationError("--now drags with the pointer, and --to without it: choose one") }
    guard via.isEmpty || steps == nil else { throw ValidationError("--steps and --via both say the way: choose one") }
    guard steps.map({ 0...10_000 ~= $0 }) ?? true else {
      throw ValidationError("--steps has to be a number from 0 to 10000")
    }
  }

  /// Returns the points before `end`, without `end` itself, in device pixels, window-local.
  func path(to end: Point) -> [Point] {
    guard let steps, steps > 0 else { return via }
    return (0..<steps).map { Point(x: end.x * $0 / steps, y: end.y * $0 / steps) }
  }

  @Sendable private static func place(_ argument: String) throws -> Point {
    guard let place = WindowPlace(argument: argument) else { throw ValidationError("it has to be like 40,30") }
    return place.point
  }
}
