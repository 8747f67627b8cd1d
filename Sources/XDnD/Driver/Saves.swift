/// The direct saves (XDS) of drops on registered windows.
final class Saves {
  let loads: Loads
  private let context: DriverContext
  /// Oldest first.
  private var saves: [Save] = []

  init(_ context: DriverContext, loads: Loads) {
    self.context = context
    self.loads = loads
  }

  var isEmpty: Bool { saves.isEmpty }

  /// The application's halves.
  var halves: [AnyObject] { saves.compactMap(\.half) }

  /// Prepares the direct save of a drop, which starts with ``DirectSaveReceiver/Input/begin``. Its notices ask for files
  /// and report the result.
  ///
  /// - Parameter offersData: Whether the content can be converted to `application/octet-stream` instead.
  /// - Returns: `nil` if nothing has been dropped, if the drop is over, or if it has a running save: there is one
  ///   property for the URI.
  func prepare(_ visit: Visit, for half: AnyObject? = nil, offersData: Bool) -> Save? {
    guard visit.takesConversions, !saves.contains(where: { $0.visit === visit }) else { return nil }
    let save = Save(context.nextTransfer(), of: visit, for: half, offersData: offersData, context, in: self)
    saves.append(save)
    return save
  }

  /// Removes a save that has ended.
  func remove(_ save: Save) { saves.removeAll { $0 === save } }

  /// Ends the saves of a drop, except a save that has finished the drop itself, and a save whose source vanished after
  /// it had reported the file as saved.
  func end(of visit: Visit) {
    for save in saves where save.visit === visit && !save.outlivesDrop { save.receive(.cancel) }
  }

  /// Handles the destruction of a window.
  func windowVanished(_ window: WindowID) {
    for save in saves { save.windowVanished(window) }
  }

  /// Ends all saves.
  func serverLost() {
    for save in saves { save.receive(.serverLost) }
  }
}
