import XDnDLinux
import Glibc

/// The wakeup descriptor of the run loop. It is readable when ``DragAndDrop/process()`` has something to do: the
/// connection has data, content has arrived from another thread, or a watched pipe is readable.
///
/// The descriptor is an epoll instance. It can be polled, and can be a member of the host's own epoll instance.
final class Doorbell: Sendable {
  /// The epoll instance, for `poll` and similar calls.
  let fileDescriptor: CInt
  /// An eventfd that is readable from ``ring()`` to the next ``silence()``.
  private let bell: CInt
  private let connection: CInt

  /// - Parameter connection: The descriptor of the X connection; -1 for none.
  /// - Throws: ``XDnDError/Code/resourcesExhausted`` if the process has no file descriptors left.
  init(connection: CInt = -1) throws(XDnDError) {
    self.connection = connection
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

  /// Makes the descriptor readable. Callable from any thread.
  func ring() { eventfd_write(bell, 1) }

  /// Resets the descriptor. After this call, check everything that may have rung: otherwise a wakeup is lost.
  ///
  /// - Returns: Whether anything but the connection has rung.
  @discardableResult
  func silence() -> Bool {
    var (hasRung, isDone) = (false, false)
    while !isDone {
      let events = [epoll_event](unsafeUninitializedCapacity: 32) { events, count in
        count = max(0, Int(epoll_wait(fileDescriptor, events.baseAddress, CInt(events.count), 0)))
        isDone = count < events.count
      }
      // A reported pipe stays quiet until it is watched again. Only the connection, and an eventfd that rings during
      // this loop, are reported repeatedly.
      for event in events where event.data.fd != connection {
        hasRung = true
        var count: eventfd_t = 0
        if event.data.fd == bell { eventfd_read(bell, &count) }
      }
    }
    return hasRung
  }

  /// Rings once when a pipe, socket or terminal is readable or has ended.
  ///
  /// Only once, so that the loop does not spin while a requestor has stopped reading.
  ///
  /// - Returns: Whether the descriptor can be watched.
  func watch(_ descriptor: CInt) -> Bool {
    control(EPOLL_CTL_MOD, descriptor, EPOLLIN.rawValue | EPOLLONESHOT.rawValue)
      || control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue | EPOLLONESHOT.rawValue)
  }

  /// Ends ``watch(_:)``. Call it before closing the descriptor.
  func unwatch(_ descriptor: CInt) { _ = control(EPOLL_CTL_DEL, descriptor, 0) }

  private func add(_ descriptor: CInt) -> Bool { control(EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue) }

  private func control(_ operation: CInt, _ descriptor: CInt, _ events: UInt32) -> Bool {
    var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
    return epoll_ctl(fileDescriptor, operation, descriptor, &event) == 0
  }
}
