@testable import XDnD
@testable import XDnDTesting

/// Content that a scripted peer reads from a property of its window, at once or by INCR.
struct TransferredContent {
  private(set) var bytes: [UInt8] = []
  private(set) var headers: [PropertyHeader] = []
  /// The lower bound of the length, if it comes by INCR.
  private(set) var announced: UInt32?
  private(set) var isComplete = false

  /// Reads the property after a `SelectionNotify`, or after a change that ``awaitsPart``.
  ///
  /// - Parameter delete: Whether the owner may write the next part.
  mutating func take(_ property: AtomName, of window: WindowID, by client: FakeClient, delete: Bool = true) {
    guard let (header, part) = client.read(property, of: window, delete: delete) else { return }
    if header.type == .incr {
      announced = part.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      return
    }
    headers.append(header)
    bytes += part
    isComplete = announced == nil || part.isEmpty
  }

  /// The bytes; `nil` if none were read.
  var value: [UInt8]? { headers.isEmpty ? nil : bytes }

  /// Whether INCR has begun and not ended.
  var awaitsPart: Bool { announced != nil && !isComplete }
}

extension FakeClient {
  /// Reads a whole property, page by page; `nil` if it does not exist.
  func read(_ property: AtomName, of window: WindowID, delete: Bool) -> (header: PropertyHeader, bytes: [UInt8])? {
    var bytes: [UInt8] = []
    while true {
      // Each page takes a round trip.
      _ = serverTime()
      let page = server.readPage(of: property, window, from: bytes.count, delete: delete, for: self) { bytes += $1 }
      guard let page else { return nil }
      if page.left == 0 { return (page.header, bytes) }
    }
  }
}
