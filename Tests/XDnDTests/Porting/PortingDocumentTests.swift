import Foundation
import TestSupport
import Testing

@Suite("docs/porting.md", .computing)
struct PortingDocumentTests {
  @Test func `it has each program as it is compiled here`() throws {
    let page = BuiltProducts.package.appendingPathComponent("docs/porting.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let folder = BuiltProducts.package.appendingPathComponent("Tests/PortingPrograms/Native")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.count == 6)
    for name in files {
      let program = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(text.contains("```swift\n\(program)```\n"), "\(name)")
    }
  }
}
