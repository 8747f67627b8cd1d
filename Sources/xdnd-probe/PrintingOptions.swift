import ArgumentParser
import ToolSupport

/// What standard output gets of a drop, for scripts.
enum PrintForm: String, CaseIterable, ExpressibleByArgument {
  /// Names of files as the file system has them, from the root: what is no file on this machine is left out.
  case paths
  /// URIs as the source has written them; what is none is left out.
  case uris
  /// Paths as words of the shell, those of one drop on one line.
  case shell
  /// Text as it is; links and colors in words.
  case text
}

/// The options that say what standard output gets.
struct PrintingOptions: ParsableArguments {
  @Option(
    name: .customLong("print"), parsing: .unconditional,
    help: ArgumentHelp(
      "Print what is dropped, and nothing else.", valueName: "form"
    ))
  var form: PrintForm?

  @Flag(name: .customLong("print0"), help: "The same, with NUL after each path, for xargs -0.")
  var isNULSeparated = false

  /// - Throws: If the options do not go together.
  func printer() throws -> Printer? {
    guard form != .shell || !isNULSeparated else {
      throw ValidationError("--print shell quotes what --print0 needs no quotes for")
    }
    guard form != nil || isNULSeparated else { return nil }
    return Printer(form: form ?? .paths, isNULSeparated: isNULSeparated)
  }
}
