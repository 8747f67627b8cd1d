import Foundation

/// One file of the package: its code, and what it declares.
///
/// Everything that the tests ask about is found once, when the file is read, and byte by byte: a regular expression for
/// each line of the library took half a minute of both cores, in which no other test came to run.
struct SourceFile: Sendable {
  /// Below the folder that was asked for.
  private(set) var path: String
  /// The code line by line: comments and the contents of string literals are left out.
  let code: [CodeLine]
  /// The modules that it imports.
  let imports: [String]
  /// Everything in its code that can name a type at the outermost level.
  let capitalizedWords: Set<String>
  /// The types of its extensions.
  let extendedTypes: Set<String>
  /// Its functions, as `Type.function`, in the type at the outermost level or an extension of it.
  let functions: Set<String>
  /// Its static properties, as `Type.property`.
  let staticProperties: Set<String>

  private let bytes: [UInt8]
  private let outerTypes: Set<String>
  private let nestedTypes: Set<String>

  init(path: String, _ source: [UInt8]) {
    self.path = path
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var code: [CodeLine] = []
    let newline = UInt8(ascii: "\n")
    var start = 0
    while start <= source.count {
      var end = start
      while end < source.count, source[end] != newline { end += 1 }
      code.append(CodeLine(source, start..<end, code: &bytes))
      bytes.append(newline)
      start = end + 1
    }
    self.bytes = bytes
    self.code = code
    imports = code.compactMap(\.importedModule)

    var capitalizedWords: Set<String> = []
    var outerTypes: Set<String> = []
    var nestedTypes: Set<String> = []
    var extendedTypes: Set<String> = []
    var functions: Set<String> = []
    var staticProperties: Set<String> = []
    var type: String?
    for line in code where !line.words.isEmpty {
      let declaredType = line.declaredType
      if let declaredType {
        if line.isIndented { nestedTypes.insert(declaredType) } else { outerTypes.insert(declaredType) }
      }
      if let extended = line.extendedType { extendedTypes.insert(extended) }
      if !line.isIndented { type = declaredType ?? line.extendedType ?? type }
      var (last, secondToLast) = ("", "")
      for word in line.words {
        if CodeLine.isCapitalized(word) { capitalizedWords.insert(word) }
        if let type {
          if word == "init" || last == "func" { functions.insert("\(type).\(word)") }
          if secondToLast == "static", last == "let" || last == "var" { staticProperties.insert("\(type).\(word)") }
        }
        (last, secondToLast) = (word, last)
      }
    }
    self.capitalizedWords = capitalizedWords
    self.extendedTypes = extendedTypes
    self.functions = functions
    self.staticProperties = staticProperties
    self.outerTypes = outerTypes
    self.nestedTypes = nestedTypes
  }

  var room: String { String(path.prefix { $0 != "/" }) }
  var name: String { String(path.split(separator: "/").last ?? "") }

  /// Its code as text, without comments and without the contents of string literals.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The types that it declares for others: at its outermost level, or within other types.
  func types(nested: Bool) -> Set<String> { nested ? nestedTypes : outerTypes }

  /// The files of the library.
  static let library: [SourceFile] = all(in: "Sources/XDnD")

  /// All files below a folder, which is `Sources` or in it.
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
      guard let data = try? Data(contentsOf: package.appending(path: path)) else { return nil }
      return SourceFile(path: path, [UInt8](data))
    }
  }()
}
