import ToolSupport
import XDnD

/// Tells what becomes of a drag, and knows what is still on its way: what a window and a drop without one have in common.
struct DragLog {
  private let reporter: Reporter
  /// What is dragged, or was last.
  private let rows: [SourceRow]
  private(set) var transfers = Transfers()

  init(of rows: [SourceRow] = [], _ reporter: Reporter) {
    self.rows = rows
    self.reporter = reporter
  }

  func began(_ drag: DragSession) { reporter.print(.began(drag, rows.map(\.title))) }

  mutating func dropped(_ operation: DragOperation) {
    transfers.isDropped = true
    reporter.print(.dropSent(operation))
  }

  /// - Returns: Whether people want to see how far it is.
  mutating func sent(_ byteCount: Int, of type: ContentType) -> Bool {
    let total = type == .uriList || rows.count != 1 ? nil : rows[0].size
    let news = transfers.sent(byteCount, of: type, total: total)
    if news.isDue { reporter.printForPrograms(.progress(news.byteCount, of: type, total: total)) }
    if news.isVisible {
      reporter.progressBar?.show(rows.count == 1 ? rows[0].title : type.name, news.byteCount, of: total)
    }
    return news.isVisible
  }

  mutating func finishedSending(_ type: ContentType, successfully: Bool) {
    transfers.finished(type)
    reporter.print(.sent(type, isSuccessful: successfully))
  }

  mutating func ended(_ drag: DragSession, _ outcome: DragOutcome) {
    transfers.isDropped = false
    reporter.print(.ended(drag, outcome))
  }
}
