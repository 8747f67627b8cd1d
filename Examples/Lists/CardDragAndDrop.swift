import XDnDX11
import XDnD

/// The drags out of the lists and the drops on them: all that the program does with the library.
final class CardDragAndDrop {
  private let dragAndDrop: DragAndDrop
  private let view: ListsWindow
  private let window: WindowID
  /// The two lists that are shown.
  private let columns: [DropRegion]
  /// What other programs have dropped, and is on its way.
  private var arriving: [DropPlaceholder] = []

  init(_ dragAndDrop: DragAndDrop, in view: ListsWindow) {
    self.dragAndDrop = dragAndDrop
    self.view = view
    window = WindowID(view.window)
    let offer = DropOffer(for: Deck.self, operations: [.copy, .move])
    columns = Scene.columns.map { DropRegion(frame: view.pixels($0), accepting: offer) }
    for (number, column) in columns.enumerated() {
      column.delegate = self
      column.autoScroll = AutoScrollBehavior()
      column.onAutoScroll = { [unowned view] _, dy in
        // At least a point: at 0 the scrolling would end.
        view.scene.scroll(number, by: Int((Double(dy) / view.scale).rounded(.awayFromZero)))
      }
      column.onWheel = { [unowned view] in
        if $0.direction == .up { view.scene.scroll(number, by: -Scene.rowHeight) }
        if $0.direction == .down { view.scene.scroll(number, by: Scene.rowHeight) }
      }
    }
    let tabs = view.scene.tabs.enumerated().map { page, frame in
      let tab = DropRegion(frame: view.pixels(frame), accepting: offer)
      tab.delegate = self
      tab.springLoading = SpringLoadingBehavior()
      tab.onSpringLoad = { [unowned view] _ in view.scene.board.show(page: page) }
      tab.onSpringLoadingHighlight = { [unowned view] in view.scene.tabHighlights[page] = $0 }
      return tab
    }
    dragAndDrop.registerDropTarget(window, regions: tabs + columns)
    dragAndDrop.add(DragInteraction(dragAndDrop, delegate: self), to: window)
    view.onKeyDrag = { [unowned self] in beginDrag(at: $0) }
    view.onCancel = { [unowned self] in for placeholder in arriving { placeholder.cancel() } }
    view.onPage = { [unowned self] in nameContainers() }
    nameContainers()
  }

  /// Names the lists in the columns. A drag begins in the container under its press, and moves in this one by default; to
  /// all others it copies.
  private func nameContainers() {
    for (number, column) in columns.enumerated() { column.containerName = name(ofList: view.scene.list(in: number)) }
  }

  private func name(ofList list: Int) -> String { "list \(list)" }

  // MARK: Items

  /// The selected cards as items, with their numbers for drops in this window.
  private func items() -> [DragItem] {
    let rows = view.scene.board.drag()
    return zip(rows, Deck(cards: rows.map(\.card)).items).map { row, item in
      var item = item
      item.operations = [.copy, .move]
      item.localContext = row.id
      item.preview = view.painter.image(of: row.card)
      item.origin = origin(of: row)
      return item
    }
  }

  /// Where the image of a card lies on its row; `nil` if the row is not seen.
  private func frame(ofImageOf row: CardBoard.Row) -> Rect? {
    view.scene.visibleFrame(of: row.id).map { frame in
      Rect(x: frame.origin.x, y: frame.origin.y, width: view.painter.width(of: row.card), height: frame.height)
    }
  }

  private func origin(of row: CardBoard.Row) -> DragOrigin? {
    frame(ofImageOf: row).map { DragOrigin(view.pixels($0), in: window) }
  }

  private func rows(of items: [DragItem]) -> Set<CardBoard.Row.ID> {
    Set(items.compactMap { $0.localContext as? CardBoard.Row.ID })
  }
}

// MARK: - Drags

extension CardDragAndDrop: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    view.scene.row(at: view.point(atPixels: press.location)) == nil ? [] : items()
  }

  /// Begins a drag without a button. The arrow keys move the pointer, so it begins at the card.
  private func beginDrag(at time: Timestamp) {
    let items = items()
    guard !items.isEmpty else { return }
    if let middle = view.scene.cursorFrame.map(view.pixels)?.middle {
      XWarpPointer(view.display, 0, view.window, 0, 0, 0, 0, Int32(middle.x), Int32(middle.y))
    }
    dragAndDrop.beginDrag(
      items, button: nil, at: time, from: DragContainer(window: window, name: name(ofList: view.scene.board.focus)),
      delegate: self)
  }

  func dragBegan(_ drag: DragSession) {
    let page = view.scene.board.page
    // The list may have been scrolled since: images of rows that are out of sight grow and fade.
    drag.originForCancelling = { [unowned self] item, _ in
      (view.scene.gap, view.scene.leaving) = (nil, [])
      // The drag may have opened another page.
      view.scene.board.show(page: page)
      let rows = view.scene.board.lists.flatMap(\.rows)
      return rows.first { $0.id == item.localContext as? CardBoard.Row.ID }.flatMap(origin)
    }
  }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) {
    view.scene.leaving = operation == .move ? rows(of: drag.items) : []
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    let rows = rows(of: drag.items)
    view.scene.leaving.subtract(rows)
    // Cards that were dropped in the window are in their new places already.
    guard drag.relation == .otherApplication, case .dropped(let operation) = outcome else { return }
    if operation == .move { view.edit { $0.remove(rows) } } else { view.scene.board.deselect(rows) }
  }
}

// MARK: - Drops

extension CardDragAndDrop: DropDelegate {
  func dropUpdated(_ drop: DropSession) -> DropProposal {
    guard let point = drop.location.map(view.point(atPixels:)), view.scene.place(at: point) != nil else {
      return .forbidden
    }
    // Cards of this program are moved or copied, as the user asks. A move of files would delete them.
    let proposal = drop.localDrag == nil ? .accept(.copy) : drop.suggestedProposal
    let items = drop.localItems ?? []
    view.scene.openGap(
      at: point, cards: items.count, leaving: proposal.operation == .move ? rows(of: items) : [])
    return proposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { view.scene.gap = nil }

  func performDrop(_ drop: DropSession) {
    let place = place(of: drop)
    view.scene.gap = nil
    guard let place else { return drop.reject() }
    if drop.droppedOperation == .move, let items = drop.localItems {
      arrive(from: drop) { $0.move(rows(of: items), to: place) }
      return drop.finish(.move)
    }
    if drop.localDrag == nil { awaitCards(of: drop, at: place) }
    drop.load([Deck].self) { [self] result in
      guard case .success(let decks) = result else { return drop.reject() }
      let cards = decks.flatMap(\.cards)
      guard !cards.isEmpty else { return drop.reject() }
      arrive(from: drop) { $0.insert(cards, at: place) }
      drop.finish(.copy)
    }
  }

  /// Shows a placeholder in the list until the cards are there, or until it is known that they will not come.
  private func awaitCards(of drop: DropSession, at place: CardBoard.Place) {
    let placeholder = DropPlaceholder(for: drop)
    arriving.append(placeholder)
    view.scene.arrivals.append(Scene.Arrival(id: placeholder.id, place: place))
    placeholder.onChange = { [unowned self] placeholder in
      if placeholder.isOver {
        arriving.removeAll { $0 === placeholder }
        view.scene.arrivals.removeAll { $0.id == placeholder.id }
      } else if let index = view.scene.arrivals.firstIndex(where: { $0.id == placeholder.id }) {
        view.scene.arrivals[index].fraction = placeholder.progress.fraction
      }
    }
  }

  private func place(of drop: DropSession) -> CardBoard.Place? {
    drop.location.flatMap { view.scene.place(at: view.point(atPixels: $0)) }
  }

  /// Changes the lists, and lets the images of the cards settle on their rows.
  private func arrive(from drop: DropSession, _ change: (inout CardBoard) -> Void) {
    view.scene.leaving = []
    view.edit(change)
    let rows = view.scene.board.lists[view.scene.board.focus].selectedRows
    view.place(Set(rows.map(\.id)))
    // The images of other programs are theirs.
    if drop.localDrag != nil { drop.settle(into: rows.map { frame(ofImageOf: $0).map(view.pixels) }) }
  }
}
