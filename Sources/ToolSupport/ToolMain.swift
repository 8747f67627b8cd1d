import ArgumentParser
import Glibc
import ToolWindow

extension DocumentedCommand {
  /// Parses the arguments and runs: what is wrong with them is said in one line, and ends with 64.
  ///
  /// What the environment says comes first, so that the command line has the last word.
  ///
  /// - Parameter windowless: Arguments with which no window is to be expected.
  public static func runAsTool(windowless: Set<String>) -> Never {
    TemporaryFileSweeper.run(ifAskedBy: RawArgument.all)
    // A guess, since the parser takes milliseconds; where it is wrong, fonts are read in vain, or a little later.
    if !RawArgument.all.contains(where: { windowless.contains(String($0.prefix { $0 != "=" })) }) {
      FontPreparation.begin()
    }
    printManual(ifAskedBy: RawArgument.all)
    let arguments = RawArgument.all.flatMap(splittingEmptyValue)
    do {
      var command = try parseAsRoot(try defaults(for: arguments) + arguments)
      try command.run()
      ExitStatus.dropped.leave()
    } catch let code as ExitCode {
      (ExitStatus(rawValue: code.rawValue) ?? .usage).leave()
    } catch {
      guard exitCode(for: error) == .success else { complain(message(for: error)) }
      // Help and version are no mistakes of the user.
      print(fullMessage(for: error))
      fflush(nil)
      ExitStatus.dropped.leave()
    }
  }

  /// What the environment says. Other commands than the tool's own have arguments of their own, and it is not for them.
  private static func defaults(for arguments: [String]) throws -> [String] {
    let isOther = arguments.first.map { first in configuration.subcommands.contains { $0._commandName == first } }
    guard isOther != true else { return [] }
    let defaults: DefaultArguments
    do {
      defaults = try DefaultArguments(of: name)
    } catch {
      complain(error.sentence)
    }
    let words = defaults.words.flatMap(splittingEmptyValue)
    guard !words.isEmpty else { return [] }
    do {
      // By itself, so that a mistake is not looked for on the command line.
      _ = try parseAsRoot(words)
    } catch  where exitCode(for: error) != .success {
      complain("\(defaults.name): \(message(for: error))")
    } catch {}
    return words
  }

  private static var name: String { configuration.commandName ?? _commandName }

  private static func complain(_ sentence: String) -> Never {
    Reporter.complain(name, sentence)
    ExitStatus.usage.leave()
  }

  /// `--text=` has an empty value; the parser would take the next argument for it.
  private static func splittingEmptyValue(of argument: String) -> [String] {
    guard argument.hasPrefix("--"), argument.firstIndex(of: "=") == argument.indices.last else { return [argument] }
    return [String(argument.dropLast()), ""]
  }
}
