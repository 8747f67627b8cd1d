import XDnD

/// The atoms of the simulated server, numbered after the predefined ones.
struct InternedAtoms {
  private static let predefinedCount: UInt32 = 68

  private var atoms: [AtomName: Atom] = [:]
  private var names: [AtomName] = []

  mutating func atom(_ name: AtomName) -> Atom {
    if let known = atoms[name] { return known }
    names.append(name)
    let atom = Atom(rawValue: Self.predefinedCount + UInt32(names.count))
    atoms[name] = atom
    return atom
  }

  func name(_ atom: Atom) -> AtomName? {
    let index = Int(atom.rawValue) - Int(Self.predefinedCount) - 1
    return names.indices.contains(index) ? names[index] : nil
  }
}
