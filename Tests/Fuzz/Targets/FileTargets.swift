import FuzzRuns

@testable import XDnD

extension FuzzTarget {
  static let files = [
    FuzzTarget("uri-lists", run: readURILists),
    FuzzTarget("file-uris", run: readFileURIs),
    FuzzTarget("copied-files", run: readCopiedFiles),
    FuzzTarget("links", longest: 1 << 13, run: readLinks),
    FuzzTarget("save-places", run: readSavePlaces),
  ]

  private static let listTypes: [ContentType] = [
    .uriList, "application/x-kde4-urilist", "text/uri-list;charset=utf-16", "text/uri-list;charset=utf-16be",
  ]

  /// What a URI of this machine may be, by other means than the code: all of it as one prefix.
  private static func expectLocal(_ path: [UInt8], of uri: String) {
    let small = uri.lowercased().utf8
    let isPlain = small.starts(with: "file:/".utf8) && !small.starts(with: "file://".utf8)
    let isLocal =
      isPlain || ["file://localhost/", "file://here/", "file:///"].contains { small.starts(with: $0.utf8) }
    let slash = UInt8(ascii: "/")
    expect(
      isLocal && path.first == slash && !path.contains(0) && path.count <= uri.utf8.count
        && path.count { $0 == slash } <= uri.utf8.count { $0 == slash },
      "\(uri.debugDescription) is the file \(path)")
  }

  private static func expectEntries(_ list: FileList) {
    for (uri, entry) in zip(list.uris, list.entries(hostName: "here")) {
      if case .local(let path) = entry { expectLocal(path, of: uri) }
    }
  }

  /// Any bytes are a list. Writing it again changes nothing, and any paths come back.
  private static func readURILists(_ input: Input) {
    let (choice, bytes) = input.split
    let type = listTypes[choice % listTypes.count]
    if let list = try? FileList(decoding: bytes, as: type) {
      expectEntries(list)
      let written = list.encoded
      let copy = FileList(decoding: written)
      let count = input.planted(copy.uris.count, in: Array(list.uris.joined().utf8)) { $0 + 1 }
      expect(count == list.uris.count && copy.encoded == written, "\(list.uris)")
    }
    let paths = bytes.split(separator: 0).map { name -> [UInt8] in [0x2F] + name }
    let entries = FileList(decoding: FileList(rawPaths: paths).encoded).entries(hostName: "here")
    expect(entries == paths.map { .local(path: $0) }, "\(paths) became \(entries)")
  }

  /// A path is absolute and has no more parts than its URI; and any path has a URI.
  private static func readFileURIs(_ input: Input) {
    let uri = input.text
    let entry = FileURI.entry(of: uri, hostName: "here")
    if case .local(let path) = entry {
      expectLocal(input.planted(path, in: path) { Array($0.dropFirst()) }, of: uri)
    }
    if case .otherHost(let host, let path) = entry {
      expect(!host.isEmpty && path.first == 0x2F && !path.contains(0), "\(uri) is \(path) of \(host)")
    }
    let path: [UInt8] = [0x2F] + input.bytes.map { $0 == 0 ? 0x2F : $0 }
    for host in ["", "here", "HERE"] {
      let written = FileURI.encode(path: path, host: host)
      expect(FileURI.entry(of: written, hostName: "here") == .local(path: path), "\(path) became \(written)")
      expect(written.utf8.allSatisfy { 0x21..<0x7F ~= $0 }, "\(written)")
    }
    let escaped = URIList.escaped(uri)
    expect(URIList.escaped(escaped) == escaped, "\(uri.debugDescription) became \(escaped)")
    _ = FileList.rawLocalPath(of: uri, hostName: nil)
  }

  private static let copiedTypes: [ContentType] = [
    "x-special/gnome-copied-files", "x-special/mate-copied-files", "application/x-kde-cutselection", .uriList,
  ]

  private static func readCopiedFiles(_ input: Input) {
    let (choice, rest) = input.split
    let type = copiedTypes[choice % copiedTypes.count]
    let bytes = choice < 128 ? rest : Array((choice < 192 ? "copy\n" : "cut\r\n").utf8) + rest
    guard let files = try? CopiedFiles(decoding: bytes, as: type), let written = try? files.encoded(as: type) else {
      return
    }
    expect(files.operation == .copy || files.operation == .move, "\(files.operation)")
    expectEntries(files.files)
    let copy = try? CopiedFiles(decoding: written, as: type)
    let operation = input.planted(copy?.operation, in: written) { $0 == .copy ? .move : .copy }
    expect(operation == files.operation, "\(files) became \(copy.debugDescription)")
    expect(copy?.files.uris.count == files.files.uris.count, "\(files) became \(copy.debugDescription)")
    expect((try? copy?.encoded(as: type)) == written, "\(files)")
  }

  // MARK: Links

  private static let linkTypes = Link.importableTypes + ["text/html;charset=utf-16", "text/x-moz-url-desc"]
  private static let exactTypes: [ContentType] = [
    "text/x-moz-url", "_NETSCAPE_URL", .html, "text/html;charset=utf-16",
  ]

  /// A link comes back in each type that has room for its title, with the title in one line.
  private static func readLinks(_ input: Input) {
    let (choice, bytes) = input.split
    let type = linkTypes[choice % linkTypes.count]
    let links = (try? Link.all(decoding: bytes, as: type)) ?? []
    guard !input.isMeasured else { return }
    let halves = bytes.split(separator: 0, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    let made = Link(url: "a:" + (halves.first ?? ""), title: halves.count > 1 ? halves[1] : nil)
    // Not all of thousands: each of them is encoded several times.
    for link in links.prefix(4) + [made] {
      let url = URIList.escaped(link.url)
      let title = link.title.map(Link.collapsed)
      let expected = Link(url: url, title: title?.isEmpty == true || title == url ? nil : title)
      for type in exactTypes {
        let copy = (try? link.encoded(as: type)).flatMap { try? Link(decoding: $0, as: type) }
        let read = input.planted(copy, in: Array((title ?? "").utf8)) { $0.map { Link(url: $0.url) } }
        expect(read == expected, "\(type): \(expected) became \(copy.debugDescription)")
      }
      for type in Link.exportableTypes { _ = try? link.encoded(as: type) }
      if let words = ClippingName.words(of: link) { expect(isPlain(words), "the words \(words.debugDescription)") }
    }
  }

  /// The place of a direct save names a file, on this machine.
  private static func readSavePlaces(_ input: Input) {
    guard case .local(let paths) = DirectSavePlace(property: input.bytes, name: Array("name".utf8), hostName: "here")
    else {
      return
    }
    expect((1...4).contains(paths.count) && Set(paths).count == paths.count, "\(paths)")
    for path in paths {
      let path = input.planted(path, in: path) { $0 + Array("/..".utf8) }
      let leaf = path.split(separator: 0x2F, omittingEmptySubsequences: false).last.map(Array.init) ?? []
      let isName = !leaf.isEmpty && leaf != Array(".".utf8) && leaf != Array("..".utf8)
      expect(path.first == 0x2F && isName && !path.contains(0), "\(path)")
    }
  }
}
