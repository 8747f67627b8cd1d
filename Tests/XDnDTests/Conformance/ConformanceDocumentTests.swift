import DragConformance
import Foundation
import Testing

@Suite("docs/conformance.md")
struct ConformanceDocumentTests {
  @Test func `it has each rule, in the words of the tool`() throws {
    let file = BuiltProducts.package.appendingPathComponent("docs/conformance.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let rows = lines.filter { $0.wholeMatch(of: /\| `[a-z-]+` \| .* \| .* \|/) != nil && $0.contains(". |") }
    let expected = ConformanceRule.all.map { rule in
      let hazards = rule.hazards.isEmpty ? "" : " (\(rule.hazards.joined(separator: ", ")))"
      return "| `\(rule.id)` | \(rule.sentence) | \(rule.origin)\(rule.isAdvice ? ", advice" : "")\(hazards) |"
    }
    #expect(rows.map(String.init) == expected)
  }
}
