import FileOperations
import ToolSupport
import ToolWindow

/// Checksums of dropped files, which are reported when they are known: the drop does not wait for them.
final class FileChecksums {
  /// Called when nothing more is to come for now.
  var onIdle: () -> Void = {}

  private let loop: EventLoop
  private let reporter: Reporter
  private var task: ChecksumTask?
  /// The files of drops whose turn has not come.
  private var waiting: [[[UInt8]]] = []
  /// Of several drops together; one list has no more.
  private static let mostWaiting = ListSlices.mostEntries

  init(on loop: EventLoop, reporter: Reporter) {
    self.loop = loop
    self.reporter = reporter
  }

  /// Whether there is nothing to be computed.
  var isIdle: Bool { task == nil && waiting.isEmpty }

  /// Reports the checksum of each of these files, once.
  func report(_ paths: [[UInt8]]) {
    guard !paths.isEmpty else { return }
    guard waiting.reduce(paths.count, { $0 + $1.count }) <= Self.mostWaiting else {
      return reporter.print(
        Report(
          "checksum", "No checksums of \(paths.count) files: too many are waiting for theirs.",
          ["count": .integer(paths.count), "reason": "too many files are waiting for theirs"]))
    }
    waiting.append(paths)
    if task == nil { next() }
  }

  /// Ends it, and says no more.
  func stop() {
    waiting = []
    end()
  }

  private func end() {
    guard let task else { return }
    loop.unwatch(task.fileDescriptor)
    task.cancel()
    self.task = nil
  }

  private func next() {
    guard !waiting.isEmpty else { return onIdle() }
    let paths = waiting.removeFirst()
    do {
      let task = try ChecksumTask(paths, makeChecksum: { FileDigest() }) { [reporter] in reporter.print(Report($0)) }
      self.task = task
      loop.watch(task.fileDescriptor) { [weak self] in self?.process() }
    } catch {
      reporter.print(
        Report(
          "checksum", "No checksums of \(paths.count) files: \(error).",
          ["count": .integer(paths.count), "reason": .string(error.description)]))
      next()
    }
  }

  private func process() {
    task?.process()
    guard task?.isFinished == true else { return }
    end()
    next()
  }
}

/// The same checksum that content has.
private final class FileDigest: Checksum {
  private var state = SHA256()

  func update(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }
  var hexDigest: String { state.hexDigest }
}

extension Report {
  fileprivate init(_ item: ChecksumTask.Item) {
    let path = Report.Value.string(String(decoding: item.path, as: UTF8.self))
    let visible = Humane.visible(RawArgument.string(item.path))
    switch item.result {
    case .success(let value):
      self.init(
        "checksum", "SHA-256 \(value.digest) of \(visible): \(Humane.bytes(value.byteCount)).",
        ["path": path, "bytes": .integer(value.byteCount), "sha256": .string(value.digest)])
    case .failure(let error):
      self.init(
        "checksum", "No checksum: \(Humane.visible(error.description)).",
        ["path": path, "reason": .string(error.description)])
    }
  }
}
