import Foundation

/// One file of the library, as text.
struct SourceFile {
  /// Below `Sources/XDnD`.
  let path: String
  let lines: [String]

  var room: String { String(path.prefix { $0 != "/" }) }
  var name: String { String(path.split(separator: "/").last ?? "") }

  var imports: [String] {
    lines.compactMap { line in
      guard
        let match = line.firstMatch(
          of:
            /^\s*(?:(?:@\w+|public|internal|package|private|fileprivate)\s+)*import\s+(?:(?:struct|class|enum|protocol|func|typealias|var|let)\s+)?(\w+)/
        )
      else { return nil }
      return String(match.1)
    }
  }

  /// The code alone: comments and the contents of string literals are left out.
  var code: String {
    lines.map { line in
      line.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"").replacing(/\/\/.*$/, with: "")
    }.joined(separator: "\n")
  }

  static let library: [SourceFile] = all(in: "Sources/XDnD")

  /// All files below a folder of the package.
  static func all(in folder: String) -> [SourceFile] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let root = package.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { return nil }
      return SourceFile(
        path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
  }
}
