import Foundation
import TestSupport

/// A test as documents name it: its file and, in italics, the sentence of its function.
struct NamedTest: Hashable, CustomStringConvertible {
  let file: String
  let sentence: String

  var description: String { "`\(file)`: *\(sentence)*" }

  /// The tests that a text names, in order.
  static func all(in text: some StringProtocol) -> [NamedTest] {
    String(text).matches(of: /`([\w+]+)`: \*([^*]+)\*/).map { NamedTest(file: String($0.1), sentence: String($0.2)) }
  }

  /// The sentences of all test functions, by the name of their file. Two targets may have a file of one name.
  ///
  /// - Parameter names: The files to read, without their extension.
  static func sentences(in names: Set<String>) throws -> [String: [String]] {
    let tests = BuiltProducts.package.appendingPathComponent("Tests")
    let paths = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
    var sentences: [String: [String]] = [:]
    for path in paths where path.hasSuffix(".swift") {
      let file = tests.appendingPathComponent(path)
      let name = file.deletingPathExtension().lastPathComponent
      guard names.contains(name) else { continue }
      let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "func `").dropFirst()
      sentences[name, default: []] += parts.compactMap { part in
        part.range(of: "`(").map { String(part[..<$0.lowerBound]) }
      }
    }
    return sentences
  }
}
