import XDnDXlibint

/// A cache of the server's atoms, from name to atom and from atom to name.
package final class AtomTable {
  private let display: DisplayHandle
  private var atoms: [AtomName: Atom] = [:]
  private var names: [Atom: AtomName] = [:]
  /// Numbers that were not atoms, with the serial number of the request for their names. Only from the last lookup.
  private var missing: [Atom: UInt] = [:]

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

  /// The atom of a name, interned if necessary; `.none` if the name is not ``AtomName/isValid`` or the connection is
  /// lost.
  package func atom(_ name: AtomName) -> Atom {
    if atoms[name] == nil { intern([name]) }
    return atoms[name] ?? .none
  }

  /// Caches the atoms of these names, in at most one round trip.
  package func intern(_ wanted: [AtomName]) { question(for: wanted).run() }

  /// Caches the atoms of these names without waiting. They are known when the answer to any later question arrives.
  func internSoon(_ wanted: [AtomName]) { question(for: wanted).send {} }

  private func question(for wanted: [AtomName]) -> RequestBatch {
    var batch = RequestBatch(display)
    for name in Set(wanted) where atoms[name] == nil && name.isValid {
      let request = xInternAtomReq(
        reqType: UInt8(X_InternAtom), onlyIfExists: 0, length: 0, nbytes: UInt16(name.bytes.count), pad: 0)
      batch.ask(request, data: Array(name.bytes), for: xInternAtomReply.self) { [self] reply in
        if let atom = reply?.head.atom, atom != 0 { learn(name, of: Atom(rawValue: atom)) }
      }
    }
    return batch
  }

  /// The name of an atom; `nil` for `None` and for numbers that are not atoms on this server.
  package func name(_ atom: Atom) -> AtomName? {
    lookUp([atom])
    return names[atom]
  }

  /// The name of an atom that has been looked up; `nil` for `None` and for numbers that are not atoms.
  func knownName(_ atom: Atom) -> AtomName? { names[atom] }

  /// Caches the names of these atoms, in at most one round trip.
  package func lookUp(_ wanted: [Atom]) {
    var batch = RequestBatch(display)
    ask(for: wanted, in: &batch)
    batch.run()
  }

  /// Caches the names of the atoms in an event, in at most one round trip.
  ///
  /// - Parameters:
  ///   - serial: The event's serial number. An atom that a later question did not find did not exist when the event was
  ///     sent.
  ///   - others: The atoms in the later events of the queue, for the same round trip. A burst of events with bogus
  ///     atoms would otherwise take a round trip for each event.
  func lookUp(_ wanted: [Atom], inEvent serial: UInt, others: () -> [Atom]) {
    func needsLookup(_ atom: Atom) -> Bool {
      atom != .none && names[atom] == nil && (serial == 0 || missing[atom, default: 0] <= serial)
    }
    guard wanted.contains(where: needsLookup) else { return }
    let asked = display.nextSerial
    let unknown = Set(wanted + others()).filter { $0 != .none && names[$0] == nil }
    var batch = RequestBatch(display)
    ask(for: Array(unknown), in: &batch)
    batch.run()
    missing = Dictionary(uniqueKeysWithValues: unknown.filter { names[$0] == nil }.map { ($0, asked) })
  }

  /// Adds a request for the name of each atom that is not cached.
  func ask(for wanted: [Atom], in batch: inout RequestBatch) {
    for atom in Set(wanted) where atom != .none && names[atom] == nil {
      batch.ask(X_GetAtomName, atom.rawValue, for: xGetAtomNameReply.self) { [self] reply in
        guard let reply else { return }
        learn(AtomName(bytes: reply.tail.units(UInt8.self).prefix(Int(reply.head.nameLength))), of: atom)
      }
    }
  }

  private func learn(_ name: AtomName, of atom: Atom) {
    atoms[name] = atom
    names[atom] = name
  }
}
