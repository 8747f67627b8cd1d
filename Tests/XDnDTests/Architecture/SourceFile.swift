import Foundation

/// One file of the package, as text.
///
/// Everything that the tests ask about is found once, when the file is read, and byte by byte: a regular expression for
/// each line of the library took half a minute of both cores, in which no other test came to run.
struct SourceFile: Sendable {
  /// Below the folder that was asked for.
  let path: String
  let lines: [String]
  /// The code alone: comments and the contents of string literals are left out.
  let code: [CodeLine]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = lines.map(CodeLine.init)
  }

  var room: String { String(path.prefix { $0 != "/" }) }
  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The modules that it imports.
  var imports: [String] { code.compactMap(\.importedModule) }

  /// Everything in its code that can name a type at the outermost level.
  var capitalizedWords: Set<String> {
    code.reduce(into: []) { words, line in
      words.formUnion(line.words.filter { CodeLine.isCapitalized($0) })
    }
  }

  /// The types that it declares for others: at its outermost level, or within other types.
  func types(nested: Bool) -> [String] {
    code.filter { $0.isIndented == nested }.compactMap(\.declaredType)
  }

  /// The files of the library.
  static let library: [SourceFile] = all(in: "Sources/XDnD")

  /// All files below a folder of the package.
  static func all(in folder: String) -> [SourceFile] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let root = package.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else { return nil }
      return SourceFile(path: path, text: text)
    }
  }
}
