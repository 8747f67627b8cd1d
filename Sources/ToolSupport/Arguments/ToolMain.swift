import ArgumentParser
import Glibc
import XDnDToolWindow

/// The version of both tools and of the package, as `--version` prints it. Scripts read it from this line.
package let toolVersion = "0.1.0"

extension DocumentedCommand {
  /// Parses the arguments, runs the command and ends the process. Invalid arguments cause a one-line message and exit
  /// status 64.
  ///
  /// The default arguments from the environment precede those of the command line, which therefore override them.
  ///
  /// - Parameter windowless: Arguments with which the tool opens no window.
  package static func runAsTool(windowless: Set<String>) -> Never {
    StandardStreams.openMissing()
    // Guesses whether a window will open, because parsing takes milliseconds. A wrong guess only reads fonts
    // needlessly, or a little later.
    if !RawArgument.all.contains(where: { windowless.contains(String($0.prefix { $0 != "=" })) }) {
      FontPreparation.begin()
    }
    printManual(ifAskedBy: RawArgument.all)
    let arguments = splittingEmptyValues(in: RawArgument.all)
    let options = arguments.prefix { $0 != "--" }.count { $0.hasPrefix("-") }
    if options > mostOptions { fail("more than \(mostOptions) options") }
    do {
      var command = try parseAsRoot(try withDefaults(arguments))
      try command.run()
      ExitStatus.dropped.exit()
    } catch let code as ExitCode {
      (ExitStatus(rawValue: code.rawValue) ?? .usage).exit()
    } catch {
      guard exitCode(for: error) == .success else { fail(message(for: error)) }
      // Help and version are not errors.
      print(fullMessage(for: error))
      fflush(nil)
      ExitStatus.dropped.exit()
    }
  }

  /// The maximum number of options. The parser's time grows with the square of their number.
  private static var mostOptions: Int { 2000 }

  /// Returns the arguments, with the environment's defaults before them if the command runs the default subcommand.
  private static func withDefaults(_ arguments: [String]) throws -> [String] {
    let subcommand = configuration.subcommands.first { $0._commandName == arguments.first }
    guard subcommand == nil || subcommand == configuration.defaultSubcommand else { return arguments }
    let defaults = DefaultArguments(of: name)
    let words: [String]
    do {
      words = splittingEmptyValues(in: try defaults.words)
    } catch {
      fail("\(defaults.variable): \(error.sentence)")
    }
    do {
      // Parsed separately, so that an error message names the variable.
      if !words.isEmpty { _ = try parseAsRoot(words) }
    } catch  where exitCode(for: error) != .success {
      fail("\(defaults.variable): \(message(for: error))")
    } catch {}
    let subcommandName = arguments.prefix(subcommand == nil ? 0 : 1)
    return subcommandName + words + arguments.dropFirst(subcommandName.count)
  }

  private static var name: String { configuration.commandName ?? _commandName }

  private static func fail(_ sentence: String) -> Never {
    Reporter.printError(name, sentence)
    ExitStatus.usage.exit()
  }

  /// Splits `--text=` into two arguments. The parser would take the next argument as the value.
  private static func splittingEmptyValues(in arguments: [String]) -> [String] {
    // Arguments after `--` are not options.
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].flatMap(splittingEmptyValue) + arguments[end...]
  }

  private static func splittingEmptyValue(of argument: String) -> [String] {
    guard argument.hasPrefix("--"), argument.firstIndex(of: "=") == argument.indices.last else { return [argument] }
    return [String(argument.dropLast()), ""]
  }
}

enum StandardStreams {
  /// Opens the streams that the tool's caller has closed (`0<&- 1>&-`).
  ///
  /// Call this before anything else is opened: otherwise the connection to the X server could get the number of
  /// standard output, and receive the tool's output. Reading or writing such a stream still fails.
  static func openMissing() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The descriptor gets this number, because it is the lowest free one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
