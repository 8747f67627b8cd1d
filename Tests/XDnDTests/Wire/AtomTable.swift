@testable import XDnD

/// The atoms of an imaginary server, numbered in the order in which they were first asked for.
struct AtomTable {
  private var names: [AtomName] = []

  init(_ names: [AtomName]) {
    self.names = names
  }

  /// Numbers begin at 100, above the predefined atoms; a name that is not there is no atom.
  func atom(_ name: AtomName) -> Atom {
    names.firstIndex(of: name).map { Atom(rawValue: UInt32($0) + 100) } ?? .none
  }

  func name(_ atom: Atom) -> AtomName? {
    let index = Int(atom.rawValue) - 100
    return names.indices.contains(index) ? names[index] : nil
  }
}

extension AtomTable {
  static let common = AtomTable(
    [
      "text/plain", "text/html", "text/uri-list", "XdndActionCopy", "XdndActionMove", "XdndActionLink",
      "XdndActionAsk", "XdndActionPrivate", "_VENDOR_ACTION",
    ].map { AtomName(rawValue: $0) })
}
