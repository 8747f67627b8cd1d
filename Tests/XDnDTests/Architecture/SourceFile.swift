import Foundation

/// One file of the package, as text.
///
/// Everything that the tests ask about is found once, when the file is read, and byte by byte: a regular expression for
/// each line of the library took half a minute of both cores, in which no other test came to run.
struct SourceFile: Sendable {
  /// Below the folder that was asked for.
  private(set) var path: String
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

  /// All files below a folder of `Sources`.
  static func all(in folder: String) -> [SourceFile] {
    everything.compactMap { file in
      guard file.path.hasPrefix("\(folder)/") else { return nil }
      var file = file
      file.path.removeFirst(folder.count + 1)
      return file
    }
  }

  /// Read once for all tests.
  private static let everything: [SourceFile] = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let paths = FileManager.default.enumerator(atPath: package.appending(path: "Sources").path)
    return (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
      let path = "Sources/\(name)"
      guard let text = try? String(contentsOf: package.appending(path: path), encoding: .utf8) else { return nil }
      return SourceFile(path: path, text: text)
    }
  }()
}
