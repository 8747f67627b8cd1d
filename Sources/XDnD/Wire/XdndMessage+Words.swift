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
  package var kind: XdndMessageKind {
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
    var names: [AtomName] = []
    _ = words(version: .v5) { name in
      names.append(name)
      return .none
    }
    return names
  }

  /// Encodes the message for a session of the given version.
  ///
  /// Fields that the version does not define, and bits that no version defines, are zero.
  package func words(version: ProtocolVersion, atom: (AtomName) -> Atom) -> MessageWords {
    func word(_ operation: DragOperation?) -> UInt32 { operation.map { atom($0.name).rawValue } ?? 0 }
    switch self {
    case .enter(let enter):
      let flags = (enter.statedVersion & 0xFF) << 24 | (enter.hasTypeList ? 1 : 0)
      return MessageWords([enter.source.rawValue, flags] + enter.inlineTypes.prefix(3).map { atom($0).rawValue })
    case .position(let position):
      return MessageWords(
        l0: position.source.rawValue, l1: position.scroll?.word ?? 0, l2: PackedPair.word(position.point),
        l3: position.time.rawValue, l4: word(position.operation))
    case .status(let status):
      var words = MessageWords(l0: status.target.rawValue)
      guard let acceptance = status.acceptance else { return words }
      words.l1 = acceptance.wantsPositionsInside ? 0b11 : 0b01
      let region = acceptance.region.intersection(PackedPair.area)
      if !region.isEmpty {
        words.l2 = PackedPair.word(region.origin)
        words.l3 = PackedPair.word(region.width, region.height)
      }
      words.l4 = word(acceptance.operation)
      return words
    case .leave(let leave): return MessageWords(l0: leave.source.rawValue)
    case .drop(let drop): return MessageWords(l0: drop.source.rawValue, l2: drop.time.rawValue)
    case .finished(let finished):
      guard version.reportsResult, case .accepted(let operation) = finished.result else {
        return MessageWords(l0: finished.target.rawValue)
      }
      return MessageWords(l0: finished.target.rawValue, l1: 1, l2: word(operation))
    }
  }

  /// Decodes a message of any version, and tolerates fields that peers fill wrongly.
  ///
  /// - Parameter name: Returns the name of an atom; `nil` for one that the server does not know. Such types are left
  ///   out, and such operations are decoded as `nil`.
  package init(_ kind: XdndMessageKind, words: MessageWords, name: (Atom) -> AtomName?) {
    let peer = words.sender
    func operation(_ word: UInt32) -> DragOperation? {
      word == 0 ? nil : name(Atom(rawValue: word)).map(DragOperation.init(name:))
    }
    self =
      switch kind {
      case .enter:
        .enter(
          Enter(
            source: peer, statedVersion: words.statedVersion, hasTypeList: words.hasTypeList,
            inlineTypes: [words.l2, words.l3, words.l4].compactMap { $0 == 0 ? nil : name(Atom(rawValue: $0)) }))
      case .position:
        .position(
          Position(
            source: peer, point: words.point, time: words.positionTime, operation: operation(words.l4),
            scroll: WheelScroll(word: words.l1)))
      case .status where words.isAcceptance:
        .status(
          Status(
            target: peer,
            acceptance: Status.Acceptance(
              operation: operation(words.l4), region: words.statusRegion,
              wantsPositionsInside: words.wantsPositionsInside)))
      case .status: .status(Status(target: peer, acceptance: nil))
      case .leave: .leave(Leave(source: peer))
      case .drop: .drop(Drop(source: peer, time: words.dropTime))
      case .finished:
        .finished(Finished(target: peer, result: words.isSuccess ? .accepted(operation(words.l2)) : .refused))
      }
  }
}
