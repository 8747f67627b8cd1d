import Glibc

/// What the system has said to a call that failed.
struct SystemError: Error, Equatable {
  let code: CInt

  init(_ code: CInt) { self.code = code }

  /// Of the call before.
  static var last: SystemError { SystemError(errno) }

  /// Throws if a call says that it has failed, and gives its result otherwise.
  @discardableResult
  static func check(_ result: CInt) throws(SystemError) -> CInt {
    if result < 0 { throw last }
    return result
  }
}

extension XDnDError {
  /// A file that was to be copied cannot be read.
  init(reading path: [UInt8], _ error: SystemError) {
    self.init(
      .transferFailed,
      "cannot read '\(String(decoding: path, as: UTF8.self))': \(FileDestination.words(for: error.code))")
  }
}
