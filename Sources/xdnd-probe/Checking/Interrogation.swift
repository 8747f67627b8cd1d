import Glibc
import RawPeer
import XDnD

/// Asks the owner of a dropped selection for everything, one after the other.
final class Interrogation {
  /// How often there was no answer: who is silent is not waited for so long.
  private var silences = 0
  private let peer: RawPeer
  private let window: WindowID
  private let source: WindowID
  private let types: [String]
  private let time: Timestamp
  private static let property = "XDND_PROBE_CHECK"
  /// Nobody offers it.
  private static let unheardOf = "application/x-xdnd-probe-unheard-of"

  init(_ peer: RawPeer, of window: WindowID, source: WindowID, types: [String], time: Timestamp) {
    (self.peer, self.window, self.source, self.types, self.time) = (peer, window, source, types, time)
  }

  func run() {
    if types.contains("XdndDirectSave0") { saveDirectly() }
    ask("TARGETS")
    ask("TIMESTAMP")
    // A source may list the same type twice, and as many as it likes.
    var asked = Set<String>()
    let content = types.filter { $0 != "XdndDirectSave0" && asked.insert($0).inserted }.prefix(40)
    for type in content { ask(type) }
    ask(Self.unheardOf)
    if let first = content.first { askForSeveral(first) }
  }

  private func ask(_ type: String, patience: Duration = .seconds(3)) {
    guard !peer.isClosed, !Interruption.hasCome else { return }
    let conversion = peer.convert("XdndSelection", to: type, property: Self.property, on: window, at: time)
    // The answer is in the recording.
    if peer.answer(to: conversion, within: silences < 2 ? patience : .milliseconds(300)) == .silence { silences += 1 }
  }

  private func askForSeveral(_ type: String) {
    let pairs = [type, Self.property + "_1", Self.unheardOf, Self.property + "_2"]
    let content = RawPeer.Content(type: AtomName(rawValue: "ATOM_PAIR"), words: pairs.map(peer.atom))
    peer.setProperty(Self.property, of: window, content)
    let conversion = peer.convert("XdndSelection", to: "MULTIPLE", property: Self.property, on: window, at: time)
    _ = peer.answer(to: conversion, within: .seconds(3))
    for name in ["", "_1", "_2"] { peer.deleteProperty(Self.property + name, of: window) }
  }

  /// Lets the source save its file in a directory that is gone afterwards.
  private func saveDirectly() {
    let bytes = peer.readProperty("XdndDirectSave0", of: source)?.bytes ?? []
    let name = bytes.prefix { $0 != 0 }
    // What a source calls its file decides nothing here.
    let leaf = name.isEmpty || name.contains(UInt8(ascii: "/")) ? Array("file".utf8) : Array(name)
    guard let directory = TemporaryPlace() else { return }
    defer { directory.remove() }
    let uri = TemporaryPlace.uri(of: Array(directory.path.utf8) + [UInt8(ascii: "/")] + leaf)
    peer.setProperty(
      "XdndDirectSave0", of: source, RawPeer.Content(type: AtomName(rawValue: "text/plain"), bytes: Array(uri.utf8)))
    ask("XdndDirectSave0", patience: .seconds(10))
  }
}

/// A directory of our own, for files that nobody keeps.
struct TemporaryPlace {
  let path: String

  init?() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/xdnd-probe-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A file in it.
  func write(_ content: String, to name: String) -> String? {
    let file = path + "/" + name
    guard let stream = fopen(file, "w") else { return nil }
    defer { fclose(stream) }
    fputs(content, stream)
    return file
  }

  /// A path as a `file` URI, RFC 8089.
  static func uri(of path: [UInt8]) -> String {
    path.reduce(into: "file://") { uri, byte in
      let isPlain =
        UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      let digits = String(byte, radix: 16, uppercase: true)
      uri += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }
  }

  /// With the files in it.
  func remove() {
    if let entries = opendir(path) {
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { unlink(path + "/" + name) }
      }
      closedir(entries)
    }
    rmdir(path)
  }
}
