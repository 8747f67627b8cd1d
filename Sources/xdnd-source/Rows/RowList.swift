import Glibc
import XDnDFiles
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The rows of the window with the results of their drops. Names on standard input add more rows.
final class RowList {
  /// Rows were added; the argument is their range.
  var onGrowth: ((Range<Int>) -> Void)?
  /// The names on standard input have ended.
  var onCompletion: (() -> Void)?
  /// Standard input could not be read to its end. The rows read before remain.
  var onFailure: ((SystemError) -> Void)?

  private var rows: [SourceRow]
  /// Reports when moved files come back or leave again.
  private let movedFiles = MovedFiles()
  /// The source of further rows; `nil` once it has ended, or if there is none.
  private var names: NameReader?
  private let maker: RowMaker
  private let reporter: Reporter
  private var areIconsRefined = false

  init(_ rows: [SourceRow], names: NameReader?, maker: RowMaker, reporter: Reporter) {
    self.rows = rows
    self.names = names
    self.maker = maker
    self.reporter = reporter
  }

  var count: Int { rows.count }
  var isEmpty: Bool { rows.isEmpty }
  var indices: Range<Int> { rows.indices }
  var isComplete: Bool { names == nil }

  subscript(index: Int) -> SourceRow { rows[index] }

  var title: String { rows.count == 1 ? rows[0].title : Formatting.count(presentCount, "item") }

  /// Returns the rows that can be dragged, without those whose files a target has moved away.
  func present(_ indices: some Sequence<Int>) -> [Int] {
    indices.filter { rows[$0].mark != .moved || hasFile($0) }
  }

  /// Whether a row's file exists; `true` for other content.
  private func hasFile(_ index: Int) -> Bool {
    rows[index].path.map { withCPath($0) { access($0, F_OK) } == 0 } ?? true
  }

  var presentCount: Int { present(indices).count }

  /// The total size of the rows with a known size; empty if there are none.
  var totalSize: String {
    let sizes = present(indices).compactMap { rows[$0].size }
    return sizes.isEmpty ? "" : Formatting.size(sizes.reduce(0, ByteSize.sum))
  }

  /// Replaces the icons that were guessed without the system's MIME database, now and in rows added later. Call it
  /// after the first drawing, because loading the database is slow.
  func refineIcons() {
    areIconsRefined = true
    for index in rows.indices { rows[index].refineIcon() }
  }

  /// The first row with content that is an image. There is one row with content at most.
  var imageRow: Int? { rows.firstIndex { $0.image != nil } }

  /// Sets a decoded image as the row's drag image, instead of its card.
  func setPicture(_ picture: Picture, ofRow index: Int) { rows[index].picture = .picture(picture) }

  // MARK: Drops

  func markMoved(_ indices: [Int]) {
    for index in indices {
      rows[index].mark = .moved
      rows[index].wasMoved = true
      rows[index].path.map(movedFiles.watch)
    }
  }

  /// Marks rows whose files are gone: a target that has moved only some files of a drop reports a copy.
  ///
  /// - Returns: The number of these rows.
  func markMissing(_ indices: [Int]) -> Int {
    let missing = indices.filter { rows[$0].mark != .moved && !hasFile($0) }
    markMoved(missing)
    return missing.count
  }

  /// Readable when ``takeMovedFiles()`` has something to do.
  var movedFilesDescriptor: CInt { movedFiles.descriptor }

  /// Updates the notes of moved files: removes the note of a file that is at its old place again, because the target
  /// has undone the move, and restores it if the move is redone.
  ///
  /// - Returns: Whether a note has changed; `nil` if no moved file has come or gone.
  func takeMovedFiles() -> Bool? {
    let paths = movedFiles.take()
    let changed = indices.filter { rows[$0].wasMoved && rows[$0].path.map(paths.contains) == true }
    if changed.isEmpty { return nil }
    let before = changed.map { rows[$0].mark }
    for index in changed { rows[index].mark = hasFile(index) ? nil : .moved }
    return changed.map { rows[$0].mark } != before
  }

  /// - Parameter words: `nil` if the rows have not failed.
  func noteFailure(_ words: String?, of indices: [Int]) {
    for index in indices { rows[index].failure = words }
  }

  func markTaken(_ indices: [Int]) {
    for index in indices where rows[index].mark == nil { rows[index].mark = .taken }
  }

  /// Whether no more rows will be added and every row is marked.
  var areAllMarked: Bool { isComplete && rows.allSatisfy { $0.mark != nil } }

  // MARK: Growth

  func follow(on loop: EventLoop) {
    guard let names, !names.isAtEnd else { return complete() }
    loop.watch(names.descriptor) { [unowned self] in
      do throws(SystemError) {
        // Each batch lays out all rows again, so a long list grows in large batches.
        append(try names.read(upTo: max(1000, rows.count / 4)))
        guard names.isAtEnd else { return }
        loop.unwatch(names.descriptor)
        complete()
      } catch {
        loop.unwatch(names.descriptor)
        onFailure?(error)
      }
    }
  }

  private func append(_ names: [[UInt8]]) {
    var arrived = names.compactMap { maker.row(listed: $0, reporter) }
    guard !arrived.isEmpty else { return }
    if areIconsRefined { for index in arrived.indices { arrived[index].refineIcon() } }
    let first = rows.count
    rows += arrived
    onGrowth?(first..<rows.count)
  }

  private func complete() {
    guard names != nil else { return }
    names = nil
    onCompletion?()
  }
}

/// Watches the directories that files were moved out of. A target that undoes a move brings the file back, and redoing
/// it takes the file away again.
final class MovedFiles {
  /// Readable when ``take()`` has something to return; negative if the process cannot watch directories.
  let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
  private var directories: [CInt: RawPath] = [:]
  private var watched: Set<RawPath> = []

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches the directory of a file from now on.
  ///
  /// - Parameter path: An absolute path.
  func watch(_ path: RawPath) {
    let directory = path.parent
    guard watched.insert(directory).inserted else { return }
    let events = [IN_MOVED_TO, IN_CREATE, IN_MOVED_FROM, IN_DELETE, IN_ONLYDIR].reduce(0) { $0 | UInt32($1) }
    let watch = withCPath(directory) { inotify_add_watch(descriptor, $0, events) }
    if watch >= 0 { directories[watch] = directory }
  }

  /// Returns the paths of the files that have come to the directories or left them since the last call.
  func take() -> Set<RawPath> {
    var paths: Set<RawPath> = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      buffer[..<count].withUnsafeBytes { events in
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= events.count {
          let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // The name is padded with NULs.
          let name = events[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
          if let directory = directories[event.wd] { paths.insert(directory.appending(Array(name))) }
          offset += header + Int(event.len)
        }
      }
    }
    return paths
  }
}
