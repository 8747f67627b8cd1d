import Foundation
import TestSupport
import Testing

/// The tables of `docs/guidelines.md`.
@Suite("docs/guidelines.md", .computing)
struct GuidelinesDocumentTests {
  /// The cells of a row: its name, the guideline, what one does, what one sees, and what shows it.
  private let rows: [[String]]
  /// The pictures that the page has or links to, relative to it.
  private let pictures: Set<String>

  private static let docs = BuiltProducts.package.appendingPathComponent("docs")

  init() throws {
    let text = try String(contentsOf: Self.docs.appendingPathComponent("guidelines.md"), encoding: .utf8)
    rows = text.split(separator: "\n").filter { $0.prefixMatch(of: /\| G\d+ \|/) != nil }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    pictures = Set(text.matches(of: /\]\((images\/[^)]+)\)/).map { String($0.1) })
  }

  @Test func `each guideline has its row, in order and with all cells`() {
    #expect(rows.compactMap(\.first) == (1...37).map { "G\($0)" })
    for row in rows { #expect(row.count == 5 && row.allSatisfy { !$0.isEmpty }, "\(row.first ?? "")") }
  }

  @Test func `each row is shown by a picture or by a test`() throws {
    for row in rows {
      let evidence = try #require(row.last)
      let tests = NamedTest.all(in: evidence)
      #expect(!tests.isEmpty || evidence.contains("](images/"), "\(row[0])")
      // Nothing that is named escapes the next test.
      #expect(tests.count == evidence.count { $0 == "`" } / 2, "\(row[0])")
    }
  }

  @Test func `each test that is named is in its file`() throws {
    let tests = rows.flatMap { row in NamedTest.all(in: row[4]) }
    let sentences = try NamedTest.sentences(in: Set(tests.map(\.file)))
    for test in tests { #expect(sentences[test.file]?.contains(test.sentence) == true, "\(test)") }
  }

  @Test func `each picture exists`() {
    #expect(!pictures.isEmpty)
    for picture in pictures {
      #expect(FileManager.default.fileExists(atPath: Self.docs.appendingPathComponent(picture).path), "\(picture)")
    }
  }
}
