import XDnD

/// What a target has been given of a drag so far.
struct Transfers {
  private var types: [ContentType: Transfer] = [:]

  private struct Transfer {
    var byteCount = 0
    var total: Int?
    /// When people were last told, or when it began.
    var shown: ContinuousClock.Instant
    /// The last number of bytes that programs were told.
    var told = 0
  }

  /// How much of what is on its way is there, from 0 to 1; `nil` if that cannot be said.
  var fraction: Double? {
    guard let transfer = types.first?.value, types.count == 1, let total = transfer.total, total > 0 else { return nil }
    return min(1, Double(transfer.byteCount) / Double(total))
  }

  /// What to do about news of a transfer.
  struct News: Equatable {
    /// How many bytes are there by now.
    var byteCount: Int
    /// Whether people want to see how far it is: of what takes long, several times a second.
    var isVisible = false
    /// Whether programs are to be told: every 8 MiB.
    var isDue = false
  }

  private static let pace = Duration.milliseconds(100)
  /// What is over by then is nothing to watch.
  private static let patience = Duration.milliseconds(300)

  /// More of a representation is there.
  ///
  /// - Parameter total: How many bytes it has, if that is known.
  mutating func sent(
    _ byteCount: Int, of type: ContentType, total: Int?, at now: ContinuousClock.Instant = .now
  ) -> News {
    var transfer = types[type] ?? Transfer(shown: now + Self.patience - Self.pace)
    transfer.byteCount += byteCount
    // What the file was when the row was made need not be what it is.
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
