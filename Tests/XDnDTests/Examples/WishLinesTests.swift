import Foundation
import TestSupport
import Testing

/// The programs of Tests/Consumers/Sources/Wishes, as text.
@Suite("The lines of the wishes")
struct WishLinesTests {
  private static let folder = BuiltProducts.package.appendingPathComponent("Tests/Consumers/Sources/Wishes")
  /// A file, and how many lines its wish may have.
  private static let limits = [
    "Pictures": 4, "MoveByModifier": 2, "OwnPreview": 3, "PasteAsText": 2, "Reorder": 25, "BigPromise": 14,
  ]

  @Test(arguments: limits.keys.sorted())
  func `a wish has no more lines than it may`(_ name: String) throws {
    let limit = try #require(Self.limits[name])
    let source = try String(contentsOf: Self.folder.appendingPathComponent("\(name).swift"), encoding: .utf8)
    let lines = Self.bodies(of: source)
    #expect((1...limit).contains(lines.count), "\(lines.count) lines")
    #expect(!lines.contains { $0.count > 120 || $0.contains(";") })
  }

  @Test func `each file without a limit is the program around the wishes`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let names = Set(files.map { $0.replacing(".swift", with: "") })
    #expect(names.subtracting(Self.limits.keys) == ["main", "HostWindow", "RowList"])
  }

  /// The lines between the braces of the outermost declarations, without blank ones.
  private static func bodies(of source: String) -> [Substring] {
    var isInside = false
    return source.split(separator: "\n").filter { line in
      let isOutermost = line.first.map { $0 != " " } ?? false
      if isOutermost { isInside = line.hasSuffix("{") }
      return isInside && !isOutermost && !line.allSatisfy(\.isWhitespace)
    }
  }
}
