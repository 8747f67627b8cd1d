import Glibc
import ToolSupport
import ToolWindow
import XDnD

/// One entry of a dropped list of files.
struct DroppedFile {
  /// What the file system says of it; nothing is opened for that.
  enum Kind: Equatable {
    /// A regular file, with its length in bytes.
    case regular(Int)
    case directory
    /// A device, a pipe; or it is not there, or not on this machine.
    case other
  }

  let uri: String
  /// What it names.
  let entry: FileList.Entry
  let kind: Kind

  /// - Parameter hostName: Of this machine.
  init(uri: String, hostName: String? = FileList.thisHost) {
    self.uri = uri
    entry = FileList(uris: [uri]).entries(hostName: hostName).first ?? .malformed(text: uri)
    kind = if case .local(let path) = entry { Kind(of: path) } else { .other }
  }

  /// Absolute; `nil` if it is not on this machine.
  var rawPath: [UInt8]? { if case .local(let path) = entry { path } else { nil } }
  /// For programs that cannot take bytes.
  var path: String? { rawPath.map { String(decoding: $0, as: UTF8.self) } }
  /// For people.
  var visiblePath: String? { rawPath.map { Humane.visible(RawArgument.string($0)) } }
  /// The last part of it.
  var visibleName: String? { visiblePath.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }
  /// The rest.
  var visibleDirectory: String? {
    guard let visiblePath, let name = visibleName, visiblePath.count > name.count + 1 else { return nil }
    return String(visiblePath.dropLast(name.count + 1))
  }
  /// In bytes, of a regular file.
  var size: Int? { if case .regular(let size) = kind { size } else { nil } }
  /// Whether it is one, here and at the time of the drop.
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
    guard withPath(path, { stat($0, &status) }) == 0 else {
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
  /// Why no program here can be given it as a file; `nil` if one can.
  var noFileReason: String? {
    switch self {
    case .local: nil
    case .otherHost, .remote: "it is not on this machine"
    case .malformed: "it names no file"
    }
  }
}

/// An entry of a list that nothing is done with.
struct LeftOut {
  let uri: String
  let reason: String
}

extension Report {
  /// What is neither printed nor given to a command.
  ///
  /// - Parameter entries: Any number: the first hundred are listed.
  static func leftOut(_ entries: [LeftOut]) -> Report {
    let listed = entries.prefix(100)
    let surplus = entries.count - listed.count
    return Report(
      "left-out",
      (["Left out:"] + listed.map { "  \(Humane.visible($0.uri)): \($0.reason)" }
        + (surplus > 0 ? ["  and \(surplus) more"] : [])).joined(separator: "\n"),
      [
        "count": .integer(entries.count),
        "entries": .list(
          listed.map { .object([("uri", .string($0.uri)), ("reason", .string($0.reason))]) }),
      ])
  }
}
