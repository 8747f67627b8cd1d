import ToolSupport
import ToolWindow
import XDnD

/// Content on its way in, from a drop or a clipboard.
final class Arrival {
  let requested: ContentType
  private(set) var count = 0
  private let file: OutputFile?
  /// What the user calls the file.
  private let fileName: String?
  private var checksum = SHA256()
  /// The bytes of a list of files, to look into it; `nil` for other types, which are never held in memory.
  private var uriList: [UInt8]?
  /// How many bytes there will be when the next line is due.
  private var nextReport = Arrival.reportInterval
  private static let reportInterval = 8 << 20

  /// Opens the file, if there is to be one.
  init(_ type: ContentType, to destination: OutputFile.Destination?) throws(OutputFile.Failure) {
    requested = type
    file = try destination.map { destination throws(OutputFile.Failure) in try OutputFile(destination) }
    fileName = destination?.argument
    if type == .uriList { uriList = [] }
  }

  /// Takes the next part; `false` if it cannot be stored.
  func take(_ part: UnsafeRawBufferPointer) -> Bool {
    checksum.update(part)
    count += part.count
    uriList?.append(contentsOf: part)
    return file?.write(part) ?? true
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

  /// All is here: gives the file its name, and says what it is.
  func complete(as type: ContentType) throws(OutputFile.Failure) -> (report: Report, files: [DroppedFile]) {
    try file?.commit()
    let files = uriList.map { FileList(decoding: $0).uris.map(DroppedFile.init) } ?? []
    let digest = checksum.hexDigest
    let report = Report(
      "data",
      (["Got \(Humane.visible(type.name)): \(Humane.bytes(count)), SHA-256 \(digest)"] + files.map(\.sentence))
        .joined(separator: "\n"),
      [
        "type": .string(requested.name), "property_type": .string(type.name), "bytes": .integer(count),
        "sha256": .string(digest), "files": files.isEmpty ? nil : .list(files.map(\.fields)),
        "output": fileName.map { .string(Humane.visible($0)) },
      ])
    return (report, files)
  }

  /// Leaves nothing of a file that is not complete.
  func discard() { file?.discard() }

  /// What did not come.
  static func failure(_ sentence: String, _ status: ExitStatus) -> Report {
    Report(
      "failed", "Failed: \(Humane.visible(sentence)).", ["reason": .string(sentence), "status": .string(status.word)])
  }
}
