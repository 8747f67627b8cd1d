/// A selection of rows that assistive technology asks for. A list that selects one row at a time takes the last one.
package enum RowSelectionRequest: Equatable, Sendable {
  case only(Int)
  /// Besides the selected rows.
  case add(Int)
  case remove(Int)
  case all
  case none
}
