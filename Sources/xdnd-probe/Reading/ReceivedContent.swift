import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// One representation as it is received, and its decoded content.
final class ReceivedContent {
  let requested: ContentType
  private(set) var count = 0
  /// `nil` if no checksum is computed.
  private var checksum: SHA256?
  /// The bytes of content that is decoded, shown or held, up to ``limit``; `nil` for other content, which is only
  /// counted.
  private(set) var bytes: [UInt8]?
  /// The decoded content; `nil` while it is incomplete, and if it cannot be decoded.
  private(set) var decoded: DecodedContent?
  /// The number of bytes above which ``bytes`` is discarded.
  private let limit: Int
  /// The byte count at which the next progress report is due.
  private var nextReport = ReceivedContent.reportInterval
  private static let reportInterval = 8 << 20
  /// The maximum size of content that is decoded, and of content that is held, in bytes.
  static let readingLimit = 16 << 20
  private static let holdingLimit = 64 << 20

  /// - Parameters:
  ///   - isHeld: Whether to hold the bytes of every type, so that the content can be dragged out again.
  ///   - hasChecksum: Whether the report includes the SHA-256 checksum.
  init(_ type: ContentType, isHeld: Bool = false, hasChecksum: Bool = false) {
    requested = type
    limit = isHeld ? Self.holdingLimit : Self.readingLimit
    if isHeld || DecodedContent.canRead(type) || type.type == "image" { bytes = [] }
    if hasChecksum { checksum = SHA256() }
  }

  func take(_ part: UnsafeRawBufferPointer) {
    checksum?.update(part)
    count += part.count
    if count > limit { bytes = nil }
    bytes?.append(contentsOf: part)
  }

  /// Returns a progress report every 8 MiB, otherwise `nil`.
  func progress(_ received: Int, of expected: Int?) -> Report? {
    guard received >= nextReport else { return nil }
    nextReport = received + Self.reportInterval
    guard received > 0, received != expected else { return nil }
    let whole = expected.map { " of \(Formatting.size($0))" } ?? ""
    return Report(
      "progress", "Received \(Formatting.size(received))\(whole).",
      ["bytes": .integer(received), "expected": expected.map { .integer($0) }])
  }

  /// Decodes the complete content. Long file lists are decoded in slices between events.
  ///
  /// - Parameters:
  ///   - type: The property type that the source delivered.
  ///   - completion: Receives the report after decoding; for short content, called before this method returns.
  func complete(
    as type: ContentType, output: OutputDestination?, on loop: EventLoop,
    completion: @escaping (Report) -> Void
  ) {
    let isReadable = count <= Self.readingLimit && DecodedContent.canRead(requested)
    if let bytes, isReadable {
      decoded = DecodedContent.decode(bytes, requested: requested, type: type)
    }
    guard let bytes, isReadable, DecodedContent.isList(requested), let slices = ListSlices(bytes, as: requested) else {
      return completion(report(type, output))
    }
    let hostName = FileList.thisHost
    var files: [DroppedFile] = []
    slices.read(on: loop) { uris in
      files += uris.map { DroppedFile(uri: $0, hostName: hostName) }
      return true
    } completion: { [self] isCut in
      decoded = .files(files)
      completion(report(type, output, isCut: isCut))
    }
  }

  /// Why ``decoded`` is `nil`.
  var unreadableReason: String {
    count > Self.readingLimit
      ? "the content is larger than \(Formatting.size(Self.readingLimit)), the most that is decoded"
      : "cannot decode the content as \(requested.name)"
  }

  private func report(_ type: ContentType, _ output: OutputDestination?, isCut: Bool = false) -> Report {
    let digest = checksum?.hexDigest
    let names =
      Formatting.visible(requested.name) + (type.name == requested.name ? "" : " as \(Formatting.visible(type.name))")
    return Report(
      "data",
      (["Received \(names): \(Formatting.bytes(count))\(digest.map { ", SHA-256 \($0)" } ?? "")"]
        + (decoded?.sentences ?? [])
        + (isCut ? ["  (\(ListSlices.cutSentence))"] : []))
        .joined(separator: "\n"),
      [
        "type": .string(requested.name), "property_type": .string(type.name), "bytes": .integer(count),
        "sha256": digest.map { .string($0) },
        "files": decoded?.files.map { .list($0.prefix(DecodedContent.mostFilesInLine).map(\.fields)) },
        "more": isCut ? true : nil,
        "text": decoded?.text.map { .string($0) }, "links": decoded?.links.map { .list($0.map(\.fields)) },
        "color": decoded?.color.map { .string($0) },
        "records": decoded?.records.map { .list($0.map(\.fields)) },
        "output": output?.argument.map { .string(Formatting.visible($0)) },
      ])
  }
}
