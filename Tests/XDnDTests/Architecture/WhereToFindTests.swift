import Foundation
import TestSupport
import Testing

/// The table "Where to find" of `docs/architecture.md`.
@Suite("Where to find", .computing)
struct WhereToFindTests {
  /// A row's cells: what is looked for, where it is, and its tests.
  private let rows: [[Substring]]

  init() throws {
    let page = BuiltProducts.package.appendingPathComponent("docs/architecture.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != "## Where to find" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    // The first two are the heading and the line below it.
    rows = section.filter { $0.hasPrefix("|") }.dropFirst(2).map { $0.split(separator: "|") }
  }

  @Test func `each row names what there is, in the file where it is`() throws {
    #expect(rows.count >= 8)
    let files = Dictionary(uniqueKeysWithValues: SourceFile.all(in: "Sources").map { ($0.path, $0) })
    for row in rows {
      try #require(row.count == 3, "\(row)")
      let places = row[1].matches(of: /`(\w+\.\w+)` in `([\w\/+]+\.swift)`/)
      // Nothing that is named escapes the test.
      #expect(places.count * 2 == row[1].matches(of: /`[^`]+`/).count, "\(row[0])")
      for place in places {
        let file = try #require(files[String(place.2)], "\(place.2)")
        #expect(file.functions.union(file.staticProperties).contains(String(place.1)), "\(place.0)")
      }
    }
  }

  @Test func `each row names tests that there are`() {
    let names = FileManager.default.enumerator(atPath: BuiltProducts.package.appendingPathComponent("Tests").path)
    let tests = Set((names?.compactMap { $0 as? String } ?? []).map { URL(fileURLWithPath: $0).lastPathComponent })
    for row in rows {
      let suites = row[2].matches(of: /`(\w+)`/).map { "\($0.1).swift" }
      #expect(!suites.isEmpty && tests.isSuperset(of: suites), "\(row[0])")
    }
  }
}
