import XDnD

/// The progress of the transfers of one drag.
struct Transfers {
  private var types: [ContentType: Transfer] = [:]

  private struct Transfer {
    var byteCount = 0
    var total: Int?
    /// When the display was last updated, or a value that delays its first update.
    var shown: ContinuousClock.Instant
    /// The byte count of the last report to programs.
    var told = 0
  }

  /// The progress of the only running transfer, from 0 to 1; `nil` if there are several or the total is unknown.
  var fraction: Double? {
    guard let transfer = types.first?.value, types.count == 1, let total = transfer.total, total > 0 else { return nil }
    return min(1, Double(transfer.byteCount) / Double(total))
  }

  /// The effect of transferred bytes on the display and the reports.
  struct News: Equatable {
    var byteCount: Int
    /// Whether the progress display should be updated: at most ten times a second, and not in the first 0.3 s.
    var isVisible = false
    /// Whether a progress event is due: every 8 MiB.
    var isDue = false
  }

  private static let pace = Duration.milliseconds(100)
  /// Shorter transfers show no progress.
  private static let patience = Duration.milliseconds(300)

  /// - Parameter total: The expected number of bytes, if known.
  mutating func sent(
    _ byteCount: Int, of type: ContentType, total: Int?, at now: ContinuousClock.Instant = .now
  ) -> News {
    var transfer = types[type] ?? Transfer(shown: now + Self.patience - Self.pace)
    transfer.byteCount += byteCount
    // The file may have grown since its row was made; its old size is then no total.
    transfer.total = total.flatMap { $0 >= transfer.byteCount ? $0 : nil }
    var news = News(byteCount: transfer.byteCount)
    news.isDue = transfer.byteCount - transfer.told >= 8 << 20
    if news.isDue { transfer.told = transfer.byteCount }
    news.isVisible = now - transfer.shown >= Self.pace
    if news.isVisible { transfer.shown = now }
    types[type] = transfer
    return news
  }

  mutating func finished(_ type: ContentType) { types[type] = nil }
}
