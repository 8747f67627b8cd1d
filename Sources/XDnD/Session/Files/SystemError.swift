import Glibc

/// The `errno` of a failed system call.
struct SystemError: Error, Equatable {
  let code: CInt

  init(_ code: CInt) { self.code = code }

  /// The error of the preceding call.
  static var last: SystemError { SystemError(errno) }

  /// Returns the result of a system call; throws if it is negative.
  @discardableResult
  static func check(_ result: CInt) throws(SystemError) -> CInt {
    if result < 0 { throw last }
    return result
  }
}

extension XDnDError {
  /// The original of a copy cannot be read.
  init(reading path: [UInt8], _ error: SystemError) {
    self.init(
      .transferFailed,
      "cannot read '\(String(decoding: path, as: UTF8.self))': \(FileDestination.words(for: error.code))")
  }
}
