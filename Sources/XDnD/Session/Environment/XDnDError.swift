/// An error of the library. Handle it by its ``code``, and show or log its ``message``.
public struct XDnDError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public let code: Code
  /// A description for the log or the user, in English, without a full stop at the end.
  public let message: String
  /// The `errno` of a file that could not be written; `nil` for other errors.
  package let cause: CInt?

  init(_ code: Code, _ message: String, cause: CInt? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }

  /// Whether another type is worth requesting: sources refuse types that they offer, and deliver unusable data. For the
  /// other errors, see ``ContentProvider/load(anyOf:limit:where:progress:onFailure:completion:)``.
  package var allowsAnotherType: Bool { code == .transferRefused || code == .transferFailed }

  /// A kind of failure. Later versions may add more, so handle unknown codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, such as `timedOut`.
    public let description: String

    /// No connection to an X server could be opened.
    public static var displayUnavailable: Code { Code(description: "displayUnavailable") }
    /// The connection to the X server is lost.
    public static var displayClosed: Code { Code(description: "displayClosed") }
    /// The source, or the provider of a promise, refuses to deliver this representation; the clipboard is empty; or no
    /// type is suitable.
    public static var transferRefused: Code { Code(description: "transferRefused") }
    /// The source has announced data and delivered none, less than announced, or another type; or the data could not be
    /// parsed or stored.
    public static var transferFailed: Code { Code(description: "transferFailed") }
    /// The source has exited, or its window was destroyed.
    public static var sourceVanished: Code { Code(description: "sourceVanished") }
    /// The source did not send data in time, or sent it too slowly: see ``PeerLimits/transferTimeout``. Or the
    /// application did not answer the drop in time.
    public static var timedOut: Code { Code(description: "timedOut") }
    /// The data is larger than the limit.
    public static var tooLarge: Code { Code(description: "tooLarge") }
    /// The application has cancelled the transfer, or answered the drop before the transfer ended; or the source has
    /// given up the delivery.
    public static var cancelled: Code { Code(description: "cancelled") }
    /// Content was requested before the drop or after its end, or a direct save while another one of the drop was
    /// running.
    public static var notDropped: Code { Code(description: "notDropped") }
    /// The process has no file descriptors left.
    public static var resourcesExhausted: Code { Code(description: "resourcesExhausted") }

    /// A file could not be written. The message usually names the file and the system's reason.
    public static var fileNotWritten: Code { Code(description: "fileNotWritten") }

    /// The window does not exist, or is destroyed.
    public static var noWindow: Code { Code(description: "noWindow") }
    /// The window cannot be a drop target: it is a root window, or another program or another ``DragAndDrop`` receives
    /// its drops through a proxy.
    public static var windowUnavailable: Code { Code(description: "windowUnavailable") }

    /// The clipboard could not be acquired: another program has acquired it with a later timestamp, or the timestamp is
    /// invalid.
    public static var notAcquired: Code { Code(description: "notAcquired") }
  }
}

extension XDnDError {
  init(_ failure: TransferFailure, type: ContentType) {
    switch failure {
    case .refused: self.init(.transferRefused, "the source does not give \(type)")
    case .noData: self.init(.transferFailed, "the source says that \(type) is there, but it is not")
    case .truncated(let received, let announced):
      self.init(
        .transferFailed, "the source has announced \(announced) bytes of \(type), and sent \(received)")
    case .mislabelled(let label, let format):
      let units = format == 8 ? "" : ", in units of \(format) bits"
      self.init(.transferFailed, "what the source gives for \(type) is of the type \(label)\(units)")
    case .ownerVanished: self.init(.sourceVanished, "the source is gone")
    case .withdrawn: self = .withdrawn
    case .tooSlow: self.init(.timedOut, "the source sends \(type) too slowly")
    case .timedOut: self.init(.timedOut, "the source did not send \(type) in time")
    case .tooLarge(let limit): self.init(.tooLarge, "\(type) is larger than \(limit) bytes, the limit")
    case .sinkFailed: self.init(.transferFailed, "cannot store \(type)")
    case .cancelled: self.init(cancelled: type)
    }
  }

  static let withdrawn = XDnDError(.cancelled, "the source has cancelled the transfer")

  init(cancelled type: ContentType) { self.init(.cancelled, "the transfer of \(type) was cancelled") }

  static let nothingDropped = XDnDError(.notDropped, "there is no drop to load from")

  static func nothingOn(_ selection: AtomName) -> XDnDError {
    XDnDError(.transferRefused, "there is nothing on \(selection)")
  }

  init(_ refusal: ProxyMachine.Refusal, of window: WindowID) {
    switch refusal {
    case .noWindow: self.init(.noWindow, "window \(window) does not exist")
    case .rootWindow: self.init(.windowUnavailable, "window \(window) is a root window")
    case .proxied(let proxy):
      self.init(.windowUnavailable, "another program takes the drops on window \(window), by the proxy \(proxy)")
    case .registered(let proxy):
      self.init(
        .windowUnavailable, "window \(window) is a drop target of another program already, by the proxy \(proxy)")
    }
  }

  init(_ loss: Notice.TargetLoss, of window: WindowID) {
    switch loss {
    case .destroyed: self.init(.noWindow, "window \(window) is destroyed")
    case .replaced: self.init(.windowUnavailable, "another program takes the drops on window \(window) now")
    case .refused(let refusal): self.init(refusal, of: window)
    }
  }

  package static let displayClosed = XDnDError(.displayClosed, "the connection to the X server is lost")
}
