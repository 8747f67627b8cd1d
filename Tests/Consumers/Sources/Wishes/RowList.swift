import XDnD

/// Rows of text in a window, with a line between two of them where something would be inserted.
final class RowList {
  let host: HostWindow
  var rows: [String] { didSet { host.redraw() } }
  /// The index at which something would be inserted; `nil` for no line.
  var insertionIndex: Int? { didSet { if insertionIndex != oldValue { host.redraw() } } }

  static let rowHeight = 40
  private static let width = 300

  init(_ rows: [String], in host: HostWindow) {
    self.host = host
    self.rows = rows
    host.draw = { [weak self] in self?.draw(in: $0) }
  }

  /// Returns the index of the row at a place of the window; `nil` below the last one.
  func row(at place: Point) -> Int? {
    let index = place.y / Self.rowHeight
    return rows.indices.contains(index) ? index : nil
  }

  /// Returns the index at which a row that is dropped at a place is inserted: that of the nearest edge of a row.
  func insertionIndex(at place: Point) -> Int {
    min(max(0, (place.y + Self.rowHeight / 2) / Self.rowHeight), rows.count)
  }

  var insertionLine: Rect {
    Rect(x: 0, y: max(0, (insertionIndex ?? 0) * Self.rowHeight - 2), width: Self.width, height: 4)
  }

  private func draw(in host: HostWindow) {
    for (index, row) in rows.enumerated() {
      host.write(row, at: Point(x: 20, y: index * Self.rowHeight + Self.rowHeight / 2 + 4))
    }
    if insertionIndex != nil { host.fill(insertionLine) }
  }
}
