import ArgumentParser
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// How rows are dragged, and when the tool ends.
struct DragOptions: ParsableArguments {
  /// The drop after which the tool ends.
  enum Ending: String {
    /// The first successful drop.
    case first
    /// When each row has been dropped once.
    case all
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit after one drop, or when all rows were dropped.", valueName: "first|all"),
    transform: {
      guard let ending = Ending(rawValue: $0) else { throw ValidationError("expected 'first' or 'all'") }
      return ending
    })
  var andExit: Ending?

  @Flag(help: "Start dragging at once, no window; click to drop.")
  var now = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: .hidden(
      "Disable the workaround of this name, or all workarounds. Names: \(Self.quirkNames).", valueName: "name|all"),
    transform: quirks)
  var noQuirk: [Set<Quirk>] = []

  @Option(
    parsing: .unconditional, help: .hidden("Image file to use as the drag image.", valueName: "file"),
    completion: .file())
  var icon: String?

  @Option(parsing: .unconditional, help: .hidden("Number on the drag image's badge; 0 hides it.", valueName: "number"))
  var badge: Int?

  @Option(
    parsing: .unconditional,
    help: .hidden("How long to wait for a drop in progress after a signal. (default: 5)", valueName: "seconds"),
    transform: SecondsArgument.notNegative)
  var grace = 5.0

  @Option(
    parsing: .unconditional,
    help: .hidden(
      "How long to keep serving a target that finished without requesting the content. (default: 10)",
      valueName: "seconds"),
    transform: SecondsArgument.notNegative)
  var linger = 10.0

  /// The workarounds for other programs that stay enabled.
  var quirks: Set<Quirk> { noQuirk.reduce(Quirk.all) { $0.subtracting($1) } }

  private static var quirkNames: String { Quirk.all.map(\.name).sorted().joined(separator: ", ") }

  @Sendable private static func quirks(_ argument: String) throws -> Set<Quirk> {
    if argument == "all" { return Quirk.all }
    let named = Quirk.all.filter { $0.name == argument }
    guard !named.isEmpty else { throw ValidationError("unknown workaround; expected all or one of \(quirkNames)") }
    return named
  }

  /// Loads the image of ``icon``.
  func image() throws -> DragImage? {
    guard let icon else { return nil }
    if let problem = SourceFile.problem(withContentOf: icon) { throw ValidationError(problem) }
    guard let picture = Picture(file: RawArgument.bytes(of: icon), fitting: Self.iconSide),
      let bitmap = Bitmap(
        width: picture.size.width, height: picture.size.height, pixels: picture.pixels)
    else { throw ValidationError("cannot read '\(icon)' as an image") }
    return DragImage(bitmap)
  }

  /// The maximum side in pixels; a larger drag image would hide the drop target.
  private static let iconSide = 256

  func check(isOnce: Bool) throws { try reject(andExit != nil && isOnce, "--once cannot be used with --and-exit") }
}
