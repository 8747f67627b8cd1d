import Foundation

/// What the interop tests drag.
enum PeerContent: String, CaseIterable, Sendable {
  case text, files, image, blob

  /// Text with letters of two, three and four bytes.
  static let words = "Grüße, мир, 世界 👋\nsecond line"

  /// What a test compares: the files as they lie on the disk, and what the other side must report about the data.
  struct Made: Sendable {
    /// The arguments of a source in `Tests/Peers` that offers this.
    let arguments: [String]
    /// The type a target is told to accept.
    let type: String
    /// The dragged bytes; `nil` for files, of which only the names travel.
    let bytes: [UInt8]?
    /// The dragged files, in order.
    let paths: [String]
  }

  /// Writes the files this content needs into `directory`.
  func make(in directory: TemporaryDirectory) throws -> Made {
    switch self {
    case .text:
      return Made(
        arguments: ["--text", Self.words], type: "text/plain;charset=utf-8", bytes: Array(Self.words.utf8), paths: [])
    case .files:
      let paths = [
        try directory.write("one".utf8, to: "with a space.txt"),
        try directory.write("two".utf8, to: "с пробелом и кириллицей.txt"),
      ]
      return Made(arguments: ["--uris"] + paths, type: "text/uri-list", bytes: nil, paths: paths)
    case .image:
      let image = PNG.encode(width: 64, height: 48, rgb: Self.noise(64 * 48 * 3))
      let path = try directory.write(image, to: "image.png")
      return Made(arguments: ["--png", path], type: "image/png", bytes: image, paths: [])
    case .blob:
      let blob = Self.noise(8 * 1_048_576)
      let path = try directory.write(blob, to: "blob.bin")
      let type = "application/x-xdnd-blob"
      return Made(arguments: ["--blob", type, path], type: type, bytes: blob, paths: [])
    }
  }

  /// Bytes without a pattern that a lost or doubled chunk could hide in, the same in every run.
  static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        buffer[index] = UInt8(truncatingIfNeeded: state)
      }
      initialized = count
    }
  }
}
