import XDnD

extension Recording {
  /// The entries without the server's notifications of changes that the recorder itself made or reads anyway. Each has
  /// its index among all entries.
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
      // A property that the recorder wrote was deleted by the other side, which shows that it was read.
      case .removed: !deleted.contains(place)
      case .written, .read, .deleted: true
      }
    }
  }
}
