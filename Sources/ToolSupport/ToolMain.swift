public import ArgumentParser
import Glibc

extension ParsableCommand {
  /// Parses the arguments and runs: what is wrong with them is said in one line, and ends with 64.
  public static func runAsTool() -> Never {
    do {
      var command = try parseAsRoot()
      try command.run()
      exit(withError: nil)
    } catch {
      let code = exitCode(for: error)
      // Help, version, and our own codes are no mistakes of the user.
      guard code != .success, !(error is ExitCode) else { exit(withError: error) }
      Reporter.complain(configuration.commandName ?? _commandName, message(for: error).replacing("\n", with: " "))
      Glibc.exit(ExitStatus.usage.rawValue)
    }
  }
}
