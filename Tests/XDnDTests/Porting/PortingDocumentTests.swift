import Foundation
import TestSupport
import Testing

@Suite("docs/porting.md", .computing)
struct PortingDocumentTests {
  private let page: String

  init() throws {
    let file = BuiltProducts.package.appendingPathComponent("docs/porting.md")
    page = try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `there are programs of both forms`() throws {
    #expect(try PortedProgram.all(.literal).count == 4)
    #expect(try PortedProgram.all(.native).count == 6)
  }

  @Test(arguments: PortedProgram.Form.allCases)
  func `it has each port, as in its file, and a link to the original`(_ form: PortedProgram.Form) throws {
    for program in try PortedProgram.all(form) { #expect(page.contains(program.listing(form)), "\(program.name)") }
  }

  @Test(arguments: PortedProgram.Form.allCases)
  func `it tells how many lines of each program are changed`(_ form: PortedProgram.Form) throws {
    for program in try PortedProgram.all(form) { #expect(page.contains("\n\(program.row)\n"), "\(program.row)") }
  }

  @Test func `the lines that a literal port removes and adds are at most a tenth of the original`() throws {
    for program in try PortedProgram.all(.literal) {
      let (original, removed, added) = program.counts
      #expect((removed + added) * 10 <= original, "\(program.row)")
    }
  }

  @Test func `it has the file of Apple's names that a port copies`() throws {
    let file = BuiltProducts.package.appendingPathComponent("Tests/PortingPrograms/AppleNames.swift")
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(page.contains("(../Tests/PortingPrograms/AppleNames.swift)"))
  }

  @Test func `removed and added lines are counted, blank lines, imports and the view are not`() {
    let original = "import A\n\na {\n  b\n}\nc\nd\n\n// MARK: The view\n\nx\n"
    let port = "import B\nimport C\na {\n  e\n}\n\nd\nf\ng\n// MARK: The view\ny\nz\n"
    let program = PortedProgram(name: "a", original: original, port: port)
    let counts = program.counts
    #expect(counts.original == 5)
    #expect(counts.removed == 2)
    #expect(counts.added == 3)
    #expect(
      program.listing(.literal).contains("```diff\n-  b\n+  e\n-c\n+f\n+g\n```\n\n```swift\n// MARK: The view\ny\n"))
  }
}
