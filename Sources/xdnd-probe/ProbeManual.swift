import ToolSupport

extension ProbeCommand: DocumentedCommand {
  static var manual: Manual {
    Manual(
      description: """
        Without a subcommand it opens a window to drop on, shows what is dragged over it, takes what is dropped, and says \
        so on standard output.

        Names and content of others have no power over a terminal: what it would obey is shown as \\u{1B}. A pipe gets them as \
        they are.

        The other subcommands look closer: they write down all that goes between the two ends of a drag, draw it, do the \
        same again, judge one of the ends by the rules of the protocol, and say what would happen to a drag over a window.
        """,
      environment: [
        Manual.Variable("DISPLAY", "The X server, unless --display names one."),
        Manual.Variable(
          "XDND_PROBE_OPTIONS", "Options that stand before those of the command line, quoted as in a shell."),
        Manual.Variable("NO_COLOR", "Without color on a terminal, whatever its value."),
      ],
      exitStatuses: [
        (.dropped, "The content has arrived whole, and is stored; a check has found no rule broken."),
        (
          .refused,
          "The source dropped although the answer was no, or did not give what it offered; a check has found a broken rule."
        ),
        (.cancelled, "The window was closed, or a signal came."),
        (.timedOut, "The time of --timeout has passed, or the source was silent for too long."),
        (.peerDied, "The other side died."),
        (.transferFailed, "Data did not arrive as promised, or could not be written."),
        (.usage, "The arguments make no sense, or a file or directory cannot be read or written."),
        (.noDisplay, "No X server can be reached."),
        (.serverLost, "The X server is lost."),
      ],
      seeAlso: ["xdnd-source"])
  }
}
