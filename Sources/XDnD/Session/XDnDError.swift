/// Something that could not be done.
public struct XDnDError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public let code: Code
  /// A sentence for people; it does not end with a full stop.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// A kind of failure. More may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String {
      case displayUnavailable, displayClosed, transferRefused, transferFailed, sourceVanished, timedOut, tooLarge
      case cancelled, notDropped, resourcesExhausted, fileNotWritten, notAcquired
    }

    private let base: Base

    /// No connection to an X server could be made.
    public static var displayUnavailable: Code { Code(base: .displayUnavailable) }
    /// The connection to the X server is lost.
    public static var displayClosed: Code { Code(base: .displayClosed) }
    /// The source does not give this representation.
    public static var transferRefused: Code { Code(base: .transferRefused) }
    /// The source has said that there is data, and there was none, or less than it had announced, or something else; or what
    /// came could not be read or stored.
    public static var transferFailed: Code { Code(base: .transferFailed) }
    /// The source is gone.
    public static var sourceVanished: Code { Code(base: .sourceVanished) }
    /// The source did not send data in time, or too little of it.
    public static var timedOut: Code { Code(base: .timedOut) }
    /// There is more data than the limit allows.
    public static var tooLarge: Code { Code(base: .tooLarge) }
    /// The application has cancelled it, or has finished the drop meanwhile.
    public static var cancelled: Code { Code(base: .cancelled) }
    /// Content can be asked for only between the drop and its end.
    public static var notDropped: Code { Code(base: .notDropped) }
    /// The process may not open as many descriptors as are needed.
    public static var resourcesExhausted: Code { Code(base: .resourcesExhausted) }

    /// A file could not be written: the message says which, and why in the words of the system.
    public static var fileNotWritten: Code { Code(base: .fileNotWritten) }

    /// The clipboard could not be taken: another program has taken it at a later time, or the time is not a real one.
    public static var notAcquired: Code { Code(base: .notAcquired) }

    /// The name of the member.
    public var description: String { base.rawValue }
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
    case .mislabelled(let label):
      self.init(.transferFailed, "what the source gives for \(type) is of the type \(label)")
    case .ownerVanished: self.init(.sourceVanished, "the source is gone")
    case .tooSlow: self.init(.timedOut, "the source sends \(type) too slowly")
    case .timedOut: self.init(.timedOut, "the source did not send \(type) in time")
    case .tooLarge: self.init(.tooLarge, "there is more of \(type) than the limit allows")
    case .sinkFailed: self.init(.transferFailed, "what came of \(type) could not be stored")
    case .cancelled: self.init(cancelled: type)
    }
  }

  /// The application has cancelled the transfer of a type.
  init(cancelled type: ContentType) { self.init(.cancelled, "the transfer of \(type) was cancelled") }

  static let nothingDropped = XDnDError(.notDropped, "there is no drop to load from")

  static func nothingOn(_ selection: AtomName) -> XDnDError {
    XDnDError(.transferRefused, "there is nothing on \(selection)")
  }

  /// The connection to the X server is lost.
  public static let displayClosed = XDnDError(.displayClosed, "the connection to the X server is lost")
}
