import XDnDConformance
import Foundation
import TestSupport
import Testing

@Suite("docs/conformance.md")
struct ConformanceDocumentTests {
  private static func lines() throws -> [Substring] {
    let file = BuiltProducts.package.appendingPathComponent("docs/conformance.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
  }

  @Test func `it has each rule, in the words of the tool`() throws {
    let rows = try Self.lines().filter { $0.wholeMatch(of: /\| `[a-z-]+` \| .* \| .* \|/) != nil && $0.contains(". |") }
    let expected = ConformanceRule.all.map {
      "| `\($0.id)` | \($0.sentence) | \($0.origin)\($0.isAdvice ? ", advice" : "") |"
    }
    #expect(rows.map(String.init) == expected)
  }

  @Test func `it says of each program that a rule names what the program does, and how that is known`() throws {
    let rows = try Self.lines().compactMap {
      $0.wholeMatch(of: /\| `([a-z-]+)` \| (.+) \| .+ \| (measured|read|reported).* \|/)
    }
    let expected = ConformanceRule.all.flatMap { rule in rule.peers.map { "\(rule.id): \($0)" } }
    #expect(rows.map { "\($0.1): \($0.2)" } == expected)
  }
}
