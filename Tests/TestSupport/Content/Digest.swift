import XDnDToolWindow

/// The size and the SHA-256 of data, which is how tools and peers tell what they got.
package struct Digest: Hashable, Sendable {
  package var bytes: Int
  package var sha256: String

  package init(_ data: [UInt8]) {
    var checksum = SHA256()
    data.withUnsafeBytes { checksum.update($0) }
    bytes = data.count
    sha256 = checksum.hexDigest
  }

  /// What `line` says, if it says it.
  package init?(_ line: JSONLine) {
    guard let bytes = line.integer("bytes"), let sha256 = line.string("sha256") else { return nil }
    self.bytes = bytes
    self.sha256 = sha256
  }
}
