import ArgumentParser
import Glibc
import XDnDToolSupport

/// File names from standard input, and the URIs under which other machines reach the files.
struct ListOptions: ParsableArguments {
  @Flag(help: "Read file names, one per line, as they arrive.")
  var stdin = false

  @Flag(name: [.customShort("0"), .long], help: "Like --stdin, with NUL-terminated names.")
  var null = false

  @Flag(
    name: [.customShort("R"), .long],
    help: .hidden("Offer files as sftp:// URIs of this host, for use over ssh -X."))
  var remote = false

  @Option(
    name: [.customShort("P"), .long], parsing: .unconditional,
    help: .hidden("URI prefix for file paths instead of sftp://, for example smb://server/share.", valueName: "uri"))
  var prefix: String?

  /// Returns the separator of the names on standard input; `nil` if none are read.
  ///
  /// `-` does not select standard input: in other tools it means the input's content, and a file may have that name.
  ///
  /// - Parameter isNeeded: Whether nothing else is given. Standard input is then read if it is a pipe or a regular
  ///   file, but not if it is a terminal, or `/dev/null`, as for programs started by desktops and cron.
  func separator(isNeeded: Bool) -> NameList.Separator? {
    if null { return .nul }
    return stdin || (isNeeded && Self.isStandardInputAList) ? .newline : nil
  }

  private static var isStandardInputAList: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the URI prefix for dragged files; `nil` for local `file:` URIs.
  func remotePrefix() throws -> RemotePrefix? {
    if let prefix {
      guard let result = RemotePrefix(prefix) else {
        throw ValidationError("--prefix must be a URI such as sftp://user@host or smb://server/share")
      }
      return result
    }
    return remote ? .current : nil
  }
}
