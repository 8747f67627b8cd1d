/// The progress of a file operation.
public struct FileProgress: Hashable, Sendable {
  /// The index of the current item.
  public internal(set) var item = 0
  /// The number of items.
  public internal(set) var itemCount = 0
  /// The current file: its name, or its path below the item.
  public internal(set) var current: RawPath = []
  /// The bytes copied so far.
  public internal(set) var bytesDone = 0
  /// The bytes to copy in all. A move within a file system copies none. The total may grow during the operation.
  public internal(set) var bytesTotal = 0

  /// The progress from 0 to 1: by bytes, or by items if there are no bytes to copy.
  public var fraction: Double {
    if bytesTotal > 0 { return min(1, Double(bytesDone) / Double(bytesTotal)) }
    return itemCount > 0 ? min(1, Double(item) / Double(itemCount)) : 0
  }
}

/// Counts and reports the progress of a worker thread, and throws when the operation is cancelled.
final class Meter {
  private(set) var progress = FileProgress()
  private let report: (FileProgress) -> Void
  private let isCancelled: () -> Bool

  init(report: @escaping (FileProgress) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }) {
    self.report = report
    self.isCancelled = isCancelled
  }

  func begin(items: Int) { progress.itemCount = items }

  func begin(item: Int, _ name: RawPath) throws(FileError) {
    progress.item = item
    try at(name)
  }

  func expect(bytes: Int) { progress.bytesTotal += bytes }

  func at(_ name: RawPath) throws(FileError) {
    progress.current = name
    try advance(bytes: 0)
  }

  func advance(bytes: Int) throws(FileError) {
    progress.bytesDone += bytes
    progress.bytesTotal = max(progress.bytesTotal, progress.bytesDone)
    report(progress)
    if isCancelled() { throw .cancelled }
  }

  func check() throws(FileError) { if isCancelled() { throw .cancelled } }
}
