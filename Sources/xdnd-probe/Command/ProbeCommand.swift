import ArgumentParser
import XDnDToolSupport

@main
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xdnd-probe",
    abstract: "Receive drops in a terminal, and inspect drags.",
    version: toolVersion,
    subcommands: [
      WindowCommand.self, CheckCommand.self, InspectCommand.self, RecordCommand.self, ReplayCommand.self,
      DrawCommand.self,
    ],
    defaultSubcommand: WindowCommand.self)

  static func main() {
    if let help = help(ifAskedBy: CommandLine.arguments.dropFirst().map(\.self)) {
      print(help)
      return
    }
    runAsTool(windowless: [
      "check", "inspect", "record", "replay", "draw", "help", "--clipboard", "--primary", "--for", "--version",
    ])
  }
}

extension ProbeCommand {
  /// Returns the help without a subcommand: the options of `window`, which is the default subcommand, followed by the
  /// list of subcommands. Returns `nil` if the arguments ask for anything else.
  static func help(ifAskedBy arguments: [String]) -> String? {
    let isWhole = arguments == ["--help-hidden"]
    guard isWhole || arguments == ["--help"] || arguments == ["-h"] || arguments == ["help"] else { return nil }
    let others = helpMessage().split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("SUBCOMMANDS:") }
      // Leaves out the line about another way to get help.
      .prefix { !$0.isEmpty }
    return WindowCommand.helpMessage(includeHidden: isWhole).trimmingEnd + "\n\n"
      + others.joined(separator: "\n").trimmingEnd
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    String(self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)])
  }
}

extension ProbeCommand: DocumentedCommand {
  static var pageDescription: String {
    """
    Without a subcommand, opens a drop target window, shows the drags over it, accepts drops and reports them on standard \
    output.

    Without --save, --exec, --output or --print a drop is only shown. A move is then accepted only with --action move, \
    because its source deletes the content.

    What was dropped can be dragged on, as long as its content is at hand. Ctrl+C copies the selected row to the \
    clipboard, and Ctrl+V takes the content of the clipboard as if it had been dropped. Ctrl+Z undoes the last drop that \
    was saved.

    With --for, drops on another program's window are accepted instead, until that window is destroyed. The tool then opens \
    no window, and questions have their default answers. With --timeout, it waits until a window of that name exists.

    Control characters in names and content are escaped on a terminal, for example as \\u{1B}. Pipes get the original \
    bytes.

    The other subcommands record the messages of a drag, draw and replay a recording, check a program against the \
    protocol's rules, and explain what would happen to a drag over a window.
    """
  }

  static var environmentVariables: [(name: String, meaning: String)] {
    [
      ("DISPLAY", "The X server, unless --display names one."),
      (
        "XDND_PROBE_OPTIONS",
        "Default options of the window, placed before the others and quoted as in a shell; other subcommands take none."
      ),
      ("NO_AT_BRIDGE", "If 1, hides the window from screen readers."),
      ("NO_COLOR", "If set and not empty, disables color on a terminal."),
    ]
  }

  static var exitStatuses: [(status: ExitStatus, meaning: String)] {
    [
      (.dropped, "The content was received and stored; a check found no broken rule."),
      (
        .refused,
        "The source dropped although the drop was refused, or did not deliver what it offered; a check found a broken rule."
      ),
      (
        .cancelled,
        "The window was closed, a signal was received, or the transfer was cancelled, here or in the source."
      ),
      (.noTarget, "The window of --for does not exist, or cannot be made a drop target."),
      (.timedOut, "--timeout expired, or the source did not respond in time."),
      (.peerDied, "The other program closed before it finished, or the window of --for was destroyed."),
      (.transferFailed, "A transfer failed, or the content could not be written."),
      (.usage, "Invalid arguments, or an unreadable or unwritable file or directory."),
      (.noDisplay, "Cannot connect to the X server."),
      (.serverLost, "Lost the connection to the X server."),
    ]
  }

  static var relatedPages: [String] { ["xdnd-source"] }
}
