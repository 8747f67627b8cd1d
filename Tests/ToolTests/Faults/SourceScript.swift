import XDnD

/// The steps of a drag source up to its drop.
struct SourceScript: Sendable {
  struct Message: Sendable {
    var kind: XdndMessageKind
    var words: [UInt32]
    /// Whether the source waits for an XdndStatus before the next step.
    var awaitsStatus = false

    /// The same message, without a wait after it.
    var unawaited: Message { Message(kind: kind, words: words) }
  }

  enum Step: Sendable {
    /// Takes XdndSelection.
    case own
    /// Gives XdndSelection up.
    case disown
    case send(Message)
    /// Closes the connection, as a crash does.
    case die
  }

  var steps: [Step]

  /// Creates a script that keeps the rules.
  ///
  /// - Parameters:
  ///   - places: The positions of the drag, in root pixels.
  ///   - types: The atoms of the offered types. More than three are also in XdndTypeList.
  ///   - action: The atom of the requested action.
  init(of source: WindowID, along places: [Point], at time: Timestamp, types: [UInt32], action: UInt32) {
    let flags: UInt32 = 5 << 24 | (types.count > 3 ? 1 : 0)
    let enter = [source.rawValue, flags] + (types + [0, 0, 0]).prefix(3)
    let positions = places.map { place -> Step in
      let words = [source.rawValue, 0, PackedPair.word(place), time.rawValue, action]
      return .send(Message(kind: .position, words: words, awaitsStatus: true))
    }
    steps = [.own, .send(Message(kind: .enter, words: enter))]
    steps += positions
    steps.append(.send(Message(kind: .drop, words: [source.rawValue, 0, time.rawValue, 0, 0])))
  }

  func messages(_ kind: XdndMessageKind) -> [Message] {
    steps.compactMap { step in
      guard case .send(let message) = step, message.kind == kind else { return nil }
      return message
    }
  }

  /// Changes the words of each message of a kind.
  mutating func change(_ kind: XdndMessageKind, _ body: (inout [UInt32]) -> Void) {
    replace(kind) { message in
      var changed = message
      body(&changed.words)
      return [.send(changed)]
    }
  }

  /// Replaces each message of a kind.
  mutating func replace(_ kind: XdndMessageKind, with body: (Message) -> [Step]) {
    steps = steps.flatMap { step -> [Step] in
      guard case .send(let message) = step, message.kind == kind else { return [step] }
      return body(message)
    }
  }
}
