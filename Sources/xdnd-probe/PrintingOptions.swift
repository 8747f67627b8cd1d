import ArgumentParser
import ToolSupport

/// What standard output gets of a drop, for scripts.
enum PrintForm: String, CaseIterable, ExpressibleByArgument {
  /// Names of files as the file system has them; what is no file on this machine as its URI.
  case paths
  /// URIs as the source has written them.
  case uris
  /// Paths as words of the shell, those of one drop on one line.
  case shell
}

/// The options that say what standard output gets.
struct PrintingOptions: ParsableArguments {
  @Option(
    name: .customLong("print"), parsing: .unconditional,
    help: ArgumentHelp(
      "Print nothing but what was dropped, one a line: paths, uris, or shell, which is quoted. Text is printed as it is; "
        + "reports go to standard error. Then --accept is files, links and text by default.", valueName: "form"))
  var form: PrintForm?

  @Flag(name: .customLong("print0"), help: "The same with a NUL after each, and not the end of a line.")
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
