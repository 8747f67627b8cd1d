/// One visit of a drag to a window of ours, from `XdndEnter` to the end of what it led to.
struct SessionID: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  static func < (left: SessionID, right: SessionID) -> Bool { left.rawValue < right.rawValue }
}

/// One transfer of one representation, in or out.
struct TransferID: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  static func < (left: TransferID, right: TransferID) -> Bool { left.rawValue < right.rawValue }
}
