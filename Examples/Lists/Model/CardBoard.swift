/// Pages of two lists each, of which one page is shown.
struct CardBoard: Equatable {
  typealias Row = CardList.Row

  /// A place between two rows.
  struct Place: Hashable {
    var list: Int
    /// The number of rows above it.
    var index: Int
  }

  /// What is undone and redone: also the selection and the page, so that the user sees what has changed.
  fileprivate struct State: Equatable {
    var lists: [CardList]
    var page = 0
    /// The list that the keys act on.
    var focus = 0
  }

  /// The titles of the pages.
  let pages: [String]
  private var state: State { didSet { press = nil } }
  private var history = History<State>()
  private var nextID: Int
  private var press: Press?

  /// A press on a selected row. It may drag the selection, so it changes it only when it turns out to be a click. Any
  /// change of the lists discards it.
  private struct Press: Equatable {
    var index: Int
    var selecting: CardList.Selecting
  }

  /// Creates a board; the page with number 0 is shown.
  ///
  /// - Parameter pages: The titles of the pages, with the titles and the cards of their two lists.
  init(_ pages: [(title: String, lists: [(title: String, cards: [Card])])]) {
    self.pages = pages.map(\.title)
    var count = 0
    let lists = pages.flatMap(\.lists).map { list in
      defer { count += list.cards.count }
      return CardList(title: list.title, rows: list.cards.enumerated().map { Row(id: count + $0, card: $1) })
    }
    state = State(lists: lists)
    nextID = count
  }

  var lists: [CardList] { state.lists }
  var page: Int { state.page }
  var focus: Int { state.focus }
  /// The numbers of the lists that are shown.
  var shown: Range<Int> { 2 * page..<2 * page + 2 }

  // MARK: Selection

  /// A button went down in a list; on no row if `index` is `nil`. A row that is not selected is selected at once, so that
  /// the same gesture can drag it.
  mutating func press(_ index: Int?, in list: Int, _ selecting: CardList.Selecting = .only) {
    state.focus = list
    guard let index else {
      if selecting == .only { state.lists[list].deselect() }
      return
    }
    if lists[list].selection.contains(lists[list].rows[index].id) {
      press = Press(index: index, selecting: selecting)
    } else {
      state.lists[list].select(index, selecting)
    }
  }

  /// The button went up, and there was no drag.
  mutating func click() {
    if let press { state.lists[focus].select(press.index, press.selecting) }
  }

  /// The press, or a key, drags the selected rows, which are returned in order.
  mutating func drag() -> [Row] {
    press = nil
    return lists[focus].selectedRows
  }

  mutating func moveCursor(by distance: Int, _ selecting: CardList.Selecting = .only) {
    state.lists[focus].moveCursor(by: distance, selecting)
  }

  mutating func selectAll() { state.lists[focus].selectAll() }

  mutating func deselect(_ ids: Set<Row.ID>) {
    for list in lists.indices { state.lists[list].deselect(ids) }
  }

  /// Lets the keys act on the left or the right list of the page.
  mutating func focus(column: Int) { state.focus = shown.lowerBound + column }

  mutating func show(page: Int) {
    guard page != self.page, pages.indices.contains(page) else { return }
    state.page = page
    state.focus = shown.lowerBound
  }

  // MARK: Changes

  /// Adds cards, which are then the only selected ones.
  mutating func insert(_ cards: [Card], at place: Place) {
    let rows = cards.enumerated().map { Row(id: nextID + $0, card: $1) }
    nextID += rows.count
    change { $0.insert(rows, at: place) }
  }

  /// Moves rows from wherever they are. Those that are gone are left out.
  mutating func move(_ ids: Set<Row.ID>, to place: Place) {
    change { state in
      // The rows above the place that do not go away.
      let index = state.lists[place.list].rows.prefix(place.index).count { !ids.contains($0.id) }
      let rows = state.lists.indices.flatMap { state.lists[$0].remove(ids) }
      state.insert(rows, at: Place(list: place.list, index: index))
    }
  }

  mutating func remove(_ ids: Set<Row.ID>) {
    change { state in
      for list in state.lists.indices { _ = state.lists[list].remove(ids) }
    }
  }

  /// Removes the selected rows, and selects the next one.
  mutating func removeSelection() {
    let selection = lists[focus].selection
    guard !selection.isEmpty else { return }
    change { state in
      _ = state.lists[state.focus].remove(selection)
      if let next = state.lists[state.focus].cursorIndex { state.lists[state.focus].select(next) }
    }
  }

  mutating func undo() { if let before = history.undo() { state = before } }

  mutating func redo() { if let after = history.redo() { state = after } }

  private mutating func change(_ body: (inout State) -> Void) {
    let before = state
    body(&state)
    // To drop rows where they are is no change.
    guard before.lists.map(\.rows) != lists.map(\.rows) else { return }
    history.record(before, state)
  }
}

extension CardBoard.State {
  fileprivate mutating func insert(_ rows: [CardBoard.Row], at place: CardBoard.Place) {
    for list in lists.indices { lists[list].deselect() }
    lists[place.list].insert(rows, at: place.index)
    page = place.list / 2
    focus = place.list
  }
}
