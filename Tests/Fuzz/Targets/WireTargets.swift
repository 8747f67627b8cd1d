import FuzzRuns

@testable import XDnD

extension FuzzTarget {
  static let wire = [
    FuzzTarget("messages", longest: 256, budget: nil, run: readMessages),
    FuzzTarget("strings", run: readStrings),
    FuzzTarget("regions", longest: 96, budget: nil, run: cutRegions),
    FuzzTarget("settings", run: readSettings),
  ]

  // MARK: Client messages

  private static let atoms = [
    "XdndActionCopy", "XdndActionMove", "XdndActionLink", "XdndActionAsk", "XdndActionPrivate", "text/plain",
    "text/uri-list", "UTF8_STRING", "copy", "", "é", "XdndSelection", "INCR", "MULTIPLE", "TARGETS", "image/png",
  ].map { AtomName($0) }

  private static func atomName(of atom: Atom) -> AtomName? {
    let place = Int(atom.rawValue % UInt32(atoms.count + 1))
    return place == 0 ? nil : atoms[place - 1]
  }

  private static func atom(of name: AtomName) -> Atom {
    Atom(rawValue: UInt32((atoms.firstIndex(of: name) ?? -1) + 1))
  }

  /// Any five words are a message, which is written in one way.
  private static func readMessages(_ input: Input) {
    var choices = input.choices
    while !choices.isOver {
      let kind = choices.pick(XdndMessageKind.allCases)
      let words = MessageWords((0..<5).map { _ in choices.word() })
      let message = XdndMessage(kind, words: words, name: atomName)
      expect(message.kind == kind && message.sender == words.sender, "\(words) became \(message)")
      for version in [ProtocolVersion.v3, .v4] { _ = message.words(version: version, atom: atom) }
      let written = message.words(version: .v5, atom: atom)
      let copy = XdndMessage(kind, words: written, name: atomName)
      var again = copy.words(version: .v5, atom: atom)
      if input.isPlanted, case .position(let position) = copy, position.scroll?.direction == .left,
        position.operation == .link, position.point.x < 0
      {
        again.l2 ^= 0x1_0000
      }
      expect(again == written, "\(message) is written as \(written), and that as \(again)")
      expect(isSame(message, copy), "\(message) became \(copy)")
      expect(message.atomNames.allSatisfy(atoms.contains), "\(message.atomNames)")
    }
  }

  /// Whether a message is another one, but for what is not on the wire: a rectangle beyond the screen.
  private static func isSame(_ message: XdndMessage, _ copy: XdndMessage) -> Bool {
    guard case .status(var status) = message, let region = status.acceptance?.region else { return message == copy }
    let visible = region.intersection(PackedPair.area)
    status.acceptance?.region = visible.isEmpty ? .zero : visible
    return .status(status) == copy
  }

  // MARK: Strings in properties

  /// Names of atoms, classes of windows, descriptions of operations, and words.
  private static func readStrings(_ input: Input) {
    let name = AtomName(bytes: input.bytes)
    let bytes = input.planted(name.bytes, in: Array(name.rawValue.utf8)) { $0 + [0] }
    expect(bytes == input.bytes, "the name \(name.rawValue.debugDescription) has the bytes \(bytes)")
    expect(name == AtomName(bytes: input.bytes), "\(name) is not itself")
    _ = (name.isValid, name.hashValue, DragOperation(name: name).description)
    if let program = WindowClass.program(in: input.bytes) {
      expect(!program.utf8.contains(0), "a program is named \(program.debugDescription)")
    }
    let descriptions = SourceOffer.strings(in: input.bytes)
    expect(
      descriptions.isEmpty || descriptions.count == input.bytes.dropLast().count { $0 == 0 } + 1,
      "\(descriptions.count) descriptions")
    let words = input.bytes.withUnsafeBytes(Format32.words)
    expect(Format32.bytes(words).elementsEqual(input.bytes.prefix(words.count * 4)), "\(words.count) words")
  }

  // MARK: Regions

  /// Set operations on rectangles, compared with those on points.
  private static func cutRegions(_ input: Input) {
    var choices = input.choices
    func rects() -> [Rect] {
      (0..<choices.below(9)).map { _ in
        Rect(x: choices.below(32) - 8, y: choices.below(32) - 8, width: choices.below(16), height: choices.below(16))
      }
    }
    let (left, right) = (rects(), rects())
    let (first, second) = (Region(left), Region(right))
    let (rest, common) = (first.subtracting(second), first.intersection(second))
    let planted = input.isPlanted && rest.rects.count > 6 && common.rects.count > 4
    for y in stride(from: -9, to: 40, by: 3) {
      for x in stride(from: -9, to: 40, by: 2) {
        let point = Point(x: x, y: y)
        let isIn = (left.contains { $0.contains(point) }, right.contains { $0.contains(point) })
        expect(first.contains(point) == isIn.0, "\(point) in \(left)")
        expect(rest.contains(point) == (isIn.0 && !isIn.1 && !planted), "\(point) in \(left) without \(right)")
        expect(common.contains(point) == (isIn.0 && isIn.1), "\(point) in \(left) and \(right)")
      }
    }
    for region in [first, rest, common] {
      for (index, rect) in region.rects.enumerated() {
        expect(!rect.isEmpty, "an empty rectangle in \(region)")
        expect(region.rects[..<index].allSatisfy { $0.intersection(rect).isEmpty }, "\(region) is not disjoint")
      }
      let frame = Rect(x: 0, y: 0, width: 20, height: 20)
      expect(region.place(in: frame).map(region.contains) ?? region.isEmpty, "the place of \(region)")
    }
  }

  // MARK: Settings of the desktop

  /// Any bytes are settings, and settings that are written as the specification says are read.
  private static func readSettings(_ input: Input) {
    let settings = DesktopSettings(
      XSettings(bytes: input.bytes), environment: ["GDK_SCALE": input.text], resources: ["Xft.dpi": input.text],
      screenSize: (1920, 1080))
    expect((1...8).contains(settings.scale), "a scale of \(settings.scale)")
    expect(settings.cursorTheme?.contains("/") != true, "a theme \(settings.cursorTheme ?? "")")
    expect(settings.cursorSize.map { (1...512).contains($0) } ?? true, "cursors of \(settings.cursorSize ?? 0)")

    var choices = input.choices
    let isBig = choices.oneIn(2)
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isBig ? bytes.reversed() : bytes
    }
    func padded(_ text: [UInt8]) -> [UInt8] { text + Array(repeating: 0, count: (4 - text.count % 4) % 4) }
    var expected: [String: XSettings.Value] = [:]
    var bytes: [UInt8] = []
    var count = 0
    while !choices.isOver, count < 20 {
      let name = Array("N\(count)/".utf8) + choices.bytes(choices.below(6))
      let content = Array(choices.bytes(choices.below(12)))
      let kind = choices.below(3)
      bytes += [UInt8(kind), 0] + number(name.count, 2) + padded(name) + number(count, 4)
      let key = String(decoding: name, as: UTF8.self)
      switch kind {
      case 0:
        let value = Int(Int32(bitPattern: choices.word()))
        bytes += number(value, 4)
        expected[key] = .integer(value)
      case 1:
        bytes += number(content.count, 4) + padded(content)
        expected[key] = .string(String(decoding: content, as: UTF8.self))
      default:
        bytes += number(0, 8)
        expected[key] = .color
      }
      count += 1
    }
    let head: [UInt8] = [isBig ? 1 : 0, 0, 0, 0]
    let read = XSettings(bytes: head + number(7, 4) + number(count, 4) + bytes).values
    let values = input.planted(read, in: bytes) { _ in [:] }
    expect(values == expected, "\(values) instead of \(expected)")
  }
}
