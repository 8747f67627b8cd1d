import XDnDLinux
import Glibc

/// A pipe that child processes do not inherit. The caller closes both ends.
package struct PrivatePipe {
  package let reader: CInt
  package let writer: CInt

  /// Returns `nil` if the process has no file descriptors left.
  package init?() {
    var ends: [CInt] = [-1, -1]
    // One call: between two calls, another thread may start a program.
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
  }
}
