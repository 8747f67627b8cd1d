import CEpoll
import Glibc

/// One descriptor that is readable when anything needs ``DragAndDrop/process()``: the connection has something, content
/// has arrived from another thread, or a pipe that is waited for has something.
///
/// The descriptor is an epoll instance, so it can be polled like any other, and be a member of the host's own.
final class Doorbell: Sendable {
  /// For `poll` and its relatives.
  let fileDescriptor: CInt
  /// An eventfd: readable from a ``ring()`` to the next ``silence()``.
  private let bell: CInt

  /// - Parameter connection: The X connection; -1 for none.
  /// - Throws: ``XDnDError/Code/resourcesExhausted`` when the process may not open more descriptors.
  init(connection: CInt = -1) throws(XDnDError) {
    fileDescriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
    bell = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard fileDescriptor >= 0, bell >= 0, add(bell), connection < 0 || add(connection) else {
      throw XDnDError(.resourcesExhausted, "no more file descriptors can be opened")
    }
  }

  deinit {
    close(bell)
    close(fileDescriptor)
  }

  /// Makes the descriptor readable; from any thread.
  func ring() { eventfd_write(bell, 1) }

  /// Takes note of what has rung. Whoever is waited for has to be looked at after this, so that nothing gets lost.
  func silence() {
    var count: eventfd_t = 0
    eventfd_read(bell, &count)
    // A pipe that has been reported is quiet from here on, until it is waited for again. Only the connection, and a bell
    // that rings just now, are reported twice.
    var events = [epoll_event](repeating: epoll_event(), count: 32)
    while epoll_wait(fileDescriptor, &events, CInt(events.count), 0) == CInt(events.count) {}
  }

  /// Rings once when a pipe, socket or terminal can be read, or has ended.
  ///
  /// Once only: a requestor may leave off reading, and nobody must spin meanwhile.
  ///
  /// - Returns: Whether it can be waited for.
  func watch(_ descriptor: CInt) -> Bool {
    control(EPOLL_CTL_MOD, descriptor, EPOLLIN.rawValue | EPOLLONESHOT.rawValue)
      || control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue | EPOLLONESHOT.rawValue)
  }

  /// Ends ``watch(_:)``; to be called before the descriptor is closed.
  func unwatch(_ descriptor: CInt) { _ = control(EPOLL_CTL_DEL, descriptor, 0) }

  private func add(_ descriptor: CInt) -> Bool { control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue) }

  private func control(_ operation: CInt, _ descriptor: CInt, _ events: UInt32) -> Bool {
    var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
    return epoll_ctl(fileDescriptor, operation, descriptor, &event) == 0
  }
}
