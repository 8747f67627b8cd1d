import XDnD

/// The INCR transfers from a scripted client to requestors (ICCCM §2.7.2).
struct IncrementalTransfers {
  private struct Transfer {
    var content: ScriptedClient.Content
    var partLength: Int
    var offset = 0
  }

  private var transfers: [WindowProperty: Transfer] = [:]

  var isEmpty: Bool { transfers.isEmpty }

  mutating func begin(_ content: ScriptedClient.Content, partLength: Int, at place: WindowProperty)
    -> ScriptedClient.Content
  {
    transfers[place] = Transfer(content: content, partLength: partLength)
    return ScriptedClient.Content(type: .incr, words: [UInt32(content.bytes.count)])
  }

  /// The part to write after the requestor has deleted the one before; `nil` if there is no transfer.
  mutating func nextPart(at place: WindowProperty) -> ScriptedClient.Content? {
    guard var transfer = transfers[place] else { return nil }
    let end = min(transfer.content.bytes.count, transfer.offset + transfer.partLength)
    var part = transfer.content
    part.bytes = Array(transfer.content.bytes[transfer.offset..<end])
    transfer.offset = end
    // The empty part ends the transfer.
    transfers[place] = part.bytes.isEmpty ? nil : transfer
    return part
  }

  mutating func forget(_ window: WindowID) { transfers = transfers.filter { $0.key.window != window } }

  mutating func removeAll() { transfers = [:] }
}
