import TestSupport
import Testing

@testable import XDnD
@testable import xdnd_probe

/// What `xdnd-probe --save` makes of links.
@Suite("Files of dropped links")
struct LinkFilesTests {
  private func urls(_ count: Int) -> [String] { (1...count).map { "https://example.org/\($0)" } }

  /// The files for links as Mozilla drags them: each with its title in the next line.
  private func files(_ urls: [String]) -> [Clipping] {
    let lines = urls.flatMap { [$0, "Title"] }.joined(separator: "\n")
    return Clipping.all(of: LoadedContent(type: .mozURL, bytes: Sample.utf16(lines)), as: .desktop)
  }

  @Test func `a hundred links are as many files, and more are one text`() {
    #expect(files(urls(100)).count == 100)
    let more = urls(101)
    let texts = files(more)
    #expect(texts.map(\.type) == [.plainText])
    let lines = more.map { $0 + "\n" }.joined(separator: "")
    #expect(texts.map { String(decoding: $0.bytes, as: UTF8.self) } == [lines])
  }
}
