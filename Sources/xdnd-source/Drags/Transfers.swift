import XDnD

/// The progress of the transfers of one drag, for the terminal and for programs.
struct Transfers {
  private var types: [ContentType: Transfer] = [:]

  private struct Transfer {
    var byteCount = 0
    /// When the bar was last updated, or a value that delays its first update.
    var shown: ContinuousClock.Instant
    /// The byte count of the last report to programs.
    var told = 0
  }

  /// The effect of transferred bytes on the terminal and the reports.
  struct News: Equatable {
    var byteCount: Int
    /// Whether the bar on the terminal should be updated: at most ten times a second, and not in the first 0.3 s.
    var isVisible = false
    /// Whether a progress event is due: every 8 MiB.
    var isDue = false
  }

  private static let pace = Duration.milliseconds(100)
  /// Shorter transfers show no progress.
  private static let patience = Duration.milliseconds(300)

  mutating func sent(_ byteCount: Int, of type: ContentType, at now: ContinuousClock.Instant = .now) -> News {
    var transfer = types[type] ?? Transfer(shown: now + Self.patience - Self.pace)
    transfer.byteCount += byteCount
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
