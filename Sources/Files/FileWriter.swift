/// Writes a new file from its start to its end.
///
/// It is synced on the way: a single sync at the end could block an event loop for minutes. A load ends only after the
/// last sync, because the source of a move may delete its original next.
package final class FileWriter {
  package private(set) var byteCount = 0
  package let descriptor: Descriptor
  private let isDurable: Bool
  private var unsynced = 0

  /// The number of bytes after which the file is synced.
  private static let syncInterval = 16 << 20

  package init(_ descriptor: Descriptor, isDurable: Bool = true) {
    self.descriptor = descriptor
    self.isDurable = isDurable
  }

  package convenience init(
    _ name: RawPath, in directory: OpenDirectory, mode: FileMode, isDurable: Bool
  ) throws(SystemError) {
    self.init(Descriptor(try createFile(name, in: directory.descriptor, mode: mode)), isDurable: isDurable)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try writeAll(bytes, to: descriptor.number)
    byteCount += bytes.count
    unsynced += bytes.count
    if unsynced >= Self.syncInterval { try sync() }
  }

  package func sync() throws(SystemError) {
    unsynced = 0
    if isDurable { try syncFile(descriptor.number, onlyContent: true) }
  }
}
