import XDnD

extension Recording {
  /// The entries without the server's notifications of changes that the recorder itself made or reads anyway. Each has
  /// its index among all entries.
  var withoutEchoes: [(offset: Int, element: Entry)] {
    var handled: Set<WindowProperty> = []
    var deleted: Set<WindowProperty> = []
    for case .property(let property) in entries.map(\.event.action) {
      switch property.change {
      case .written, .read: handled.insert(property.place)
      case .deleted: deleted.insert(property.place)
      case .changed, .removed: break
      }
    }
    return entries.enumerated().filter { _, entry in
      guard case .property(let property) = entry.event.action else { return true }
      return switch property.change {
      case .changed: !handled.contains(property.place)
      // A property that the recorder wrote was deleted by the other side, which shows that it was read.
      case .removed: !deleted.contains(property.place)
      case .written, .read, .deleted: true
      }
    }
  }
}
