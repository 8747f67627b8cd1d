import ArgumentParser
import Glibc
import ToolSupport

/// Where more names of files come from, and what they are called elsewhere.
struct ListOptions: ParsableArguments {
  @Flag(name: .long, help: "Read names of files, one a line, while it is open.")
  var stdin = false

  @Flag(name: [.customShort("0"), .customLong("null")], help: "The same with a NUL after each name.")
  var null = false

  @Flag(
    name: [.customShort("R"), .long],
    help: ArgumentHelp(
      "Drag files as sftp:// URIs of this machine, for a desktop on the other end of ssh -X.", visibility: .hidden))
  var remote = false

  @Option(
    name: [.customShort("P"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "What to put in front of the paths instead, as in smb://server/share.", valueName: "uri", visibility: .hidden))
  var prefix: String?

  /// What ends a name, if names are to be read.
  ///
  /// `-` is not a name for the standard input here: elsewhere it stands for its content, and a file may have that name.
  ///
  /// - Parameter isNeeded: Whether nothing else is given. A terminal is nothing to read from then, and neither is what
  ///   desktops and cron start programs with: `/dev/null`.
  func separator(isNeeded: Bool) -> NameList.Separator? {
    if null { return .nul }
    return stdin || (isNeeded && Self.isStandardInputAList) ? .newline : nil
  }

  private static var isStandardInputAList: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFREG
  }

  /// How files are named to whoever they are dropped on; `nil` for as this machine names them.
  func remotePrefix() throws -> RemotePrefix? {
    if let prefix {
      guard let result = RemotePrefix(prefix) else {
        throw ValidationError("--prefix has to be like sftp://user@host or smb://server/share")
      }
      return result
    }
    return remote ? .current : nil
  }
}
