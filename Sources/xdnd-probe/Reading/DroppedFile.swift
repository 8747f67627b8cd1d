import XDnDFiles
import XDnDToolSupport
import XDnD

/// An entry of a dropped file list.
struct DroppedFile {
  let uri: String
  let entry: FileList.Entry
  /// The kind at the time of the drop; `nil` if the file is missing, or on another machine.
  private let kind: FileStatus.Kind?
  /// The size of a regular file in bytes.
  let size: Int?
  /// Whether the file is a symbolic link. The kind and the size are those of its destination.
  let isLink: Bool

  /// Does not open the file.
  ///
  /// - Parameter hostName: The name of this machine.
  init(uri: String, hostName: String?) {
    self.uri = uri
    entry = FileList(uris: [uri]).entries(hostName: hostName).first ?? .malformed(text: uri)
    let status: FileStatus? = if case .local(let path) = entry { try? FileStatus(at: path) } else { nil }
    kind = status?.kind
    size = status?.kind == .file ? status?.size : nil
    isLink = if case .local(let path) = entry { FileStatus.isLink(at: path) } else { false }
  }

  var isDirectory: Bool { kind == .directory }
  /// The absolute path; `nil` if the file is not on this machine.
  var rawPath: [UInt8]? { if case .local(let path) = entry { path } else { nil } }

  var visiblePath: String? { rawPath.map { Formatting.visible(RawArgument.string($0)) } }
  /// The last component of the path, for display.
  var visibleName: String? { visiblePath.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }
  /// Whether the file lies where a source keeps it only until it was taken. The path then says nothing to the user.
  var isTemporary: Bool {
    rawPath?.split(separator: UInt8(ascii: "/")).contains { $0.starts(with: Array(".xdnd-".utf8)) } ?? false
  }

  var fields: Report.Value {
    .members([
      "uri": .string(uri), "path": rawPath.map { .string(String(decoding: $0, as: UTF8.self)) },
      "bytes": size.map { .integer($0) },
    ])
  }

  var sentence: String {
    guard let visiblePath else { return "  \(Formatting.visible(uri)) (\(entry.noFileReason ?? ""))" }
    return "  \(visiblePath)" + (size.map { ": \(Formatting.bytes($0))" } ?? "")
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
  /// Returns the report of list entries that are neither printed nor passed to a command. The first hundred are listed.
  static func leftOut(_ entries: [LeftOut]) -> Report {
    let listed = entries.prefix(100)
    let surplus = entries.count - listed.count
    let lines = ["Skipped:"] + listed.map { "  \(Formatting.visible($0.uri)): \($0.reason)" }
    return Report(
      "left-out", (lines + (surplus > 0 ? ["  and \(surplus) more"] : [])).joined(separator: "\n"),
      [
        "count": .integer(entries.count),
        "entries": .list(listed.map { .members(["uri": .string($0.uri), "reason": .string($0.reason)]) }),
      ])
  }
}
