import Logging

/// Logs the exchange with peers in the words of the protocols, one line each: `peer=0x400002 sent=XdndPosition, copy`.
///
/// Events and effects are logged too, but in the driver's own words, which change with the code. The diagrams in
/// `docs/clippings.md` are drawn from these lines.
struct ExchangeTrace {
  private let logger: Logger

  init(logger: Logger) { self.logger = logger }

  func sent(_ what: @autoclosure () -> String, to peer: WindowID) {
    logger.trace("exchange", metadata: ["peer": "\(peer)", "sent": "\(Self.line(what()))"])
  }

  func received(_ what: @autoclosure () -> String, from peer: WindowID) {
    logger.trace("exchange", metadata: ["peer": "\(peer)", "received": "\(Self.line(what()))"])
  }

  /// Logs a step of this program that explains the exchange.
  func did(_ what: @autoclosure () -> String) {
    logger.trace("exchange", metadata: ["did": "\(Self.line(what()))"])
  }

  /// Replaces control characters. Peers choose names and places, and must not write lines into the log.
  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0) })
  }

  /// The first 256 bytes as text, without NULs.
  static func excerpt(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(256).filter { $0 != 0 }, as: UTF8.self)
    return bytes.count > 256 ? "\(text)…" : text
  }
}

extension XdndMessage {
  /// The message's name and action, without windows, places and times.
  var words: String {
    func word(_ operation: DragOperation?) -> String { operation?.description ?? "no action" }
    return switch self {
    case .enter(let enter): "XdndEnter, version \(enter.statedVersion)"
    case .position(let position): "XdndPosition, \(word(position.operation))"
    case .status(let status): "XdndStatus, \(status.acceptance.map { word($0.operation) } ?? "refused")"
    case .leave: "XdndLeave"
    case .drop: "XdndDrop"
    case .finished(let finished):
      switch finished.result {
      case .accepted(let operation): "XdndFinished, \(word(operation))"
      case .refused: "XdndFinished, refused"
      }
    }
  }

  /// The sender's window.
  var sender: WindowID {
    switch self {
    case .enter(let enter): enter.source
    case .position(let position): position.source
    case .status(let status): status.target
    case .leave(let leave): leave.source
    case .drop(let drop): drop.source
    case .finished(let finished): finished.target
    }
  }
}
