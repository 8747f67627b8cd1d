import CX11

/// The atoms of one server, both ways, each asked for once.
final class AtomTable {
  private let display: DisplayHandle
  private var atoms: [AtomName: Atom] = [:]
  private var names: [Atom: AtomName] = [:]
  /// A window of ours, whose child unknown atoms are tried on.
  var parent: WindowID?
  private var scratch: CX11.Window?

  init(_ display: DisplayHandle) {
    self.display = display
    intern(XdndMessageKind.allCases.map(\.name) + Self.wellKnown + [AtomName("_XSETTINGS_S\(display.screen)")])
  }

  /// Names that each drag needs: interning them together costs one round trip instead of twenty.
  private static let wellKnown: [AtomName] = [
    .xdndAware, .xdndProxy, .xdndTypeList, .xdndActionList, .xdndActionDescription, .xdndSelection,
    .targets, .timestamp, .multiple, .delete, .incr, .atomPair, .null, .atom, .integer, .string, .window, .utf8String,
    DragOperation.copy.name, DragOperation.move.name, DragOperation.link.name, DragOperation.ask.name,
    DragOperation.private.name, .windowType, .dragWindowType, .windowClass,
  ]

  /// The atom of a name, made if the server has none yet; `.none` only on a lost server.
  func atom(_ name: AtomName) -> Atom {
    intern([name])
    return atoms[name] ?? .none
  }

  /// Makes sure that `atom(_:)` will know these names, in at most one round trip.
  func intern(_ wanted: [AtomName]) {
    let missing = wanted.filter { atoms[$0] == nil }
    guard !missing.isEmpty else { return }
    var numbers = [CX11.Atom](repeating: 0, count: missing.count)
    let texts = missing.map { Array($0.rawValue.utf8CString) }
    let answer = display.request(onError: .swallow) { display in
      withCStrings(texts) { strings in
        XInternAtoms(display, strings.baseAddress, Int32(strings.count), False, &numbers)
      }
    }
    guard answer != nil else { return }
    for (name, number) in zip(missing, numbers) where number != 0 {
      let atom = Atom(rawValue: UInt32(truncatingIfNeeded: number))
      atoms[name] = atom
      names[atom] = name
    }
  }

  /// The name of an atom; `nil` for `None` and for numbers that the server has never given out.
  func name(_ atom: Atom) -> AtomName? {
    lookUp([atom])
    return names[atom]
  }

  /// Makes sure that `name(_:)` will know these atoms, in one round trip, or in two if there are several.
  func lookUp(_ wanted: [Atom]) {
    let unknown = Set(wanted.filter { $0 != .none && names[$0] == nil })
    let missing = unknown.count > 1 ? existing(unknown) : Array(unknown)
    guard !missing.isEmpty else { return }
    var numbers = missing.map { CX11.Atom($0.rawValue) }
    var texts = [UnsafeMutablePointer<CChar>?](repeating: nil, count: missing.count)
    display.request(onError: .swallow) { XGetAtomNames($0, &numbers, Int32(numbers.count), &texts) }
    for (atom, text) in zip(missing, texts) {
      guard let text else { continue }
      let name = AtomName(String(cString: text))
      names[atom] = name
      // A name that is not UTF-8 was repaired, and interning it would make another atom. All other names are looked
      // up afresh when needed: a peer's atom may hold a zero byte, and must not pass for the name before that byte.
      if name.rawValue.unicodeScalars.contains("\u{FFFD}"), atoms[name] == nil {
        atoms[name] = atom
      }
      XFree(text)
    }
  }

  /// Those of them that the server knows.
  ///
  /// `XGetAtomNames` must not see the others: in libX11 (1.8.4, `_XGetAtomNameHandler`) an answer that comes after an error
  /// is taken for the answer to the request that failed, and kept, so a peer with one wrong number in its list would give
  /// its types each other's names. Deleting a property that is not there does nothing, and only a number that is no atom
  /// is an error.
  private func existing(_ atoms: Set<Atom>) -> [Atom] {
    display.takeRefused()
    let isAnswered: Void? = display.request(onError: .collect) { display in
      let window = scratchWindow(on: display)
      for atom in atoms { XDeleteProperty(display, window, CX11.Atom(atom.rawValue)) }
      XSync(display, False)
    }
    guard isAnswered != nil else { return [] }
    let refused = Set(display.takeRefused().map(Atom.init(rawValue:)))
    return atoms.filter { !refused.contains($0) }
  }

  /// A window that never has a property, is never shown, and ends with its parent.
  private func scratchWindow(on display: OpaquePointer) -> CX11.Window {
    if let scratch { return scratch }
    let window = XCreateWindow(
      display, parent?.xid ?? XDefaultRootWindow(display), -1, -1, 1, 1, 0, 0, UInt32(InputOnly), nil, 0, nil)
    scratch = window
    return window
  }

  private func withCStrings<Answer>(
    _ texts: [[CChar]], _ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>) -> Answer
  ) -> Answer {
    var bytes = texts.flatMap { $0 }
    return bytes.withUnsafeMutableBufferPointer { buffer in
      var offset = 0
      var strings = texts.map { text in
        defer { offset += text.count }
        return buffer.baseAddress.map { $0 + offset }
      }
      return strings.withUnsafeMutableBufferPointer { body($0) }
    }
  }
}
