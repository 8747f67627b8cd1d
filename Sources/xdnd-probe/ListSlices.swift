import ToolSupport
import XDnD

/// The entries of a `text/uri-list`, some at a time.
///
/// A source may drop a million of them, and to decode so many takes seconds. Beyond ``mostEntries`` nothing is read.
struct ListSlices {
  /// How many entries of one list are read.
  static let mostEntries = 100_000
  /// How much of the list is decoded at once, in bytes: a fraction of a millisecond.
  private static let sliceLength = 8 << 10

  private let bytes: [UInt8]
  private var position = 0
  private var count = 0
  /// Whether there is more than is read.
  private(set) var isCut = false

  /// The most bytes of a list in another charset, which is converted at once.
  private static let convertibleLength = 1 << 20

  /// - Parameter type: Of a list of files; it may name a charset.
  /// - Returns: `nil` if the list cannot be read.
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

  /// The next entries, maybe none; `nil` at the end of the list, or of what is read of it.
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

  /// As ``FileList/init(decoding:)`` reads it.
  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }
}

extension ListSlices {
  /// What is said where a list goes on.
  static let cutSentence = "the list has more than \(mostEntries) entries, and the rest is not read"

  /// Reads the list between other things.
  ///
  /// - Parameters:
  ///   - take: Is given the entries, some at a time; answers whether to go on.
  ///   - completion: Called at the end, with whether there is more than was read; for a short list before this returns.
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
