import Glibc
import XDnDToolSupport
import XDnD

/// The URI prefix under which another machine reaches this machine's files.
struct RemotePrefix: Hashable, Sendable {
  /// The part of the URI before the absolute path.
  let uri: String

  /// - Returns: `nil` if the argument is not the start of a URI.
  init?(_ argument: String) {
    let scheme = argument.prefix { $0 != ":" }
    guard scheme.count < argument.count, scheme.first?.isLetter ?? false,
      argument.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    // Drops a trailing slash, because the path begins with one. `file://` keeps its slashes.
    uri = argument.hasSuffix("/") && !argument.hasSuffix("://") ? String(argument.dropLast()) : argument
  }

  /// Uses the server address that sshd reports, or else the host name.
  ///
  /// - Parameter connection: The value of `SSH_CONNECTION`: client address, client port, server address, server port.
  init(user: String, hostName: String, connection: String?) {
    let words = connection?.split(separator: " ") ?? []
    let isComplete = words.count == 4
    let address = isComplete ? String(words[2]) : hostName
    let host = address.contains(":") ? "[\(address)]" : address
    let port = isComplete && words[3] != "22" ? ":\(words[3])" : ""
    let name = FileList(rawPaths: [Array("/\(user)".utf8)]).uris[0].dropFirst("file:///".count)
    uri = "sftp://\(name.isEmpty ? "" : "\(name)@")\(host)\(port)"
  }

  static var current: RemotePrefix {
    RemotePrefix(
      user: getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "",
      hostName: FileList.thisHost ?? "localhost",
      connection: getenv("SSH_CONNECTION").map { String(cString: $0) })
  }

  func uri(of path: [UInt8]) -> String {
    uri + FileList(rawPaths: [path]).uris[0].dropFirst("file://".count)
  }
}
