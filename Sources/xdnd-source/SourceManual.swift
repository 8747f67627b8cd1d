import XDnDToolSupport

extension SourceCommand: DocumentedCommand {
  static var pageDescription: String {
    """
    Opens a window with one row per file and one row for the content given by options. Drag a row with the pointer, or \
    press Return to drag with the keyboard: arrow keys move, Tab goes to the next window that accepts the drag, Return \
    drops, Escape cancels. The heading drags all rows. Ctrl+C copies the selected rows to the clipboard. A drop \
    whose content takes long to send has a bar in its row and a button that cancels it, as does Escape on that row.

    During a drag, Shift requests a move, Ctrl a copy, Ctrl+Shift a link; the modifiers held at the release \
    decide. The target's action is printed and determines the exit status when the tool ends by itself.

    All content options describe one item in several types, in order of preference; the target takes the first type \
    that it understands. MIME=@FILE reads a file and MIME=!COMMAND runs a command when the target requests the type; \
    MIME=TEXT is literal text, and MIME==TEXT also allows text that begins with @, ! or =. A FILE that is a pipe can be \
    read only once, so it is read to its end before the window opens.

    A FILE to drag is offered as a file, with its path as text; several as one list. Its content is offered with \
    --content-first, and if it is marked as a clipping: then as --text or another content option would offer it.

    --to drops on a window without a pointer; with --timeout it waits until the window exists and accepts drops. A \
    target that finishes without requesting the content is served for another --linger seconds before the tool ends.

    Targets that need a file instead of its content get it by direct save (XDS), written where they say, or by a \
    list of files, which only pictures, documents and content with --save-as are offered in. The list names the FILE of \
    MIME=@FILE. Other content is in a temporary file in ~/.cache/xdnd, which stays when the tool has ended. It is removed \
    when xdnd-source starts a day after a program has last requested or read it, but never if it is open or was changed.
    """
  }

  static var environmentVariables: [(name: String, meaning: String)] {
    [
      ("DISPLAY", "The X server, unless --display names one."),
      ("XDND_SOURCE_OPTIONS", "Default options, placed before those of the command line; quoted as in a shell."),
      ("NO_AT_BRIDGE", "If 1, hides the window from screen readers."),
    ]
  }

  static var exitStatuses: [(status: ExitStatus, meaning: String)] {
    [
      (
        .dropped,
        "The target accepted the content, or its XDND version cannot report the result, "
          + "or it received the content whole and reports failure."
      ),
      (.refused, "The target refused the drag or the drop."),
      (
        .cancelled,
        "Escape, the window was closed, a signal, a transfer was cancelled, or another program began a drag."
      ),
      (.noTarget, "The button was released outside any drop target."),
      (.timedOut, "--timeout expired, or the target did not respond in time."),
      (.peerDied, "The other program closed before it finished."),
      (.transferFailed, "A transfer of requested content failed, or a promised file could not be written."),
      (.nothingRequested, "The target finished without requesting the content."),
      (.usage, "Invalid arguments, or an unreadable file."),
      (.noDisplay, "Cannot connect to the X server."),
      (.serverLost, "Lost the connection to the X server."),
    ]
  }

  static var relatedPages: [String] { ["xdnd-probe"] }
}
