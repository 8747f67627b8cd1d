/// Files that hold a link: desktop entries and internet shortcuts.
///
/// Both have lines `key=value` in groups. Encoding is strict. Decoding accepts the variants of other programs: any line
/// ends, spaces around keys and values, a byte order mark, Latin-1.
enum LinkFile {
  static let desktopType: ContentType = "application/x-desktop"
  static let shortcutType: ContentType = "application/x-mswinurl"

  // MARK: Desktop entries

  /// Encodes a desktop entry (Desktop Entry Specification 1.5). `Name` is required: a link without a title gets its
  /// URL.
  static func desktopEntry(_ link: Link) -> [UInt8] {
    let (url, title) = fields(of: link)
    let lines = [
      "[Desktop Entry]", "Version=1.0", "Type=Link", "Name=" + escaped(title), "URL=" + escaped(url), "Icon=text-html",
    ]
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Decodes the link of a desktop entry; `nil` if it is of another type or malformed.
  ///
  /// Translations of the title are skipped. KDE writes `URL[$e]` for a value in which it expands environment variables
  /// and doubles literal dollar signs; here nothing is expanded.
  static func readDesktopEntry(_ bytes: [UInt8]) -> Link? {
    guard let text = TextFile.read(bytes) else { return nil }
    // The second name is from KDE 1.
    let entries = entries(in: text) { $0 == "Desktop Entry" || $0 == "KDE Desktop Entry" }
    func value(_ key: String) -> String? {
      for (name, value) in entries {
        if name == key { return unescaped(value) }
        if name.hasPrefix(key + "[$"), name.hasSuffix("]") {
          let isExpanded = name.dropFirst(key.count).contains("e")
          return isExpanded ? withSingleDollars(unescaped(value)) : unescaped(value)
        }
      }
      return nil
    }
    guard value("Type") == "Link", let url = value("URL") else { return nil }
    return Link(to: url, titled: value("Name") ?? "")
  }

  // MARK: Internet shortcuts

  /// Encodes an internet shortcut. Windows ignores unknown keys, and takes the title from the file name.
  static func internetShortcut(_ link: Link) -> [UInt8] {
    let (url, title) = fields(of: link)
    return Array("[InternetShortcut]\r\nURL=\(url)\r\nTitle=\(title)\r\n".utf8)
  }

  /// Decodes the link of an internet shortcut; `nil` if it holds none. Group and key names are case-insensitive.
  ///
  /// - Parameter title: The title if the file holds none: Windows uses the file name.
  static func readInternetShortcut(_ bytes: [UInt8], title: String?) -> Link? {
    guard let text = TextFile.read(bytes) else { return nil }
    let entries = entries(in: text) { $0.lowercased() == "internetshortcut" }
    func value(_ key: String) -> String? { entries.first { $0.key.lowercased() == key }?.value }
    guard let url = value("url") else { return nil }
    return Link(to: url, titled: value("title") ?? title ?? "")
  }

  // MARK: Links

  private static func fields(of link: Link) -> (url: String, title: String) {
    let url = URIList.escaped(link.url)
    let title = Link.collapsed(link.title ?? "")
    return (url, title.isEmpty ? url : title)
  }

  // MARK: Lines

  /// Returns the keys and values of the first matching group.
  private static func entries(in text: String, of isGroup: (String) -> Bool) -> [(key: String, value: String)] {
    var found: [(key: String, value: String)] = []
    var isInside = false
    for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = line.trimmingASCIISpaces
      if line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
        if isInside { break }
        isInside = isGroup(String(decoding: line.dropFirst().dropLast(), as: UTF8.self))
      } else if isInside, line.first != UInt8(ascii: "#"), line.first != UInt8(ascii: ";"),
        let equals = line.firstIndex(of: UInt8(ascii: "="))
      {
        let (key, value) = (line[..<equals].trimmingASCIISpaces, line[line.index(after: equals)...].trimmingASCIISpaces)
        found.append((String(decoding: key, as: UTF8.self), String(decoding: value, as: UTF8.self)))
      }
    }
    return found
  }

  // MARK: Escapes of desktop entries

  /// Escapes a value that is one line without surrounding spaces: only the backslash needs it.
  private static func escaped(_ text: String) -> String {
    let backslash = UInt8(ascii: "\\")
    return String(decoding: text.utf8.flatMap { $0 == backslash ? [$0, $0] : [$0] }, as: UTF8.self)
  }

  private static func withSingleDollars(_ text: String) -> String {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "$"), rest.first == byte { rest.removeFirst() }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes escapes; unknown ones are literal.
  private static func unescaped(_ text: String) -> String {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        result.append(byte)
        continue
      }
      switch letter {
      case UInt8(ascii: "s"): result.append(0x20)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "\\"): result.append(letter)
      default: result += [byte, letter]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
