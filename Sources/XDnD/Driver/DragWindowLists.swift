/// Writes the lists on the drag window: types, actions, and descriptions of actions.
///
/// They stay until the next drag. Targets read them at Enter, so old ones do no harm.
final class DragWindowLists {
  private let context: DriverContext
  /// The action list on the drag window.
  private var published: [AtomName] = []

  init(_ context: DriverContext) {
    self.context = context
  }

  /// Writes the lists of a drag.
  func publish(_ offer: SourceMachine.Offer, descriptions: [DragOperation: String]) {
    publishTypes(offer.types)
    publishOperations(offer, asking: nil, descriptions)
  }

  /// Writes the type list, which only an offer of more than three types needs: Enter has room for three.
  func publishTypes(_ types: [AtomName]) {
    let window = context.system.dragWindow
    context.exchange.did("offers \(types.map(\.rawValue).joined(separator: ", "))")
    if types.count > 3 {
      context.system.write(.atoms(types), to: .xdndTypeList, of: window)
    } else {
      context.system.delete(.xdndTypeList, of: window)
    }
  }

  /// Writes the list of permitted actions, with the requested one first. Qt targets (5.15 and 6.4) perform the first
  /// action of the list and ignore the one in the position. Qt's own sources write the list like this.
  ///
  /// The list is always there, and never holds more than the permitted actions: Thunar and PCManFM move whenever the
  /// list permits it.
  ///
  /// An unchanged list is not written again. GTK 4 reads the list again whenever it changes, from its Enter to the
  /// next one. After the Drop, a change or a deletion makes it complain
  /// (`gdk_drop_set_actions: assertion 'priv->state == GDK_DROP_STATE_NONE' failed`), which ends programs under
  /// `G_DEBUG=fatal-criticals`.
  func publishOperations(
    _ offer: SourceMachine.Offer, asking asked: DragOperation?, _ descriptions: [DragOperation: String]
  ) {
    let window = context.system.dragWindow
    let operations = offer.operations.filter { $0 == asked } + offer.operations.filter { $0 != asked }
    let names = operations.map(\.name)
    let isListed = published == names
    if isListed, asked != nil { return }
    published = names
    if !isListed { context.system.write(.atoms(names), to: .xdndActionList, of: window) }
    if offer.operations.contains(.ask) || !descriptions.isEmpty {
      let words = operations.map { descriptions[$0] ?? $0.description }
      context.system.write(
        PropertyValue(type: .string, contents: .bytes(words.flatMap { Array($0.utf8) + [0] }[...])),
        to: .xdndActionDescription, of: window)
    } else {
      context.system.delete(.xdndActionDescription, of: window)
    }
  }
}
