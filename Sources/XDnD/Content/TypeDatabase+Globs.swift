// MARK: File names

extension TypeDatabase {
  /// Returns the types that a file may have by its name, most likely first; empty if no pattern matches.
  ///
  /// Candidates are ordered by these criteria: literal names before patterns, then weight, pattern length, and case
  /// sensitivity. Among equal ones, the more general type comes first, because it is always correct: `audio/ogg` before
  /// `audio/x-vorbis+ogg`. Only the content could tell those apart.
  ///
  /// - Parameter name: The file name in the file system's bytes, which need not be UTF-8. Everything up to the last
  ///   slash is ignored. Non-ASCII letters are compared case-sensitively.
  package func types(forFileName name: [UInt8]) -> [ContentType] {
    tables.globs.types(forFileName: name).flatMap { alike in
      // In the shared MIME-info database, at most six types share a pattern.
      guard (2...32).contains(alike.count) else { return alike }
      let counted = alike.enumerated().map { index, type in
        (type: type, index: index, special: alike.count { conforms($0, to: type) })
      }
      return counted.sorted { $0.special == $1.special ? $0.index < $1.index : $0.special > $1.special }.map(\.type)
    }
  }

  /// Returns the most likely type of a file by its name; `application/octet-stream` if no pattern matches.
  ///
  /// Not for directories, whose type is `inode/directory`.
  public func type(forFileName name: [UInt8]) -> ContentType {
    types(forFileName: name).first ?? .data
  }

  /// Whether content of a type is usually a file: images, audio, video, fonts, models, and documents with an extension
  /// of their own. Text and data exchanged only between programs are not.
  package func isAtHomeInFile(_ type: ContentType) -> Bool {
    let type = canonical(type).essence
    switch type.type {
    case "image", "audio", "video", "font", "model": return !type.isWildcard
    case "application":
      return type != .data && !conforms(type, to: .plainText.essence) && preferredExtension(for: type) != nil
    default: return false
    }
  }

  /// Returns the extension for a new file of a type, without the dot; `nil` if there is none.
  ///
  /// The database does not mark a type's main extension. So the first of these is returned: the extension in the
  /// built-in table, if the database lists it; the one with the greatest weight that leads back to the type; the one
  /// with the greatest weight.
  public func preferredExtension(for type: ContentType) -> String? {
    let type = canonical(type).essence
    let known = tables.globs.extensions(of: type)
    if self !== Self.builtIn, let usual = Self.builtIn.preferredExtension(for: type), known.contains(usual) {
      return usual
    }
    return known.first { self.type(forFileName: Array("x.\($0)".utf8)) == type } ?? known.first
  }
}
