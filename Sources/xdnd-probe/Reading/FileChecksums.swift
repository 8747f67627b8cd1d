import XDnDFileOperations
import XDnDToolSupport
import XDnDToolWindow

/// Computes the checksums of dropped files in the background and reports them. Drops do not wait for them.
final class FileChecksums {
  var onIdle: () -> Void = {}

  private let loop: EventLoop
  private let reporter: Reporter
  private var task: ChecksumTask?
  private var waiting: [[[UInt8]]] = []
  /// The maximum number of waiting files of all drops together; equal to the limit of one list.
  private static let mostWaiting = ListSlices.mostEntries

  init(on loop: EventLoop, reporter: Reporter) {
    self.loop = loop
    self.reporter = reporter
  }

  var isIdle: Bool { task == nil && waiting.isEmpty }

  func report(_ paths: [[UInt8]]) {
    guard !paths.isEmpty else { return }
    guard waiting.reduce(paths.count, { $0 + $1.count }) <= Self.mostWaiting else {
      let reason = "more than \(Self.mostWaiting) files are waiting"
      return reporter.print(
        "checksum", "Skipped the checksums of \(paths.count) files: \(reason).",
        ["count": .integer(paths.count), "reason": .string(reason)])
    }
    waiting.append(paths)
    if task == nil { next() }
  }

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
        "checksum", "No checksums of \(paths.count) files: \(error).",
        ["count": .integer(paths.count), "reason": .string(error.description)])
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

/// SHA-256, as for dropped content.
private final class FileDigest: Checksum {
  private var state = SHA256()

  func update(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }
  var hexDigest: String { state.hexDigest }
}

extension Report {
  fileprivate init(_ item: ChecksumTask.Item) {
    let path = Report.Value.path(item.path)
    let visible = Formatting.visible(RawArgument.string(item.path))
    switch item.result {
    case .success(let value):
      self.init(
        "checksum", "SHA-256 \(value.digest) of \(visible): \(Formatting.bytes(value.byteCount)).",
        ["path": path, "bytes": .integer(value.byteCount), "sha256": .string(value.digest)])
    case .failure(let error):
      self.init(
        "checksum", "No checksum: \(Formatting.visible(error.description)).",
        ["path": path, "reason": .string(error.description)])
    }
  }
}
