import Logging

/// What goes back and forth between us and one other program, a log line each: `peer=0x400002 sent=XdndPosition, copy`.
///
/// Events and effects are logged as they are, too, but those are our own words and change with the code. These lines
/// are in the words of the protocols; the diagrams in `docs/clippings.md` are drawn from them.
extension Reactor {
  func traceSent(_ what: @autoclosure () -> String, to peer: WindowID) {
    logger.trace("exchange", metadata: ["peer": "\(peer)", "sent": "\(Self.line(what()))"])
  }

  func traceReceived(_ what: @autoclosure () -> String, from peer: WindowID) {
    logger.trace("exchange", metadata: ["peer": "\(peer)", "received": "\(Self.line(what()))"])
  }

  /// Something on our side without which the rest cannot be understood.
  func traceDone(_ what: @autoclosure () -> String) {
    logger.trace("exchange", metadata: ["did": "\(Self.line(what()))"])
  }

  /// Others choose names and places, and shall not write lines into our log.
  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0) })
  }

  /// Bytes as text, cut off where it gets boring.
  static func excerpt(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(256).filter { $0 != 0 }, as: UTF8.self)
    return bytes.count > 256 ? "\(text)…" : text
  }
}

extension XdndMessage {
  /// In a few words, without windows, places and times.
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

  /// Who has sent it.
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
