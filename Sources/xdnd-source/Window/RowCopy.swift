import XDnDToolSupport
import XDnD

/// Copies rows to the clipboard. The content lasts as long as the tool, unless a clipboard manager takes it over when
/// the user closes the window.
struct RowCopy {
  let list: RowList
  let clipboard: Clipboard
  let reporter: Reporter

  /// Puts rows on the clipboard as one item.
  ///
  /// - Parameter time: The server time of the key press.
  /// - Returns: The message for the user; `nil` if there are no rows.
  func copy(_ selected: [Int], at time: Timestamp) -> String? {
    let rows = list.present(selected)
    guard !rows.isEmpty else { return selected.isEmpty ? nil : "Nothing to copy: moved away." }
    do {
      try clipboard.write(SourceRow.copy(of: rows.map { list[$0] }), at: time)
    } catch {
      return "Not copied: \(error.message)"
    }
    // A clipboard has one item: if there are files and other content, it has the files.
    let files = rows.count { list[$0].path != nil }
    let isMixed = files > 0 && files < rows.count
    let what =
      rows.count == 1
      ? list[rows[0]].title
      : isMixed ? "the files: \(files) of \(rows.count) items" : Formatting.count(rows.count, "item")
    reporter.print(.copied(what, to: .clipboard, types: clipboard.item?.types.map(\.name) ?? []))
    return "Copied \(what)"
  }

  /// Hands the copied content to the clipboard manager, unless another program has replaced it.
  func handOver(_ completion: @escaping () -> Void) {
    guard clipboard.item != nil else { return completion() }
    clipboard.handOver(within: .seconds(2)) { [reporter] result in
      if result == .taken { reporter.print(.handedOver) }
      completion()
    }
  }
}
