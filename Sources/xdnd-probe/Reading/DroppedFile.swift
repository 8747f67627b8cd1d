import Files
import Glibc
import ToolSupport
import ToolWindow
import XDnD

/// An entry of a dropped file list.
struct DroppedFile {
  /// The kind of the file, found with `stat`, without opening it.
  enum Kind: Equatable {
    /// A regular file and its size in bytes.
    case regular(Int)
    case directory
    /// A device or pipe; or the file is missing, or on another machine.
    case other
  }

  let uri: String
  /// The parsed URI.
  let entry: FileList.Entry
  let kind: Kind

  /// - Parameter hostName: The name of this machine.
  init(uri: String, hostName: String? = FileList.thisHost) {
    self.uri = uri
    entry = FileList(uris: [uri]).entries(hostName: hostName).first ?? .malformed(text: uri)
    kind = if case .local(let path) = entry { Kind(of: path) } else { .other }
  }

  /// The absolute path; `nil` if the file is not on this machine.
  var rawPath: [UInt8]? { if case .local(let path) = entry { path } else { nil } }
  /// The path for JSON output, with invalid UTF-8 replaced.
  var path: String? { rawPath.map { String(decoding: $0, as: UTF8.self) } }
  /// The path for display.
  var visiblePath: String? { rawPath.map { Humane.visible(RawArgument.string($0)) } }
  /// The last component of the path, for display.
  var visibleName: String? { visiblePath.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }
  /// The path without its last component, for display.
  var visibleDirectory: String? {
    guard let visiblePath, let name = visibleName, visiblePath.count > name.count + 1 else { return nil }
    return String(visiblePath.dropLast(name.count + 1))
  }
  /// The size of a regular file in bytes.
  var size: Int? { if case .regular(let size) = kind { size } else { nil } }
  /// Whether the entry was a directory on this machine at the time of the drop.
  var isDirectory: Bool { kind == .directory }

  var fields: Report.Value {
    var members: [(String, Report.Value)] = [("uri", .string(uri))]
    if let path { members.append(("path", .string(path))) }
    if let size { members.append(("bytes", .integer(size))) }
    return .object(members)
  }

  var sentence: String {
    guard let visiblePath else { return "  \(Humane.visible(uri)) (\(entry.noFileReason ?? ""))" }
    return "  \(visiblePath)" + (size.map { ": \(Humane.bytes($0))" } ?? "")
  }
}

extension DroppedFile.Kind {
  fileprivate init(of path: [UInt8]) {
    var status = stat()
    guard withCPath(path, { stat($0, &status) }) == 0 else {
      self = .other
      return
    }
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular(Int(status.st_size))
      case S_IFDIR: .directory
      default: .other
      }
  }
}

extension FileList.Entry {
  /// Why the entry cannot be passed to a program as a file; `nil` if it can.
  var noFileReason: String? {
    switch self {
    case .local: nil
    case .otherHost, .remote: "it is on another host"
    case .malformed: "it is not a valid file URI"
    }
  }
}

/// A list entry that is not processed.
struct LeftOut {
  let uri: String
  let reason: String
}

extension Report {
  /// Returns the report of list entries that are neither printed nor passed to a command.
  ///
  /// - Parameter entries: All entries; the first hundred are listed.
  static func leftOut(_ entries: [LeftOut]) -> Report {
    let listed = entries.prefix(100)
    let surplus = entries.count - listed.count
    return Report(
      "left-out",
      (["Skipped:"] + listed.map { "  \(Humane.visible($0.uri)): \($0.reason)" }
        + (surplus > 0 ? ["  and \(surplus) more"] : [])).joined(separator: "\n"),
      [
        "count": .integer(entries.count),
        "entries": .list(
          listed.map { .object([("uri", .string($0.uri)), ("reason", .string($0.reason))]) }),
      ])
  }
}
