// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Glibc
import XDnD
public import XDnDInterface

/// The result and the message of a failed call.
struct Failure: Error {
  let result: xdnd_result
  let message: String

  init(_ result: xdnd_result, _ message: String? = nil) {
    self.result = result
    self.message = message ?? result.text.description
  }

  init(_ error: XDnDError) { self.init(xdnd_result(error.code), error.message) }

  static var noHandle: Failure { Failure(XDND_ERROR_HANDLE) }

  static func argument(_ message: String) -> Failure { Failure(XDND_ERROR_ARGUMENT, message) }

  static func state(_ message: String) -> Failure { Failure(XDND_ERROR_STATE, message) }
}

/// Returns the result of a call, and keeps the message of an error for `xdnd_message`.
func result(of call: () throws(Failure) -> Void) -> xdnd_result {
  do {
    try call()
    return XDND_OK
  } catch {
    LastMessage.set(error.message)
    return error.result
  }
}

/// Calls the library, and converts its error to a failure.
func converting<Value>(_ call: @autoclosure () throws(XDnDError) -> Value) throws(Failure) -> Value {
  do { return try call() } catch { throw Failure(error) }
}

/// The message of the last error of each thread.
enum LastMessage {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { free($0) }
    return key
  }()

  static func set(_ message: String) {
    free(pthread_getspecific(key))
    pthread_setspecific(key, strdup(message))
  }

  static var current: UnsafePointer<CChar>? {
    pthread_getspecific(key).map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
  }
}

extension xdnd_result {
  init(_ code: XDnDError.Code) {
    self =
      switch code {
      case .displayUnavailable: XDND_ERROR_DISPLAY_UNAVAILABLE
      case .displayClosed: XDND_ERROR_DISPLAY_CLOSED
      case .transferRefused: XDND_ERROR_REFUSED
      case .transferFailed: XDND_ERROR_FAILED
      case .sourceVanished: XDND_ERROR_VANISHED
      case .timedOut: XDND_ERROR_TIMED_OUT
      case .tooLarge: XDND_ERROR_TOO_LARGE
      case .cancelled: XDND_ERROR_CANCELLED
      case .notDropped: XDND_ERROR_NOT_DROPPED
      case .resourcesExhausted: XDND_ERROR_RESOURCES
      case .fileNotWritten: XDND_ERROR_FILE
      case .notAcquired: XDND_ERROR_NOT_ACQUIRED
      case .noWindow: XDND_ERROR_NO_WINDOW
      case .windowUnavailable: XDND_ERROR_WINDOW_UNAVAILABLE
      default: XDND_ERROR_OTHER
      }
  }

  /// Literals live as long as the process, and end with 0.
  var text: StaticString {
    switch self {
    case XDND_OK: "no error"
    case XDND_ERROR_HANDLE: "the handle is NULL, has ended, or is of another kind"
    case XDND_ERROR_ARGUMENT: "an argument is missing or out of range"
    case XDND_ERROR_DISPLAY_UNAVAILABLE: "no connection to an X server could be opened"
    case XDND_ERROR_DISPLAY_CLOSED: "the connection to the X server is lost"
    case XDND_ERROR_REFUSED: "the other side does not deliver this type"
    case XDND_ERROR_FAILED: "the other side has delivered nothing that can be used"
    case XDND_ERROR_VANISHED: "the other side is gone"
    case XDND_ERROR_TIMED_OUT: "the other side did not deliver in time"
    case XDND_ERROR_TOO_LARGE: "there is more than the limit allows"
    case XDND_ERROR_CANCELLED: "it was cancelled"
    case XDND_ERROR_NOT_DROPPED: "nothing is dropped"
    case XDND_ERROR_RESOURCES: "the process has no file descriptors left"
    case XDND_ERROR_FILE: "a file could not be written"
    case XDND_ERROR_NOT_ACQUIRED: "another program has acquired the clipboard later"
    case XDND_ERROR_STATE: "the call cannot be made now"
    case XDND_ERROR_NO_WINDOW: "the window does not exist"
    case XDND_ERROR_WINDOW_UNAVAILABLE: "the window cannot be a drop target of this program"
    default: "an unknown error"
    }
  }
}

@c @implementation
public func xdnd_result_text(_ result: xdnd_result) -> UnsafePointer<CChar>! {
  UnsafeRawPointer(result.text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func xdnd_message() -> UnsafePointer<CChar>! { LastMessage.current ?? xdnd_result_text(XDND_OK) }
