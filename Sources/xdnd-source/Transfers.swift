import XDnD

/// What a target has been given of a drag so far.
struct Transfers {
  /// Whether the content was dropped, and the target has not said yet what came of it.
  var isDropped = false
  private var types: [ContentType: Transfer] = [:]

  private struct Transfer {
    var byteCount: Int
    var total: Int?
    let start: ContinuousClock.Instant
    /// The last number of bytes that programs were told.
    var told = 0
  }

  /// Whether something is on its way.
  var isUnderWay: Bool { !types.isEmpty }

  /// How much of what is on its way is there, from 0 to 1; `nil` if that cannot be said.
  var fraction: Double? {
    guard let transfer = types.first?.value, types.count == 1, let total = transfer.total, total > 0 else { return nil }
    return min(1, Double(transfer.byteCount) / Double(total))
  }

  /// What to do about news of a transfer.
  struct News: Equatable {
    /// Whether it takes so long that people want to see how far it is.
    var isLong = false
    /// Whether programs are to be told: every 8 MiB.
    var isDue = false
  }

  /// - Parameter byteCount: How many bytes are there of it.
  mutating func sent(
    _ byteCount: Int, of type: ContentType, total: Int?, at now: ContinuousClock.Instant = .now
  ) -> News {
    var transfer = types[type] ?? Transfer(byteCount: 0, start: now)
    transfer.byteCount = byteCount
    // What the file was when the row was made need not be what it is.
    transfer.total = total.flatMap { $0 >= byteCount ? $0 : nil }
    let isDue = byteCount - transfer.told >= 8 << 20
    if isDue { transfer.told = byteCount }
    types[type] = transfer
    return News(isLong: now - transfer.start > .milliseconds(300), isDue: isDue)
  }

  mutating func finished(_ type: ContentType) { types[type] = nil }
}
