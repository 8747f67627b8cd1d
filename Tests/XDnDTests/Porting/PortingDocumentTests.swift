import Foundation
import TestSupport
import Testing

@Suite("docs/porting.md", .computing)
struct PortingDocumentTests {
  @Test func `it has each program as it is compiled here`() throws {
    let page = BuiltProducts.package.appendingPathComponent("docs/porting.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let folder = BuiltProducts.package.appendingPathComponent("Tests/XDnDTests/Porting")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let programs = files.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("Tests.swift") }
    #expect(programs.count == 6)
    for name in programs {
      let program = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(text.contains("```swift\n\(program)```\n"), "\(name)")
    }
  }
}
