import Glibc
import ScriptedClient
import ToolSupport
import XDnD

/// Requests every offered type of a dropped selection, and the standard targets, from the selection owner, one after
/// the other.
final class Interrogation {
  /// The number of unanswered requests. After two, the time to wait for an answer is shorter.
  private var silences = 0
  private let peer: ScriptedClient
  private let window: WindowID
  private let source: WindowID
  private let types: [String]
  private let time: Timestamp
  private static let property = "XDND_PROBE_CHECK"
  /// A type that no source offers.
  private static let unheardOf = "application/x-xdnd-probe-unheard-of"
  /// The maximum number of requested types, because a source may offer any number. The result reports how many were
  /// left out.
  static let largestCount = 1000
  /// The number of unanswered requests after which no further types are requested.
  private static let largestSilence = 12

  init(_ peer: ScriptedClient, of window: WindowID, source: WindowID, types: [String], time: Timestamp) {
    (self.peer, self.window, self.source, self.types, self.time) = (peer, window, source, types, time)
  }

  func run() {
    if types.contains("XdndDirectSave0") { saveDirectly() }
    ask("TARGETS")
    ask("TIMESTAMP")
    // A source may list a type twice, and any number of types.
    var asked = Set<String>()
    let content = types.filter { !Self.notContent.contains($0) && asked.insert($0).inserted }
    for type in content.prefix(Self.largestCount) where silences < Self.largestSilence { ask(type) }
    ask(Self.unheardOf)
    if let first = content.first {
      askFromHiddenWindow(first)
      askForSeveral(first)
    }
  }

  /// Types that are requested separately.
  private static let notContent: Set<String> = ["XdndDirectSave0", "TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE"]

  /// Requests a type as GTK 4.8 does: with `CurrentTime`, and from a window that took no part in the drag.
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
    // The recording contains the answer.
    if peer.answer(to: conversion, within: silences < 2 ? patience : .milliseconds(300)) == .timedOut { silences += 1 }
  }

  private func askForSeveral(_ type: String) {
    guard !peer.isClosed, !EndSignals.haveCome else { return }
    let pairs = [type, Self.property + "_1", Self.unheardOf, Self.property + "_2"]
    let content = ScriptedClient.Content(type: AtomName(rawValue: "ATOM_PAIR"), words: pairs.map(peer.atom))
    peer.setProperty(Self.property, of: window, content)
    let conversion = peer.convert("XdndSelection", to: "MULTIPLE", property: Self.property, on: window, at: time)
    _ = peer.answer(to: conversion, within: .seconds(3))
    for name in ["", "_1", "_2"] { peer.deleteProperty(Self.property + name, of: window) }
  }

  /// Performs a direct save (XDS) into a temporary directory.
  private func saveDirectly() {
    let bytes = peer.readProperty("XdndDirectSave0", of: source)?.bytes ?? []
    let name = bytes.prefix { $0 != 0 }
    // The source's file name must not lead out of the directory.
    let leaf = name.isEmpty || name.contains(UInt8(ascii: "/")) ? Array("file".utf8) : Array(name)
    guard let directory = TemporaryPlace() else { return }
    defer { directory.remove() }
    let uri = FileList(rawPaths: [Array(directory.path.utf8) + [UInt8(ascii: "/")] + leaf]).uris[0]
    peer.setProperty(
      "XdndDirectSave0", of: source,
      ScriptedClient.Content(type: AtomName(rawValue: "text/plain"), bytes: Array(uri.utf8)))
    ask("XdndDirectSave0", patience: .seconds(10))
  }
}

/// A temporary directory for files that are not kept.
struct TemporaryPlace {
  let path: String

  init?() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/xdnd-probe-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Writes a file into the directory and returns its path; `nil` if that fails.
  func write(_ content: String, to name: String) -> String? {
    let file = path + "/" + name
    guard let stream = fopen(file, "w") else { return nil }
    defer { fclose(stream) }
    fputs(content, stream)
    return file
  }

  /// Removes the directory and the files in it.
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
