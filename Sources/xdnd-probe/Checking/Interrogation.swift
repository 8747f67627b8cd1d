import Glibc
import RawPeer
import ToolSupport
import XDnD

/// Asks the owner of a dropped selection for everything, one after the other.
final class Interrogation {
  /// How often there was no answer: a source that is silent is not waited for so long, and given up after a while.
  private var silences = 0
  private let peer: RawPeer
  private let window: WindowID
  private let source: WindowID
  private let types: [String]
  private let time: Timestamp
  private static let property = "XDND_PROBE_CHECK"
  /// Nobody offers it.
  private static let unheardOf = "application/x-xdnd-probe-unheard-of"
  /// How many types are asked for at most: a source may offer any number of them. The verdict says how many were left out.
  static let largestCount = 1000
  /// After how many requests without an answer the source is not asked for further types.
  private static let largestSilence = 12

  init(_ peer: RawPeer, of window: WindowID, source: WindowID, types: [String], time: Timestamp) {
    (self.peer, self.window, self.source, self.types, self.time) = (peer, window, source, types, time)
  }

  func run() {
    if types.contains("XdndDirectSave0") { saveDirectly() }
    ask("TARGETS")
    ask("TIMESTAMP")
    // A source may list the same type twice, and as many as it likes.
    var asked = Set<String>()
    let content = types.filter { !Self.notContent.contains($0) && asked.insert($0).inserted }
    for type in content.prefix(Self.largestCount) where silences < Self.largestSilence { ask(type) }
    ask(Self.unheardOf)
    if let first = content.first {
      askFromHiddenWindow(first)
      askForSeveral(first)
    }
  }

  /// Asked for in ways of their own.
  private static let notContent: Set<String> = ["XdndDirectSave0", "TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE"]

  /// As GTK 4 does: without a time, and from a window that no message was about.
  private func askFromHiddenWindow(_ type: String) {
    let hidden = peer.makeWindow()
    defer { peer.destroy(hidden) }
    ask(type, on: hidden, at: .currentTime)
  }

  private func ask(
    _ type: String, on requestor: WindowID? = nil, at time: Timestamp? = nil, patience: Duration = .seconds(3)
  ) {
    guard !peer.isClosed, !EndSignals.haveCome else { return }
    let conversion = peer.convert(
      "XdndSelection", to: type, property: Self.property, on: requestor ?? window, at: time ?? self.time)
    // The answer is in the recording.
    if peer.answer(to: conversion, within: silences < 2 ? patience : .milliseconds(300)) == .silence { silences += 1 }
  }

  private func askForSeveral(_ type: String) {
    guard !peer.isClosed, !EndSignals.haveCome else { return }
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
