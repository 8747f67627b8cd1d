@testable import XDnD

/// The calls of an application, as the session layer makes them.
extension Reactor {
  func beginDrag(
    _ drag: DragID, _ offer: SourceMachine.Offer, served: [AtomName] = [],
    descriptions: [DragOperation: String] = [:], directSave: DirectSaveOffer.File? = nil, byteCount: Int = 0,
    from container: DragContainer? = nil, appearance: DragAppearance? = nil
  ) {
    let content = Drags.Content(
      unlisted: served, descriptions: descriptions, file: directSave, byteCount: byteCount)
    perform { $0.drags.begin(drag, offer, content, from: container, appearance: appearance) }
  }

  func drop(
    _ drag: DragID, _ offer: SourceMachine.Offer, on window: WindowID, at point: Point?, along path: [Point]
  ) {
    perform { $0.drags.begin(drag, offer, on: window, at: point, along: path) }
  }

  func load(
    _ type: AtomName, of session: SessionID, limits: IncomingTransfer.Limits? = nil, sink: @escaping ContentSink
  ) -> TransferID? {
    perform { reactor in
      reactor.targets.visit(session).flatMap { reactor.loads.load(type, of: $0, limits: limits, sink: sink)?.id }
    }
  }

  func provide(_ transfer: TransferID, _ reader: (any ContentReader)?) {
    perform { $0.offers.provide(transfer, reader) }
  }

  func setCursorOutside(_ cursor: CursorShape, of drag: DragID) {
    show { $0.drags[drag]?.setCursorOutside(cursor) }
  }
}

extension Drag {
  func setPreview(_ preview: DragPreview, origins: [DragOrigin?]) {
    changeAppearance {
      $0.preview = preview
      $0.origins = origins
    }
  }
}

extension Loads {
  subscript(transfer: TransferID) -> Load? { loads.first { $0.id == transfer } }
}

extension OfferStore {
  /// Oldest first.
  var ids: [OfferID] { offers.map(\.id) }
  var selections: [AtomName] { offers.map(\.selection) }
  var hasRevoked: Bool { offers.contains(where: \.isRevoked) }
  var isSavingDirectly: Bool { offers.contains { $0.directSave?.isSaving ?? false } }
}
