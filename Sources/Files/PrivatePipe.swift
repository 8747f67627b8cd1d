import XDnDLinux
import Glibc

/// A pipe that the programs which this one starts do not inherit. The caller closes both ends.
package struct PrivatePipe {
  package let reader: CInt
  package let writer: CInt

  /// Returns `nil` if the process has no file descriptors left.
  package init?() {
    var ends: [CInt] = [-1, -1]
    // At once: another thread may start a program between two calls.
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
  }
}
