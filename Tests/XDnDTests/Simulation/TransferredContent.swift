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
    var part: [UInt8] = []
    guard let header = client.read(property, of: window, delete: delete, part: { part += $1 }) else { return }
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
