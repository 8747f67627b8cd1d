/// The identity of one drag's visit to a registered window, from `XdndEnter` until Leave or the end of the drop.
struct SessionID: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  static func < (left: SessionID, right: SessionID) -> Bool { left.rawValue < right.rawValue }
}

/// The identity of one transfer, incoming or outgoing, or of one direct save.
struct TransferID: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  static func < (left: TransferID, right: TransferID) -> Bool { left.rawValue < right.rawValue }
}
