import ToolSupport
import ToolWindow
import XDnD

/// Content on its way in, from a drop or a clipboard.
final class Arrival {
  let requested: ContentType
  private(set) var count = 0
  private let output: Output?
  private let reporter: Reporter
  private var task: LoadTask?
  private var checksum = SHA256()
  /// The bytes of a list of files, to look into it; `nil` for other types, which are never held in memory.
  private var uriList: [UInt8]?
  /// How many bytes there will be when the next line is due.
  private var nextReport = Arrival.reportInterval
  private static let reportInterval = 8 << 20

  init(_ type: ContentType, to output: Output?, _ reporter: Reporter) {
    requested = type
    self.output = output
    self.reporter = reporter
    if type == .uriList { uriList = [] }
  }

  /// Begins.
  func load(
    from provider: ContentProvider, completion: @escaping (Result<ContentType, XDnDError>) -> Void
  ) throws(Output.Failure) {
    let progress: (Int, Int?) -> Void = { [unowned self] in report($0, of: $1) }
    let stream: OutputStream?
    switch output?.kind {
    case .file(let destination):
      return keep(
        provider.load(
          requested, toFile: destination, inspecting: { self.take($0) }, progress: progress, completion: completion))
    case .stream(let path): stream = try OutputStream(path, argument: output?.argument ?? "")
    case .standardOutput: stream = OutputStream()
    case nil: stream = nil
    }
    keep(
      provider.load(
        requested, limit: .max, progress: progress,
        into: {
          self.take($0)
          return stream?.write($0) ?? true
        }, completion: completion))
  }

  private func keep(_ task: LoadTask) {
    if !task.isFinished { self.task = task }
  }

  /// Leaves nothing of a file that is not complete.
  func cancel() { task?.cancel() }

  private func take(_ part: UnsafeRawBufferPointer) {
    checksum.update(part)
    count += part.count
    uriList?.append(contentsOf: part)
  }

  // MARK: What is said of it

  /// Long content is worth a line now and then.
  private func report(_ received: Int, of expected: Int?) {
    guard received >= nextReport else { return }
    nextReport = received + Self.reportInterval
    guard received > 0, received != expected else { return }
    let whole = expected.map { " of \(Humane.size($0))" } ?? ""
    reporter.print(
      Report(
        "progress", "Got \(Humane.size(received))\(whole).",
        ["bytes": .integer(received), "expected": expected.map { .integer($0) }]))
  }

  /// All is here.
  func report(as type: ContentType) -> (report: Report, files: [DroppedFile]) {
    let files = uriList.map { FileList(decoding: $0).uris.map(DroppedFile.init) } ?? []
    let digest = checksum.hexDigest
    let report = Report(
      "data",
      (["Got \(Humane.visible(type.name)): \(Humane.bytes(count)), SHA-256 \(digest)"] + files.map(\.sentence))
        .joined(separator: "\n"),
      [
        "type": .string(requested.name), "property_type": .string(type.name), "bytes": .integer(count),
        "sha256": .string(digest), "files": files.isEmpty ? nil : .list(files.map(\.fields)),
        "output": output.map { .string(Humane.visible($0.argument)) },
      ])
    return (report, files)
  }

  /// It did not come.
  static func failure(_ sentence: String, _ status: ExitStatus) -> Report {
    Report(
      "failed", "Failed: \(Humane.visible(sentence)).", ["reason": .string(sentence), "status": .string(status.word)])
  }
}
