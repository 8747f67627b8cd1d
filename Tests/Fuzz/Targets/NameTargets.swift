@testable import XDnD

extension FuzzTarget {
  static let names = [
    FuzzTarget("file-names", longest: 1 << 13, run: readFileNames),
    FuzzTarget("promised-names", run: readPromisedNames),
  ]

  /// A name is one component of a path, visible, short, and does not command a terminal.
  static func expectName(_ name: String) {
    let isSafe = name.unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      return scalar != "/" && properties.generalCategory != .control && !properties.isBidiControl
    }
    expect(
      isSafe && !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= FileName.byteLimit,
      "the name \(name.debugDescription)")
    expect(FileName.sanitized(Array(name.utf8)) == name, "\(name.debugDescription) is no safe name")
  }

  private static let clippingTypes: [ContentType] = [
    .png, .html, .plainText, "FOO_BAR", .data, "image/*", "a/b", "UTF8_STRING", "", "/", "application/x-compressed-tar",
  ]

  /// Any suggestion is made a name, or none; numbers make different names.
  private static func readFileNames(_ input: Input) {
    let (choice, bytes) = input.split
    if let name = FileName.sanitized(bytes) {
      expectName(input.planted(name, in: Array(name.utf8)) { $0 + "\u{202E}" })
      var seen: Set<[UInt8]> = []
      for number in [1, 2, 3, 12, 22, 1002] {
        let numbered = FileName.numbered(name, number)
        expectName(numbered)
        expect(seen.insert(Array(numbered.utf8)).inserted, "\(name.debugDescription): \(number) gives the same name")
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let type = clippingTypes[choice % clippingTypes.count]
    expectName(Clipping.name(for: type, suggestedName: text, fallbackName: "x", database: .builtIn))
    expectName(Clipping.name(for: type, suggestedName: nil, fallbackName: text, database: .builtIn))
    expectName(Clipping(text: text, fallbackName: text).name)
  }

  private static let nameTypes: [ContentType] = [
    "text/plain", "text/plain;charset=utf-8", "text/plain;charset=utf-16", "text/plain;charset=iso-8859-1", "STRING",
    "UTF8_STRING", "COMPOUND_TEXT", "text/html",
  ]

  private static func readPromisedNames(_ input: Input) {
    let (choice, bytes) = input.split
    let type = nameTypes[choice % nameTypes.count]
    guard let name = PromisedName.fileName(bytes, as: type) else { return }
    expectName(input.planted(name, in: Array(name.utf8)) { "." + $0 })
  }
}
