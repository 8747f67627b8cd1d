import XDnDConformance

@testable import XDnD

/// A recording made by hand, to be spoilt.
struct RecordedDrag {
  var entries: [Recording.Entry] = []
  let role: Recording.Role
  /// Milliseconds of the next entry.
  var clock = 0

  static let source = WindowID(rawValue: 0x20_0001)
  static let target = WindowID(rawValue: 0x40_0001)
  /// The property that content is delivered in.
  static let data = AtomName("DATA")
  static let frame = Rect(x: 100, y: 100, width: 300, height: 300)

  init(_ role: Recording.Role) { self.role = role }

  // MARK: Making

  mutating func add(_ direction: WireEvent.Direction, _ action: WireEvent.Action, after milliseconds: Int = 10) {
    clock += milliseconds
    entries.append(Recording.Entry(time: clock * 1000, WireEvent(direction, action)))
  }

  /// A message of the source or the target; who has recorded it decides whether it was sent.
  mutating func say(
    _ kind: XdndMessageKind, _ words: [UInt32], _ names: [Int: String] = [:], after milliseconds: Int = 10
  ) {
    let isTargets = kind == .status || kind == .finished
    let isSent = isTargets == (role == .target)
    add(
      isSent ? .sent : .received,
      .message(
        WireEvent.Message(
          type: kind.name, window: isTargets ? Self.source : Self.target,
          words: words + Array(repeating: 0, count: 5 - words.count), names: names.mapValues(AtomName.init(rawValue:)))),
      after: milliseconds)
  }

  mutating func enter(_ types: [String], version: UInt32 = 5) {
    let names = Dictionary(uniqueKeysWithValues: types.prefix(3).enumerated().map { ($0 + 2, $1) })
    let atoms = (types.prefix(3).map { Self.atom($0) } + [0, 0, 0]).prefix(3)
    say(.enter, [Self.source.rawValue, version << 24 | (types.count > 3 ? 1 : 0)] + atoms, names)
  }

  mutating func position(_ x: Int, _ y: Int, time: UInt32, _ action: String = "XdndActionCopy") {
    say(
      .position, [Self.source.rawValue, 0, UInt32(x) << 16 | UInt32(y), time, Self.atom(action)], [4: action])
  }

  mutating func status(_ bits: UInt32, _ rectangle: Rect? = nil, _ action: String? = "XdndActionCopy") {
    let origin = rectangle.map { UInt32($0.origin.x) << 16 | UInt32($0.origin.y) } ?? 0
    let size = rectangle.map { UInt32($0.width) << 16 | UInt32($0.height) } ?? 0
    say(
      .status, [Self.target.rawValue, bits, origin, size, action.map(Self.atom) ?? 0],
      action.map { [4: $0] } ?? [:])
  }

  mutating func finished(_ bits: UInt32, _ action: String? = "XdndActionCopy") {
    say(
      .finished, [Self.target.rawValue, bits, action.map(Self.atom) ?? 0], action.map { [2: $0] } ?? [:])
  }

  mutating func owner(_ window: WindowID, time: UInt32 = 0) {
    add(.received, .owner(of: .xdndSelection, window, Timestamp(rawValue: time)))
  }

  mutating func property(
    _ change: WireEvent.Property.Change, _ name: String, of window: WindowID, type: String? = nil, format: Int = 8,
    _ bytes: [UInt8] = [], atoms: [String] = [], words: [UInt32] = []
  ) {
    let units = atoms.map(Self.atom) + words
    let all = bytes + units.flatMap { word in withUnsafeBytes(of: word, Array.init) }
    let isOurs = change == .written || change == .read || change == .deleted
    add(
      isOurs ? .sent : .received,
      .property(
        WireEvent.Property(
          change, AtomName(rawValue: name), of: window, type: type.map(AtomName.init(rawValue:)),
          format: type == nil ? 0 : units.isEmpty ? format : 32, bytes: all,
          names: atoms.map(AtomName.init(rawValue:)))))
  }

  /// A conversion and its answer; `isRefused` has no property in it.
  mutating func convert(
    _ type: String, time: UInt32, by requestor: WindowID = target, isRefused: Bool = false,
    between: (inout Self) -> Void = { _ in }
  ) {
    let asked = Self.conversion(type, time: time, by: requestor)
    add(role == .target ? .sent : .received, .conversion(asked))
    between(&self)
    var answer = asked
    if isRefused { answer.property = nil }
    add(role == .target ? .received : .sent, .converted(answer))
  }

  /// Drops text that is accepted and asked for, and does not answer.
  mutating func dropUnanswered() {
    enter(["UTF8_STRING"])
    position(200, 200, time: 1500)
    status(3)
    say(.drop, [Self.source.rawValue, 0, 1510])
    add(.received, .conversion(Self.conversion("UTF8_STRING", time: 1510)))
  }

  /// Refuses what was asked for before.
  mutating func refuse(_ type: String, time: UInt32) {
    var answer = Self.conversion(type, time: time)
    answer.property = nil
    add(.sent, .converted(answer))
  }

  static func conversion(_ type: String, time: UInt32, by requestor: WindowID = target) -> WireEvent.Conversion {
    WireEvent.Conversion(
      selection: .xdndSelection, target: AtomName(rawValue: type),
      property: data, requestor: requestor, time: Timestamp(rawValue: time))
  }

  /// Some number for a name: what it is does not matter.
  static func atom(_ name: String) -> UInt32 { name.utf8.reduce(100) { ($0 &* 31 &+ UInt32($1)) & 0xFFFFF } }

  // MARK: Spoiling

  /// One of the five words of a message, by what XDND v5 puts into it.
  struct Word {
    let kind: XdndMessageKind
    let index: Int

    private init(_ kind: XdndMessageKind, _ index: Int) {
      self.kind = kind
      self.index = index
    }

    static let enterFlags = Word(.enter, 1)
    static let enterTypes = (2...4).map { Word(.enter, $0) }
    static let positionSource = Word(.position, 0)
    static let positionFlags = Word(.position, 1)
    static let positionPoint = Word(.position, 2)
    static let positionTime = Word(.position, 3)
    static let positionAction = Word(.position, 4)
    static let statusTarget = Word(.status, 0)
    static let statusFlags = Word(.status, 1)
    static let statusOrigin = Word(.status, 2)
    static let statusAction = Word(.status, 4)
    static let dropTime = Word(.drop, 2)
    static let dropUnused = Word(.drop, 4)
    static let finishedTarget = Word(.finished, 0)
    static let finishedFlags = Word(.finished, 1)
    static let finishedAction = Word(.finished, 2)
  }

  /// Where the `count`th message of a kind is.
  func index(of kind: XdndMessageKind, _ count: Int = 0) -> Int {
    entries.indices.filter {
      if case .message(let message) = entries[$0].event.action { message.type == kind.name } else { false }
    }[count]
  }

  /// Changes a word of the `count`th message of its kind. The word has no name afterwards.
  mutating func change(_ word: Word, _ count: Int = 0, _ body: (inout UInt32) -> Void) {
    let index = index(of: word.kind, count)
    guard case .message(var message) = entries[index].event.action else { return }
    body(&message.words[word.index])
    message.names[word.index] = nil
    entries[index].event.action = .message(message)
  }

  mutating func set(_ word: Word, _ count: Int = 0, to value: UInt32) { change(word, count) { $0 = value } }

  /// Sets a word to the atom of a name.
  mutating func set(_ word: Word, _ count: Int = 0, toAtom name: String) {
    let index = index(of: word.kind, count)
    guard case .message(var message) = entries[index].event.action else { return }
    message.words[word.index] = Self.atom(name)
    message.names[word.index] = AtomName(name)
    entries[index].event.action = .message(message)
  }

  mutating func remove(_ kind: XdndMessageKind, _ count: Int = 0) { entries.remove(at: index(of: kind, count)) }

  /// Moves a message behind what follows it.
  mutating func delay(_ kind: XdndMessageKind, _ count: Int = 0, by places: Int) {
    let index = index(of: kind, count)
    let time = entries[index + places].time
    var entry = entries.remove(at: index)
    entry.time = time
    entries.insert(entry, at: index + places)
  }

  mutating func repeatMessage(_ kind: XdndMessageKind, _ count: Int = 0) {
    let index = index(of: kind, count)
    entries.insert(entries[index], at: index + 1)
  }

  /// Changes what was done to the property of a name, each time that `isMeant` says so.
  mutating func changeProperties(
    _ name: AtomName, where isMeant: (WireEvent.Property) -> Bool = { _ in true },
    _ body: (inout WireEvent.Property) -> Void
  ) {
    for index in entries.indices {
      guard case .property(var property) = entries[index].event.action, property.name == name,
        isMeant(property)
      else { continue }
      body(&property)
      entries[index].event.action = .property(property)
    }
  }

  /// Changes the answers to conversions, each time that `isMeant` says so.
  mutating func changeAnswers(
    where isMeant: (WireEvent.Conversion) -> Bool, _ body: (inout WireEvent.Conversion) -> Void
  ) {
    for index in entries.indices {
      guard case .converted(var answer) = entries[index].event.action, isMeant(answer) else { continue }
      body(&answer)
      entries[index].event.action = .converted(answer)
    }
  }

  /// Changes the answers to conversions to a type.
  mutating func changeAnswers(to type: AtomName, _ body: (inout WireEvent.Conversion) -> Void) {
    changeAnswers(where: { $0.target == type }, body)
  }

  /// Changes each conversion that is asked for.
  mutating func changeConversions(_ body: (inout WireEvent.Conversion) -> Void) {
    for index in entries.indices {
      guard case .conversion(var asked) = entries[index].event.action else { continue }
      body(&asked)
      entries[index].event.action = .conversion(asked)
    }
  }

  /// Takes out what `isMeant` says.
  mutating func remove(where isMeant: (WireEvent.Action) -> Bool) { entries.removeAll { isMeant($0.event.action) } }
}
