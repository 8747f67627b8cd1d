// MARK: Names of files

extension TypeDatabase {
  /// The types that a file may have by its name, the most likely first; empty if nothing is known of such names.
  ///
  /// A name as a whole comes before a pattern, then the weight of the pattern decides, then its length, then whether it
  /// looks at case. Of types that are still alike the more general one comes first, because it cannot be wrong:
  /// `audio/ogg` before `audio/x-vorbis+ogg`. Only the content could tell them apart.
  ///
  /// - Parameter name: The bytes that the file system has; they need not be UTF-8. Whatever is before a last slash does
  ///   not count. Letters beyond ASCII are compared with their case.
  public func types(forFileName name: [UInt8]) -> [ContentType] {
    tables.globs.types(forFileName: name).flatMap { alike in
      // In the real database at most six types have the same pattern.
      guard (2...32).contains(alike.count) else { return alike }
      let counted = alike.enumerated().map { index, type in
        (type: type, index: index, special: alike.count { conforms($0, to: type) })
      }
      return counted.sorted { $0.special == $1.special ? $0.index < $1.index : $0.special > $1.special }.map(\.type)
    }
  }

  /// The most likely type of a file by its name; `application/octet-stream` if nothing is known of such names.
  ///
  /// What is a directory has no type of this kind: the caller knows better, and calls it `inode/directory`.
  public func type(forFileName name: [UInt8]) -> ContentType {
    types(forFileName: name).first ?? .data
  }

  /// Whether content of a type is at home in a file: pictures, sound, films, and documents that have an extension of their
  /// own. Text is not, and neither is what only programs say to each other.
  public func isAtHomeInFile(_ type: ContentType) -> Bool {
    let type = canonical(type).essence
    switch type.type {
    case "image", "audio", "video", "font", "model": return !type.isWildcard
    case "application":
      return type != .data && !conforms(type, to: .plainText.essence) && preferredExtension(for: type) != nil
    default: return false
    }
  }

  /// The extension to give a new file of a type, without the dot; `nil` if there is none.
  ///
  /// The one with the greatest weight. Of several the one that is usual in the built-in table, because the files of the
  /// database do not say which is the main one; then one by which the type is found again.
  public func preferredExtension(for type: ContentType) -> String? {
    let type = canonical(type).essence
    let known = tables.globs.extensions(of: type)
    if self !== Self.builtIn, let usual = Self.builtIn.preferredExtension(for: type), known.contains(usual) {
      return usual
    }
    return known.first { self.type(forFileName: Array("x.\($0)".utf8)) == type } ?? known.first
  }
}
