import XDnDFiles
import Glibc
import XDnDConformance
import XDnDToolSupport
import XDnD

/// Requests every offered type of a dropped selection, and the standard targets, from the selection owner, one after
/// the other. The recording has the answers.
struct SelectionProber {
  private let client: ScriptedClient
  private let window: WindowID
  private let source: WindowID
  private let types: [String]
  private let time: Timestamp
  /// The number of unanswered requests. After two, the time to wait for an answer is shorter; after
  /// ``mostUnanswered``, no further types are requested.
  private var unansweredCount = 0

  private static let property = "XDND_PROBE_CHECK"
  private static let unofferedType = "application/x-xdnd-probe-unheard-of"
  /// A source may offer any number of types. The result reports how many were left out.
  private static let mostTypes = 1000
  private static let mostUnanswered = 12
  private static let requestedSeparately: Set<String> = [
    "XdndDirectSave0", "TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE",
  ]

  init(_ client: ScriptedClient, of window: WindowID, source: WindowID, types: [String], time: Timestamp) {
    (self.client, self.window, self.source, self.types, self.time) = (client, window, source, types, time)
  }

  mutating func run() {
    if types.contains("XdndDirectSave0") { saveDirectly() }
    ask("TARGETS")
    ask("TIMESTAMP")
    // A source may list a type twice.
    var asked = Self.requestedSeparately
    let content = types.filter { asked.insert($0).inserted }
    for type in content.prefix(Self.mostTypes) where unansweredCount < Self.mostUnanswered { ask(type) }
    ask(Self.unofferedType)
    if let first = content.first {
      askFromHiddenWindow(first)
      askForSeveral(first)
    }
  }

  /// Requests a type as GTK 4.8 does: with `CurrentTime`, and from a window that took no part in the drag.
  private mutating func askFromHiddenWindow(_ type: String) {
    let hidden = client.makeWindow()
    defer { client.destroy(hidden) }
    ask(type, on: hidden, at: .currentTime)
  }

  private var isOver: Bool { client.isClosed || TerminationSignals.haveArrived }

  private mutating func ask(
    _ type: String, on requestor: WindowID? = nil, at time: Timestamp? = nil, patience: Duration = .seconds(3)
  ) {
    guard !isOver else { return }
    let conversion = client.convert(
      "XdndSelection", to: type, property: Self.property, on: requestor ?? window, at: time ?? self.time)
    if client.answer(to: conversion, within: unansweredCount < 2 ? patience : .milliseconds(300)) == .timedOut {
      unansweredCount += 1
    }
  }

  private func askForSeveral(_ type: String) {
    guard !isOver else { return }
    let pairs = [type, Self.property + "_1", Self.unofferedType, Self.property + "_2"]
    let content = ScriptedClient.Content(type: AtomName("ATOM_PAIR"), words: pairs.map(client.atom))
    client.setProperty(Self.property, of: window, content)
    let conversion = client.convert("XdndSelection", to: "MULTIPLE", property: Self.property, on: window, at: time)
    _ = client.answer(to: conversion, within: .seconds(3))
    for name in ["", "_1", "_2"] { client.deleteProperty(Self.property + name, of: window) }
  }

  /// Performs a direct save (XDS) into a temporary directory.
  private mutating func saveDirectly() {
    let name = (client.readProperty("XdndDirectSave0", of: source)?.bytes ?? []).prefix { $0 != 0 }
    // The source's file name must not lead out of the directory.
    let leaf = name.isEmpty || name.contains(UInt8(ascii: "/")) ? Array("file".utf8) : Array(name)
    guard let directory = PrivateDirectory.temporary() else { return }
    defer { directory.remove() }
    let uri = FileList(rawPaths: [directory.path.appending(leaf)]).uris[0]
    client.setProperty(
      "XdndDirectSave0", of: source, ScriptedClient.Content(type: AtomName("text/plain"), bytes: Array(uri.utf8)))
    ask("XdndDirectSave0", patience: .seconds(10))
  }
}
