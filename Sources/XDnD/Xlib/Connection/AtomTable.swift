import XDnDX11

/// A cache of the server's atoms, from name to atom and from atom to name.
package final class AtomTable {
  private let display: DisplayHandle
  private var atoms: [AtomName: Atom] = [:]
  private var names: [Atom: AtomName] = [:]

  package init(_ display: DisplayHandle) {
    self.display = display
    intern(
      XdndMessageKind.allCases.map(\.name) + Self.wellKnown + Self.commonTypes
        + ["_XSETTINGS_S", "_NET_WM_CM_S"].map { AtomName($0 + "\(display.screen)") })
  }

  /// Names that each drag needs. Interning them together takes one round trip instead of one for each.
  private static let wellKnown: [AtomName] = [
    .xdndAware, .xdndProxy, .xdndTypeList, .xdndActionList, .xdndActionDescription, .xdndSelection,
    .targets, .timestamp, .multiple, .delete, .incr, .atomPair, .null, .atom, .integer, .string, .window, .utf8String,
    DragOperation.copy.name, DragOperation.move.name, DragOperation.link.name, DragOperation.ask.name,
    DragOperation.private.name, .windowType, .dragWindowType, .windowClass, .clock, .replies,
    AtomName("_XSETTINGS_SETTINGS"),
  ]

  /// Types that many drags offer, and the property that most content arrives in.
  private static let commonTypes: [AtomName] = [
    "text/plain;charset=utf-8", "text/plain", "TEXT", "COMPOUND_TEXT", "text/html", "text/uri-list", "image/png",
    "XdndDirectSave0", "XDND_TRANSFER_0",
  ].map { AtomName($0) }

  /// The atom of a name, interned if necessary; `.none` only if the connection is lost.
  package func atom(_ name: AtomName) -> Atom {
    intern([name])
    return atoms[name] ?? .none
  }

  /// Caches the atoms of these names, in at most one round trip.
  package func intern(_ wanted: [AtomName]) {
    let missing = wanted.filter { atoms[$0] == nil }
    guard !missing.isEmpty else { return }
    var numbers = [XDnDX11.Atom](repeating: 0, count: missing.count)
    let texts = missing.map { Array($0.rawValue.utf8CString) }
    let answer = display.wait { display in
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

  /// Caches the atoms of these names without waiting. They are known when the answer to any later question arrives.
  func internSoon(_ wanted: [AtomName]) {
    var batch = RequestBatch(display)
    for name in Set(wanted) where atoms[name] == nil && name.rawValue.utf8.count <= RequestBatch.longestName {
      batch.atom(named: name) { [self] atom in
        guard let atom, atom != .none else { return }
        atoms[name] = atom
        names[atom] = name
      }
    }
    batch.send {}
  }

  /// The name of an atom; `nil` for `None` and for numbers that are no atoms on this server.
  package func name(_ atom: Atom) -> AtomName? {
    lookUp([atom])
    return names[atom]
  }

  /// The name of an atom that has been looked up; `nil` for `None` and for numbers that are no atoms.
  func knownName(_ atom: Atom) -> AtomName? { names[atom] }

  /// Caches the names of these atoms, in one round trip.
  package func lookUp(_ wanted: [Atom]) {
    var batch = RequestBatch(display)
    ask(for: wanted, in: &batch)
    batch.run()
  }

  /// Adds the questions for those of these atoms' names that are not cached.
  func ask(for wanted: [Atom], in batch: inout RequestBatch) {
    for atom in Set(wanted) where atom != .none && names[atom] == nil {
      batch.name(of: atom) { [self] in if let name = $0 { learn(name, of: atom) } }
    }
  }

  private func learn(_ name: AtomName, of atom: Atom) {
    names[atom] = name
    // A name that is not UTF-8 has been repaired, and interning it would create another atom: cache it in both
    // directions. Other names are interned when needed: a peer's atom may contain a zero byte, and must not be
    // confused with the atom that is named by the bytes before it.
    if name.rawValue.unicodeScalars.contains("\u{FFFD}"), atoms[name] == nil { atoms[name] = atom }
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
