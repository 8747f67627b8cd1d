internal import CLinux
internal import Glibc
internal import Synchronization

/// What a worker thread reports to the owner of its task, who waits on a descriptor.
final class Mailbox<News: Sendable>: Sendable {
  /// An eventfd: readable from the first change to the next ``collect()``.
  let bell: CInt
  private let empty: News
  private let state: Mutex<(news: News, isCancelled: Bool)>

  init(_ empty: News) throws(FileError) {
    bell = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    self.empty = empty
    state = Mutex((empty, false))
    guard bell >= 0 else { throw .tooManyFiles }
  }

  deinit { close(bell) }

  func ring() { eventfd_write(bell, 1) }

  func tell(_ change: (inout News) -> Void) {
    state.withLock { change(&$0.news) }
    ring()
  }

  /// Returns what was told since the last call.
  func collect() -> News {
    var count: eventfd_t = 0
    eventfd_read(bell, &count)
    return state.withLock { state in
      defer { state.news = empty }
      return state.news
    }
  }

  func cancel() { state.withLock { $0.isCancelled = true } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }
}
