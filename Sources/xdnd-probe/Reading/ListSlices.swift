import XDnDToolSupport
import XDnD

/// Decodes a `text/uri-list` in slices.
///
/// A source may drop a million entries, which would take seconds to decode at once. Entries beyond ``mostEntries`` are
/// ignored.
struct ListSlices {
  /// The maximum number of entries read from one list.
  static let mostEntries = 100_000
  /// The number of bytes decoded at once; takes a fraction of a millisecond.
  private static let sliceLength = 8 << 10

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0
  /// Whether the list has more entries than are read.
  private(set) var isCut = false

  /// The maximum size of a list in another charset, which is converted at once, in bytes.
  private static let convertibleLength = 1 << 20

  /// Returns `nil` if the list cannot be decoded.
  ///
  /// - Parameter type: The type of the list, which may have a charset parameter.
  init?(_ bytes: [UInt8], as type: ContentType) {
    if type.parameter("charset").map({ ["utf-8", "us-ascii"].contains($0) }) ?? true {
      self.bytes = bytes
    } else {
      guard bytes.count <= Self.convertibleLength, let list = try? FileList(decoding: bytes, as: type) else {
        return nil
      }
      self.bytes = Array(list.uris.joined(separator: "\n").utf8)
    }
  }

  /// Returns the next entries, possibly none; `nil` at the end of the list or at the limit.
  mutating func next() -> [String]? {
    guard position < bytes.count, !isCut else { return nil }
    var end = min(position + Self.sliceLength, bytes.count)
    while end < bytes.count, !Self.endsLine(bytes[end]) { end += 1 }
    let uris = FileList(decoding: Array(bytes[position..<end])).uris
    position = end
    let taken = uris.prefix(Self.mostEntries - count)
    count += taken.count
    isCut = taken.count < uris.count
    return Array(taken)
  }

  /// Whether the byte ends a line for ``FileList/init(decoding:)``.
  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }
}

extension ListSlices {
  /// The message for a list with more entries than are read.
  static let cutSentence = "the list has more than \(mostEntries) entries; the rest was ignored"

  /// Reads the list in slices between events.
  ///
  /// - Parameters:
  ///   - take: Receives some entries; returns whether to continue.
  ///   - completion: Called at the end, with whether the list was cut off; for a short list before this returns.
  func read(
    on loop: EventLoop, _ take: @escaping ([String]) -> Bool,
    completion: @escaping (_ isCut: Bool) -> Void
  ) {
    var slices = self
    loop.work {
      guard let uris = slices.next() else {
        completion(slices.isCut)
        return false
      }
      return take(uris)
    }
  }
}
