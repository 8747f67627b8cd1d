import XDnDFiles
import Glibc

/// A desktop icon theme (freedesktop.org Icon Theme Specification 0.13).
final class IconTheme {
  /// A directory of a theme and the icon sizes it is for.
  private struct Directory {
    let path: String
    let size: Int
    let scale: Int
    /// The sizes in which its icons may be shown.
    let range: ClosedRange<Int>

    /// Returns the distance from a requested size in pixels; 0 is a match.
    func distance(toSize size: Int, scale: Int) -> Int {
      let pixels = size * scale
      if self.scale == scale, range.contains(size) { return 0 }
      if pixels < range.lowerBound * self.scale { return range.lowerBound * self.scale - pixels }
      if pixels > range.upperBound * self.scale { return pixels - range.upperBound * self.scale }
      // The pixel size matches, but the amount of detail does not.
      return 1
    }
  }

  /// The theme and those it inherits from.
  private let parts: [(roots: [String], directories: [Directory])]

  /// - Parameters:
  ///   - name: The theme's name. It is untrusted and becomes part of a path.
  ///   - roots: The directories to search for themes.
  init(named name: String, in roots: [String] = IconTheme.roots) {
    var parts: [(roots: [String], directories: [Directory])] = []
    var queue = [name]
    var seen: Set<String> = []
    while !queue.isEmpty, seen.count < 16 {
      let name = queue.removeFirst()
      guard !name.contains("/"), !name.hasPrefix("."), seen.insert(name).inserted else { continue }
      let places = roots.map { "\($0)/\(name)" }
      guard let index = places.firstNonNil({ SettingsFile(path: "\($0)/index.theme") }) else { continue }
      parts.append((places, Self.directories(in: index)))
      queue += index.list("Icon Theme", "Inherits")
    }
    self.parts = parts
  }

  static var roots: [String] {
    let home = DataFiles.userDirectory("HOME", orAtHome: "").map { ["\($0)/.icons"] } ?? []
    return home + DataFiles.directories.map { "\($0)/icons" }
  }

  /// Returns the file of the first of these icons that the theme has, in the nearest size. Inherited themes follow.
  ///
  /// - Parameter size: In logical pixels.
  func file(for names: [String], size: Int, scale: Int) -> [UInt8]? {
    for part in parts {
      // The sort is stable: of directories at the same distance the first one goes first.
      let nearest = part.directories.map { ($0.path, $0.distance(toSize: size, scale: scale)) }.sorted { $0.1 < $1.1 }
      for name in names {
        for (directory, _) in nearest {
          for root in part.roots {
            for ending in ["png", "svg"] {
              let path = "\(root)/\(directory)/\(name).\(ending)"
              if access(path, R_OK) == 0 { return Array(path.utf8) }
            }
          }
        }
      }
    }
    return nil
  }

  private static func directories(in index: SettingsFile) -> [Directory] {
    (index.list("Icon Theme", "Directories") + index.list("Icon Theme", "ScaledDirectories")).compactMap { path in
      func number(_ key: String) -> Int? {
        index[path, key].flatMap { Int($0) }.flatMap { (1...4096).contains($0) ? $0 : nil }
      }
      guard let size = number("Size"), !path.hasPrefix("/"), !path.contains("..") else { return nil }
      // Skips monochrome icons that programs recolor.
      guard !path.contains("symbolic") else { return nil }
      let range: ClosedRange<Int>
      switch index[path, "Type"] {
      case "Fixed": range = size...size
      case "Scalable":
        let (least, most) = (number("MinSize") ?? size, number("MaxSize") ?? size)
        range = min(least, most)...max(least, most)
      default:
        let threshold = index[path, "Threshold"].flatMap { Int($0) }.flatMap { (0...4096).contains($0) ? $0 : nil } ?? 2
        range = (size - threshold)...(size + threshold)
      }
      return Directory(path: path, size: size, scale: number("Scale") ?? 1, range: range)
    }
  }
}

/// Maps MIME types to icon names (Shared MIME-info Database §2.11, Icon Naming Specification).
struct TypeIcons {
  /// Standard names (Icon Naming Specification) for types that have none in the MIME database.
  private static let standard = ["text/vcard": "x-office-address-book", "text/calendar": "x-office-calendar"]

  private let special: [Substring: Substring]
  private let generic: [Substring: Substring]

  /// Parses tables, in order of precedence; by default the tables of the installed MIME database.
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
      // A text format under `application/`, such as JSON, gets the icon of text; other types without an icon are
      // unknown.
      names.append(Scene.Icon(type: String(type)).symbol == .text ? "text-x-generic" : "unknown")
    }
    return names.compactMap { $0 }.filter { !$0.contains("/") }
  }
}
