internal import XDnDLinux
internal import Glibc
internal import Synchronization

/// What a worker thread reports to the owner of its task, who waits on a descriptor.
final class Mailbox<Contents: Sendable>: Sendable {
  /// An eventfd: readable from the first change to the next ``collect()``.
  let descriptor: CInt
  private let empty: Contents
  private let state: Mutex<(contents: Contents, isCancelled: Bool)>

  init(_ empty: Contents) throws(FileError) {
    descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    self.empty = empty
    state = Mutex((empty, false))
    guard descriptor >= 0 else { throw .tooManyFiles }
  }

  deinit { close(descriptor) }

  func signal() { eventfd_write(descriptor, 1) }

  func post(_ change: (inout Contents) -> Void) {
    state.withLock { change(&$0.contents) }
    signal()
  }

  func collect() -> Contents {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
    return state.withLock { state in
      defer { state.contents = empty }
      return state.contents
    }
  }

  func cancel() { state.withLock { $0.isCancelled = true } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }
}
