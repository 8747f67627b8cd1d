/// Maps MIME types to icon names (Shared MIME-info Database §2.11, Icon Naming Specification).
struct TypeIcons {
  private let special: [Substring: Substring]
  private let generic: [Substring: Substring]

  /// Reads the tables of the installed MIME database.
  init() {
    self.init(
      special: DataFiles.directories.compactMap { DataFiles.text($0 + "/mime/icons") },
      generic: DataFiles.directories.compactMap { DataFiles.text($0 + "/mime/generic-icons") })
  }

  /// Reads the texts of the tables, in order of precedence.
  init(special: [String], generic: [String]) {
    func table(_ files: [String]) -> [Substring: Substring] {
      var table: [Substring: Substring] = [:]
      for line in files.flatMap({ $0.split(separator: "\n") }) {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let type = line[..<colon]
        if table[type] == nil { table[type] = line[line.index(after: colon)...] }
      }
      return table
    }
    self.special = table(special)
    self.generic = table(generic)
  }

  /// Returns the icon names of a MIME type, best first.
  func names(for type: String) -> [String] {
    if type == "inode/directory" { return ["folder", "inode-directory"] }
    let type = type.prefix { $0 != ";" }
    let media = type.prefix { $0 != "/" }
    let dashed = String(type.map { $0 == "/" ? "-" : $0 })
    var names = [special[type].map(String.init), dashed, generic[type].map(String.init), "\(media)-x-generic"]
    if media != "text", media != "image", media != "audio", media != "video" { names.append("text-x-generic") }
    return names.compactMap { $0 }.filter { !$0.contains("/") }
  }
}
