/// How far an operation has come.
public struct FileProgress: Hashable, Sendable {
  /// Which item is being worked on, from 0.
  public internal(set) var item = 0
  /// How many there are.
  public internal(set) var itemCount = 0
  /// The file that is being worked on: its name, or its path below the item.
  public internal(set) var current: RawPath = []
  /// Bytes that have been copied.
  public internal(set) var bytesDone = 0
  /// Bytes that have to be copied. Moving within a file system copies none. It may grow.
  public internal(set) var bytesTotal = 0

  /// From 0 to 1, by bytes, or by items if there are no bytes to copy.
  public var fraction: Double {
    if bytesTotal > 0 { return min(1, Double(bytesDone) / Double(bytesTotal)) }
    return itemCount > 0 ? min(1, Double(item) / Double(itemCount)) : 0
  }
}

/// What the work passes by again and again: it tells how far it is, and learns that it is to end.
final class Meter {
  private(set) var progress = FileProgress()
  private let report: (FileProgress) -> Void
  private let isCancelled: () -> Bool

  init(report: @escaping (FileProgress) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }) {
    self.report = report
    self.isCancelled = isCancelled
  }

  func begin(items: Int) { progress.itemCount = items }

  /// - Throws: ``FileError/cancelled``.
  func begin(item: Int, _ name: RawPath) throws(FileError) {
    progress.item = item
    try at(name)
  }

  func expect(bytes: Int) { progress.bytesTotal += bytes }

  /// - Throws: ``FileError/cancelled``.
  func at(_ name: RawPath) throws(FileError) {
    progress.current = name
    try advance(bytes: 0)
  }

  /// - Throws: ``FileError/cancelled``.
  func advance(bytes: Int) throws(FileError) {
    progress.bytesDone += bytes
    progress.bytesTotal = max(progress.bytesTotal, progress.bytesDone)
    report(progress)
    if isCancelled() { throw .cancelled }
  }

  /// - Throws: ``FileError/cancelled``.
  func check() throws(FileError) { if isCancelled() { throw .cancelled } }
}
