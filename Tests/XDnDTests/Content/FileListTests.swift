import Testing

@testable import XDnD

@Suite("Lists of files")
struct FileListTests {
  @Test func `paths are bytes, and come back as they went`() {
    let paths: [[UInt8]] = [Array("/a b/Ж".utf8), [0x2F, 0xFF, 0x25, 0x0A]]
    let list = FileList(rawPaths: paths)
    #expect(list.uris == ["file:///a%20b/%D0%96", "file:///%FF%25%0A"])
    #expect(FileList(decoding: list.encoded).uris.map { FileList.rawLocalPath(of: $0) } == paths)
    #expect(list.uris.map { FileList.localPath(of: $0) } == ["/a b/Ж", "/\u{FFFD}%\n"])
  }
}
