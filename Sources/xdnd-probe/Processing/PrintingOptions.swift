import ArgumentParser
import XDnDToolSupport

/// The form of printed drops, for scripts.
enum PrintForm: String {
  /// Absolute paths of local files as bytes; other entries are left out.
  case paths
  /// URIs as the source wrote them; malformed ones are left out.
  case uris
  /// Paths quoted for the shell, one line per drop.
  case shell
  /// Text unchanged; links, colors and contacts as text.
  case text

  @Sendable init(argument: String) throws {
    guard let form = PrintForm(rawValue: argument) else { throw ValidationError("expected paths, uris, shell or text") }
    self = form
  }
}

struct PrintingOptions: ParsableArguments {
  @Option(
    name: .customLong("print"), parsing: .unconditional,
    help: ArgumentHelp("Print the content: paths, uris, shell or text.", valueName: "form"),
    transform: PrintForm.init(argument:))
  var form: PrintForm?

  @Flag(name: .customLong("print0"), help: "Like --print, NUL-terminated, for xargs -0.")
  var isNULSeparated = false

  var isPrinting: Bool { form != nil || isNULSeparated }

  /// - Throws: `ValidationError` if the options contradict each other.
  func printer() throws -> ContentPrinter? {
    guard form != .shell || !isNULSeparated else {
      throw ValidationError("--print shell cannot be used with --print0")
    }
    guard isPrinting else { return nil }
    return ContentPrinter(form: form ?? .paths, isNULSeparated: isNULSeparated)
  }
}
