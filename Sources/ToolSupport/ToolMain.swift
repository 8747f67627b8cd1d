import ArgumentParser
import Glibc

extension DocumentedCommand {
  /// Parses the arguments and runs: what is wrong with them is said in one line, and ends with 64.
  public static func runAsTool() -> Never {
    printManual(ifAskedBy: RawArgument.all)
    do {
      var command = try parseAsRoot(RawArgument.all.flatMap(splittingEmptyValue))
      try command.run()
      exit(withError: nil)
    } catch {
      let code = exitCode(for: error)
      // Help, version, and our own codes are no mistakes of the user.
      guard code != .success, !(error is ExitCode) else { exit(withError: error) }
      Reporter.complain(configuration.commandName ?? _commandName, message(for: error))
      Glibc.exit(ExitStatus.usage.rawValue)
    }
  }

  /// `--text=` has an empty value; the parser would take the next argument for it.
  private static func splittingEmptyValue(of argument: String) -> [String] {
    guard argument.hasPrefix("--"), argument.firstIndex(of: "=") == argument.indices.last else { return [argument] }
    return [String(argument.dropLast()), ""]
  }
}
