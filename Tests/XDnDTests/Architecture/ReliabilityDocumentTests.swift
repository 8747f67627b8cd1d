import Foundation
import TestSupport
import Testing

/// The tests and limits that `docs/reliability.md` names, and the promises of `SECURITY.md`.
@Suite("docs/reliability.md", .computing)
struct ReliabilityDocumentTests {
  private let text: String

  init() throws {
    text = try Self.read("docs/reliability.md")
  }

  private static func read(_ path: String) throws -> String {
    try String(contentsOf: BuiltProducts.package.appendingPathComponent(path), encoding: .utf8)
  }

  /// The cells of the rows of a section's table, without its heading.
  private func rows(of section: String) -> [[String]] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let own = lines.drop { $0 != "## \(section)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    return own.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
      line.dropFirst().dropLast().components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test func `each test that is named exists once`() throws {
    let tests = NamedTest.all(in: text)
    #expect(!tests.isEmpty)
    let sentences = try NamedTest.sentences(in: Set(tests.map(\.file)))
    for test in Set(tests) {
      let count = sentences[test.file, default: []].count { $0 == test.sentence }
      #expect(count == 1, "\(test)")
    }
  }

  @Test(arguments: ["What users suffer from", "What holds against any peer"])
  func `each row names a test`(section: String) throws {
    let rows = rows(of: section)
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(row.allSatisfy { !$0.isEmpty }, "\(row[0])")
      let cell = try #require(row.last)
      let tests = NamedTest.all(in: cell)
      #expect(!tests.isEmpty, "\(row[0])")
      // Nothing that is named escapes the first test.
      #expect(tests.count == cell.count { $0 == "`" } / 2, "\(row[0])")
      #expect(Set(tests).count == tests.count, "\(row[0])")
    }
  }

  @Test func `each promise of the threat model has its row`() throws {
    let lines = try Self.read("SECURITY.md").components(separatedBy: "\n")
    let list = lines.drop { !$0.hasPrefix("What holds against any peer") }
    let promises = list.prefix { !$0.hasPrefix("What does not hold") }.compactMap { line in
      line.prefixMatch(of: /\- \*\*(.+?)\*\*/).map { String($0.1) }
    }
    #expect(!promises.isEmpty)
    #expect(rows(of: "What holds against any peer").map { $0[0] } == promises)
  }

  @Test func `each limit is declared where the table says`() throws {
    let rows = rows(of: "Limits")
    #expect(!rows.isEmpty)
    let files = SourceFile.all(in: "Sources").map { file in
      (
        types: Self.names(after: ["struct", "class", "enum", "extension"], in: file),
        members: Self.names(after: ["let", "var", "func"], in: file)
      )
    }
    for row in rows {
      try #require(row.count == 5 && row.allSatisfy { !$0.isEmpty }, "\(row)")
      let members = row[2].matches(of: /`(?:\w+\.)*(\w+)\.(\w+)`/).map { (type: String($0.1), member: String($0.2)) }
      #expect(!members.isEmpty && members.count == row[2].count { $0 == "`" } / 2, "\(row[0])")
      for (type, member) in members {
        let isDeclared = files.contains { $0.types.contains(type) && $0.members.contains(member) }
        #expect(isDeclared, "\(type).\(member)")
      }
    }
  }

  /// The words that follow one of the keywords.
  private static func names(after keywords: Set<String>, in file: SourceFile) -> Set<String> {
    var names: Set<String> = []
    for line in file.code {
      for (keyword, name) in zip(line.words, line.words.dropFirst()) where keywords.contains(keyword) {
        names.insert(name)
      }
    }
    return names
  }
}
