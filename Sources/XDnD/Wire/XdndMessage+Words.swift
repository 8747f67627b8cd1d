/// The six XDND messages, by the type of the client message.
package enum XdndMessageKind: String, CaseIterable, Sendable {
  case enter = "XdndEnter"
  case position = "XdndPosition"
  case status = "XdndStatus"
  case leave = "XdndLeave"
  case drop = "XdndDrop"
  case finished = "XdndFinished"

  package var name: AtomName { AtomName(rawValue) }

  /// The indexes of the words that may be atoms.
  package var atomPlaces: [Int] {
    switch self {
    case .enter: [2, 3, 4]
    case .position, .status: [4]
    case .finished: [2]
    case .leave, .drop: []
    }
  }

  /// The atoms that the words may hold, so that their names can be looked up in one round trip before decoding.
  func atoms(in words: MessageWords) -> [Atom] {
    atomPlaces.map { words.array[$0] }.filter { $0 != 0 }.map(Atom.init(rawValue:))
  }
}

extension XdndMessage {
  var kind: XdndMessageKind {
    switch self {
    case .enter: .enter
    case .position: .position
    case .status: .status
    case .leave: .leave
    case .drop: .drop
    case .finished: .finished
    }
  }

  /// The names whose atoms ``words(version:atom:)`` needs.
  var atomNames: [AtomName] {
    switch self {
    case .enter(let enter): enter.inlineTypes
    case .position(let position): position.operation.map { [$0.name] } ?? []
    case .status(let status): status.acceptance?.operation.map { [$0.name] } ?? []
    case .finished(let finished): finished.result.operation.map { [$0.name] } ?? []
    case .leave, .drop: []
    }
  }

  /// Encodes the message for a session of the given version.
  ///
  /// Fields that the version does not define, and bits that no version defines, are zero.
  func words(version: ProtocolVersion, atom: (AtomName) -> Atom) -> MessageWords {
    var words = MessageWords()
    switch self {
    case .enter(let enter):
      words.l0 = enter.source.rawValue
      words.l1 = (enter.statedVersion & 0xFF) << 24 | (enter.hasTypeList ? 1 : 0)
      let types = enter.inlineTypes.prefix(3).map { atom($0).rawValue }
      words.l2 = types.count > 0 ? types[0] : 0
      words.l3 = types.count > 1 ? types[1] : 0
      words.l4 = types.count > 2 ? types[2] : 0
    case .position(let position):
      words.l0 = position.source.rawValue
      words.l1 = position.scroll?.word ?? 0
      words.l2 = PackedPair.word(position.point)
      words.l3 = position.time.rawValue
      words.l4 = position.operation.map { atom($0.name).rawValue } ?? 0
    case .status(let status):
      words.l0 = status.target.rawValue
      guard let acceptance = status.acceptance else { break }
      words.l1 = acceptance.wantsPositionsInside ? 0b11 : 0b01
      if !acceptance.quietRegion.isEmpty {
        words.l2 = PackedPair.word(acceptance.quietRegion.origin)
        words.l3 = PackedPair.word(
          min(acceptance.quietRegion.width, 0xFFFF), min(acceptance.quietRegion.height, 0xFFFF))
      }
      words.l4 = acceptance.operation.map { atom($0.name).rawValue } ?? 0
    case .leave(let leave):
      words.l0 = leave.source.rawValue
    case .drop(let drop):
      words.l0 = drop.source.rawValue
      words.l2 = drop.time.rawValue
    case .finished(let finished):
      words.l0 = finished.target.rawValue
      guard version.reportsResult, case .accepted(let operation) = finished.result else { break }
      words.l1 = 1
      words.l2 = operation.map { atom($0.name).rawValue } ?? 0
    }
    return words
  }

  /// Decodes a message of any version, and tolerates fields that peers fill wrongly.
  ///
  /// - Parameter name: Returns the name of an atom; `nil` for one that the server does not know. Such types are left
  ///   out, and such operations are decoded as `nil`.
  init(_ kind: XdndMessageKind, words: MessageWords, name: (Atom) -> AtomName?) {
    let peer = words.sender
    func operation(_ word: UInt32) -> DragOperation? {
      word == 0 ? nil : name(Atom(rawValue: word)).map(DragOperation.init(name:))
    }
    switch kind {
    case .enter:
      self = .enter(
        Enter(
          source: peer, statedVersion: words.statedVersion, hasTypeList: words.hasTypeList,
          inlineTypes: [words.l2, words.l3, words.l4].compactMap { $0 == 0 ? nil : name(Atom(rawValue: $0)) }))
    case .position:
      self = .position(
        Position(
          source: peer, point: words.point, time: words.positionTime,
          operation: operation(words.l4), scroll: WheelScroll(word: words.l1)))
    case .status:
      guard words.isAcceptance else {
        self = .status(Status(target: peer, acceptance: nil))
        return
      }
      self = .status(
        Status(
          target: peer,
          acceptance: Status.Acceptance(
            operation: operation(words.l4), quietRegion: words.quietRegion,
            wantsPositionsInside: words.wantsPositionsInside)))
    case .leave:
      self = .leave(Leave(source: peer))
    case .drop:
      self = .drop(Drop(source: peer, time: words.dropTime))
    case .finished:
      self = .finished(
        Finished(target: peer, result: words.isSuccess ? .accepted(operation(words.l2)) : .refused))
    }
  }
}
