import Testing

@testable import XDnDToolWindow

@Suite struct ChecksumTests {
  private func digest(of string: String) -> String {
    var checksum = SHA256()
    Array(string.utf8).withUnsafeBytes { checksum.update($0) }
    return checksum.hexDigest
  }

  @Test func `the checksums are those that the standard gives as examples`() {
    #expect(digest(of: "") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(digest(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      digest(of: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test func `how the bytes are divided makes no difference`() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var whole = SHA256()
    bytes.withUnsafeBytes { whole.update($0) }
    var parts = SHA256()
    bytes.withUnsafeBytes { all in
      var start = 0
      var length = 0
      while start < all.count {
        let end = min(all.count, start + length)
        parts.update(UnsafeRawBufferPointer(rebasing: all[start..<end]))
        start = end
        length += 13
      }
    }
    #expect(parts.hexDigest == whole.hexDigest)
  }

  @Test func `reading the checksum does not end it`() {
    var checksum = SHA256()
    Array("a".utf8).withUnsafeBytes { checksum.update($0) }
    #expect(checksum.hexDigest == digest(of: "a"))
    Array("bc".utf8).withUnsafeBytes { checksum.update($0) }
    #expect(checksum.hexDigest == digest(of: "abc"))
  }
}
