import TestSupport
import Testing
import XDnD

@testable import xdnd_probe

/// How the probe reads a list that may have any length.
@Suite("Lists in slices")
struct ListSlicesTests {
  /// All entries of a list, and the most that came at once.
  private func entries(
    of bytes: [UInt8], as type: ContentType = .uriList
  ) throws -> (uris: [String], greatestSlice: Int, isCut: Bool) {
    var slices = try #require(ListSlices(bytes, as: type))
    var (uris, greatest): ([String], Int) = ([], 0)
    while let part = slices.next() {
      uris += part
      greatest = max(greatest, part.count)
    }
    return (uris, greatest, slices.isCut)
  }

  @Test func `the entries are those of the whole list, whatever is in it`() throws {
    let long = "file:///" + String(repeating: "long", count: 10_000)
    let lines = ["\u{FEFF}file:///a b", "", "# comment", "-rf", long, "file:///\0https://example.org/", "\tx \n\r\n"]
    for end in ["\r\n", "\n", "\r", "\0"] {
      let bytes = Array(String(repeating: lines.joined(separator: end) + end, count: 20).utf8) + [0xFF]
      let read = try entries(of: bytes)
      // A byte order mark in the middle of a list is a mistake, and may be taken as one or the other.
      func plain(_ uris: [String]) -> [String] {
        uris.map { $0.unicodeScalars.first == "\u{FEFF}" ? String($0.unicodeScalars.dropFirst()) : $0 }
      }
      #expect(plain(read.uris) == plain(FileList(decoding: bytes).uris))
      #expect(!read.isCut)
    }
  }

  @Test(.exhaustive) func `slices are short, and nothing is read beyond the limit`() throws {
    let entry = Array("file:///x\r\n".utf8)
    func list(_ count: Int) -> [UInt8] { Array(repeatElement(entry, count: count).joined()) }
    let whole = try entries(of: list(ListSlices.mostEntries))
    #expect(whole.uris.count == ListSlices.mostEntries && !whole.isCut)
    #expect(whole.greatestSlice < 1000)
    let longer = try entries(of: list(ListSlices.mostEntries + 1))
    #expect(longer.uris.count == ListSlices.mostEntries && longer.isCut)
  }

  @Test func `a list in another charset is converted, and refused if that would take long`() throws {
    let type: ContentType = "text/uri-list;charset=utf-16le"
    func encoded(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
    #expect(try entries(of: encoded("file:///x\r\nfile:///y\r\n"), as: type).uris == ["file:///x", "file:///y"])
    let isRead = ListSlices(encoded(String(repeating: "file:///x\r\n", count: 100_000)), as: type) != nil
    #expect(!isRead)
  }
}
