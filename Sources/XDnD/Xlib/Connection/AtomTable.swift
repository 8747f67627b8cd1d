import CX11

/// A cache of the server's atoms, from name to atom and from atom to name.
package final class AtomTable {
  private let display: DisplayHandle
  private var atoms: [AtomName: Atom] = [:]
  private var names: [Atom: AtomName] = [:]
  /// The parent of the scratch window that unknown atoms are tested on.
  var parent: WindowID?
  private var scratch: CX11.Window?

  package init(_ display: DisplayHandle) {
    self.display = display
    intern(XdndMessageKind.allCases.map(\.name) + Self.wellKnown + [AtomName("_XSETTINGS_S\(display.screen)")])
  }

  /// Names that each drag needs. Interning them together takes one round trip instead of one for each.
  private static let wellKnown: [AtomName] = [
    .xdndAware, .xdndProxy, .xdndTypeList, .xdndActionList, .xdndActionDescription, .xdndSelection,
    .targets, .timestamp, .multiple, .delete, .incr, .atomPair, .null, .atom, .integer, .string, .window, .utf8String,
    DragOperation.copy.name, DragOperation.move.name, DragOperation.link.name, DragOperation.ask.name,
    DragOperation.private.name, .windowType, .dragWindowType, .windowClass,
  ]

  /// The atom of a name, interned if necessary; `.none` only if the connection is lost.
  package func atom(_ name: AtomName) -> Atom {
    intern([name])
    return atoms[name] ?? .none
  }

  /// Caches the atoms of these names, in at most one round trip.
  package func intern(_ wanted: [AtomName]) {
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

  /// The name of an atom; `nil` for `None` and for numbers that are no atoms on this server.
  package func name(_ atom: Atom) -> AtomName? {
    lookUp([atom])
    return names[atom]
  }

  /// Caches the names of these atoms, in one round trip, or two if several are unknown.
  package func lookUp(_ wanted: [Atom]) {
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
      // A name that is not UTF-8 has been repaired, and interning it would create another atom: cache it in both
      // directions. Other names are interned when needed: a peer's atom may contain a zero byte, and must not be
      // confused with the atom that is named by the bytes before it.
      if name.rawValue.unicodeScalars.contains("\u{FFFD}"), atoms[name] == nil {
        atoms[name] = atom
      }
      XFree(text)
    }
  }

  /// The atoms that exist on the server.
  ///
  /// `XGetAtomNames` must not be called with others. In libX11 1.8.4 (`_XGetAtomNameHandler`), a reply that follows an
  /// error is taken for the reply to the failed request, and cached. A peer with one invalid number in its list would
  /// then get its types' names swapped. Deleting a missing property has no effect, and fails only if the number is not
  /// an atom.
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

  /// A window without properties that is never mapped. The server destroys it with its parent.
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
