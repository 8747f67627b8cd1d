import ToolSupport
import ToolWindow
import XDnD

/// One representation on its way in.
final class Arrival {
  let requested: ContentType
  private(set) var count = 0
  private var checksum = SHA256()
  /// The bytes, of content that is looked into or kept; `nil` for what is only counted, which is never held in memory.
  private(set) var bytes: [UInt8]?
  private let limit: Int
  /// How many bytes there will be when the next line is due.
  private var nextReport = Arrival.reportInterval
  private static let reportInterval = 8 << 20
  /// The longest content that is looked into, in bytes, and the longest that is kept.
  static let readingLimit = 16 << 20
  private static let keepingLimit = 64 << 20

  /// - Parameter isKept: Whether the bytes are wanted also of what nothing is known about.
  init(_ type: ContentType, isKept: Bool = false) {
    requested = type
    limit = isKept ? Self.keepingLimit : Self.readingLimit
    if isKept || ArrivedContent.canRead(type) || type.type == "image" { bytes = [] }
  }

  func take(_ part: UnsafeRawBufferPointer) {
    checksum.update(part)
    count += part.count
    if count > limit { bytes = nil }
    bytes?.append(contentsOf: part)
  }

  /// Long content is worth a line now and then.
  func progress(_ received: Int, of expected: Int?) -> Report? {
    guard received >= nextReport else { return nil }
    nextReport = received + Self.reportInterval
    guard received > 0, received != expected else { return nil }
    let whole = expected.map { " of \(Humane.size($0))" } ?? ""
    return Report(
      "progress", "Got \(Humane.size(received))\(whole).",
      ["bytes": .integer(received), "expected": expected.map { .integer($0) }])
  }

  /// All is here: what it is.
  ///
  /// - Parameters:
  ///   - type: What the source says that it is.
  ///   - output: Where it has been written to.
  func complete(as type: ContentType, output: Output?) -> (report: Report, content: ArrivedContent?) {
    let content = bytes.flatMap { bytes in
      ArrivedContent.canRead(requested) ? ArrivedContent(bytes, requested: requested, type: type) : nil
    }
    let digest = checksum.hexDigest
    let names = Humane.visible(requested.name) + (type.name == requested.name ? "" : " as \(Humane.visible(type.name))")
    let report = Report(
      "data",
      (["Got \(names): \(Humane.bytes(count)), SHA-256 \(digest)"] + (content?.sentences ?? []))
        .joined(separator: "\n"),
      [
        "type": .string(requested.name), "property_type": .string(type.name), "bytes": .integer(count),
        "sha256": .string(digest), "files": content?.files.map { .list($0.map(\.fields)) },
        "text": content?.text.map { .string($0) }, "links": content?.links.map { .list($0.map(\.fields)) },
        "color": content?.color.map { .string($0) },
        "output": output.flatMap { $0.isScratch ? nil : .string(Humane.visible($0.argument)) },
      ])
    return (report, content)
  }
}
