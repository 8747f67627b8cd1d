import Glibc
import ToolSupport
import XDnD

/// How another machine names the files of this one.
struct RemotePrefix: Hashable, Sendable {
  /// A URI up to where the absolute path begins.
  let uri: String

  /// - Returns: `nil` if it is no beginning of a URI.
  init?(_ argument: String) {
    let scheme = argument.prefix { $0 != ":" }
    guard scheme.count < argument.count, scheme.first?.isLetter ?? false,
      argument.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    // The path brings its own slash; `file://` has to keep both of its.
    uri = argument.hasSuffix("/") && !argument.hasSuffix("://") ? String(argument.dropLast()) : argument
  }

  /// As sshd says that this machine was reached, or else by its name.
  ///
  /// - Parameters:
  ///   - connection: `SSH_CONNECTION`: address and port of the client, then of the server.
  init(user: String, hostName: String, connection: String?) {
    let words = connection?.split(separator: " ") ?? []
    let isComplete = words.count == 4
    let address = isComplete ? String(words[2]) : hostName
    let host = address.contains(":") ? "[\(address)]" : address
    let port = isComplete && words[3] != "22" ? ":\(words[3])" : ""
    let name = FileList(rawPaths: [Array("/\(user)".utf8)]).uris[0].dropFirst("file:///".count)
    uri = "sftp://\(name.isEmpty ? "" : "\(name)@")\(host)\(port)"
  }

  /// For the session that this is.
  static var current: RemotePrefix {
    RemotePrefix(
      user: getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "",
      hostName: FileList.thisHost ?? "localhost",
      connection: getenv("SSH_CONNECTION").map { String(cString: $0) })
  }

  /// The URI of a file.
  func uri(of path: [UInt8]) -> String {
    uri + FileList(rawPaths: [path]).uris[0].dropFirst("file://".count)
  }
}
