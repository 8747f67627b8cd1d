import XDnD

extension Recording {
  /// The entries without those by which the server tells the recorder of what it has done itself, or looks at anyway; each
  /// with its place among all.
  var withoutEchoes: [(offset: Int, element: Entry)] {
    struct Place: Hashable {
      var window: WindowID
      var name: AtomName
    }
    var handled: Set<Place> = []
    var deleted: Set<Place> = []
    for case .property(let property) in entries.map(\.event.action) {
      let place = Place(window: property.window, name: property.name)
      switch property.change {
      case .written, .read: handled.insert(place)
      case .deleted: deleted.insert(place)
      case .changed, .removed: break
      }
    }
    return entries.enumerated().filter { _, entry in
      guard case .property(let property) = entry.event.action else { return true }
      let place = Place(window: property.window, name: property.name)
      return switch property.change {
      case .changed: !handled.contains(place)
      // Of what was written by us, it says that it was taken.
      case .removed: !deleted.contains(place)
      case .written, .read, .deleted: true
      }
    }
  }
}
