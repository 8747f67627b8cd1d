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

  /// Looks up the status of a local file, without opening it.
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
  /// Whether the source keeps the file only for the drop, in a `.xdnd-` directory, whose path means nothing to the
  /// user.
  var isTemporary: Bool {
    rawPath?.split(separator: UInt8(ascii: "/")).contains { $0.starts(with: Array(".xdnd-".utf8)) } ?? false
  }

  var fields: Report.Value {
    .members([
      "uri": .string(uri), "path": rawPath.map { .path($0) },
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

/// Decodes a `text/uri-list` in slices.
///
/// A source may drop a million entries, which would take seconds to decode at once. Entries beyond ``mostEntries`` are
/// ignored.
struct ListSlices {
  /// The maximum number of entries read from one list.
  static let mostEntries = 100_000
  /// The number of bytes decoded at once; takes a fraction of a millisecond.
  private static let sliceLength = 8 << 10

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0
  /// Whether the list has more entries than are read.
  private(set) var isCut = false

  /// The maximum size of a list in another charset, which is converted at once, in bytes.
  private static let convertibleLength = 1 << 20

  /// Returns `nil` if the list cannot be decoded.
  ///
  /// - Parameter type: The type of the list, which may have a charset parameter.
  init?(_ bytes: [UInt8], as type: ContentType) {
    if type.parameter("charset").map({ ["utf-8", "us-ascii"].contains($0) }) ?? true {
      self.bytes = bytes
    } else {
      guard bytes.count <= Self.convertibleLength, let list = try? FileList(decoding: bytes, as: type) else {
        return nil
      }
      self.bytes = Array(list.uris.joined(separator: "\n").utf8)
    }
  }

  /// Returns the next entries, possibly none; `nil` at the end of the list or at the limit.
  mutating func next() -> [String]? {
    guard position < bytes.count, !isCut else { return nil }
    var end = min(position + Self.sliceLength, bytes.count)
    while end < bytes.count, !Self.endsLine(bytes[end]) { end += 1 }
    let uris = FileList(decoding: Array(bytes[position..<end])).uris
    position = end
    let taken = uris.prefix(Self.mostEntries - count)
    count += taken.count
    isCut = taken.count < uris.count
    return Array(taken)
  }

  /// Whether the byte ends a line for ``FileList/init(decoding:)``.
  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }
}

extension ListSlices {
  /// The message for a list with more entries than are read.
  static let cutSentence = "the list has more than \(mostEntries) entries; the rest was ignored"

  /// Reads the list in slices between events.
  ///
  /// - Parameters:
  ///   - take: Receives some entries; returns whether to continue.
  ///   - completion: Called at the end of the list, with whether it was cut off; for a short list before this returns.
  func read(
    on loop: EventLoop, _ take: @escaping ([String]) -> Bool,
    completion: @escaping (_ isCut: Bool) -> Void
  ) {
    var slices = self
    loop.work {
      guard let uris = slices.next() else {
        completion(slices.isCut)
        return false
      }
      return take(uris)
    }
  }
}
