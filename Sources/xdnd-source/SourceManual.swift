import ToolSupport

extension SourceCommand: DocumentedCommand {
  static var manual: Manual {
    Manual(
      description: """
        Opens a window with a row for each file, and one for the content that options describe. A row is dragged with the \
        pointer, or begun with Return and led by keys: arrows move, Tab goes to the next window that takes it, Return drops, \
        Escape cancels. The heading drags everything.

        While a drag is under way, Shift asks for a move, Control for a copy, and both for a link; what is held when the \
        button goes up decides. What the target does is printed, and is the exit status when the tool ends by itself.

        All content that the options describe is one thing in several types, in the order of the options: the target takes \
        the first that it understands. --type MIME=@FILE reads a file and MIME=!COMMAND runs a command when it is asked for; \
        MIME=TEXT is the text itself, and MIME==TEXT also if it begins with @, ! or =. A file is offered as a file first, and its content \
        behind it; several files as files only; a file that was saved as a clipping as its content first. What a command \
        prints is asked for only when somebody wants it.

        --to drops on a window without a pointer; with --timeout it waits until the window is there and takes drops. A target \
        that finishes without having asked for the content is served for --linger more seconds before the tool ends.

        Some targets want a file and not its content; those get one by direct save (XDS), written where they say; \
        or as a temporary file in ~/.cache/xdnd, which is removed ten minutes after the drag. A small process, \
        --sweep-temporary-files, stays for that.
        """,
      environment: [
        Manual.Variable("DISPLAY", "The X server, unless --display names one."),
        Manual.Variable(
          "XDND_SOURCE_OPTIONS", "Options that stand before those of the command line, quoted as in a shell."),
        Manual.Variable("NO_COLOR", "Without color on a terminal, whatever its value."),
      ],
      exitStatuses: [
        (.dropped, "The target has taken the content, or speaks a version that cannot say so."),
        (.refused, "The target did not want it, before the drop or after it."),
        (.cancelled, "Escape, the window was closed, a signal, or another program began a drag."),
        (.noTarget, "The button went up where nothing takes drops."),
        (.timedOut, "The time of --timeout has passed, or the target was silent for too long."),
        (.peerDied, "The target died."),
        (.transferFailed, "The target has asked for data that could not be delivered."),
        (.nothingRequested, "The target has finished, and has not asked for the content."),
        (.usage, "The arguments make no sense, or a file cannot be read."),
        (.noDisplay, "No X server can be reached."),
        (.serverLost, "The X server is lost."),
      ],
      seeAlso: ["xdnd-probe"])
  }
}
