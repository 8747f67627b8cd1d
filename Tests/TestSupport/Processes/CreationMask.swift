import Foundation

/// The mask for the permissions of new files (`umask`).
package enum CreationMask {
  /// The mask of this process. Read from `/proc`: `umask` returns it only by setting another one, with which a test that
  /// runs at the same time would create files.
  package static func current() throws -> UInt32 {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    guard let digits = line?.split(separator: "\t").last, let mask = UInt32(digits, radix: 8) else {
      throw HarnessError("/proc/self/status has no Umask")
    }
    return mask
  }
}
