import Glibc

/// The `errno` of a failed system call.
package struct SystemError: Error, Hashable {
  package let code: CInt

  package init(_ code: CInt) { self.code = code }

  package static var last: SystemError { SystemError(errno) }

  /// The system's message, except for a full disk. Thread-safe, unlike `strerror`.
  package var message: String {
    if code == ENOSPC { return "the disk is full" }
    var buffer = [CChar](repeating: 0, count: 256)
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the result of a system call; throws if it is negative. Repeats the call while a signal interrupts it
  /// (`EINTR`).
  @discardableResult
  package static func check(_ call: @autoclosure () -> CInt) throws(SystemError) -> CInt {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw last }
    }
  }
}
