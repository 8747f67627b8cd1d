/// Maps MIME types to icon names (Shared MIME-info Database §2.11, Icon Naming Specification).
struct TypeIcons {
  /// Names of the Icon Naming Specification for types that the MIME database gives none of them.
  private static let standard = ["text/vcard": "x-office-address-book", "text/calendar": "x-office-calendar"]

  private let special: [Substring: Substring]
  private let generic: [Substring: Substring]

  /// Reads the texts of tables in order of precedence, by default those of the installed MIME database.
  init(special: [String] = installed("icons"), generic: [String] = installed("generic-icons")) {
    self.special = Self.table(special)
    self.generic = Self.table(generic)
  }

  private static func installed(_ name: String) -> [String] {
    DataFiles.directories.compactMap { DataFiles.text("\($0)/mime/\(name)") }
  }

  private static func table(_ texts: [String]) -> [Substring: Substring] {
    let lines = texts.flatMap { $0.split(separator: "\n") }.map {
      $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    return Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  /// Returns the icon names of a MIME type, best first.
  func names(for type: String) -> [String] {
    if type == "inode/directory" { return ["folder", "inode-directory"] }
    let type = type.prefix { $0 != ";" }
    let media = type.prefix { $0 != "/" }
    let dashed = String(type.map { $0 == "/" ? "-" : $0 })
    var names = [
      special[type].map(String.init), dashed, Self.standard[String(type)], generic[type].map(String.init),
      "\(media)-x-generic",
    ]
    if media != "text", media != "image", media != "audio", media != "video" {
      // Text in a format of applications, such as JSON, looks like text; what else the theme does not know is unknown.
      names.append(Scene.Icon(type: String(type)).symbol == .text ? "text-x-generic" : "unknown")
    }
    return names.compactMap { $0 }.filter { !$0.contains("/") }
  }
}
