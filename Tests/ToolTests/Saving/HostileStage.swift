import Foundation
import Glibc
import TestSupport
import Testing

import enum TestSupport.ExitStatus

@testable import XDnD

/// A directory to save in with things in it and things around it, `xdnd-probe --save` on it, and a source that keeps no
/// rule but those of the protocol.
struct HostileStage: Sendable {
  /// What has come of one drop.
  struct Outcome: Sendable {
    var exit: ExitStatus
    /// What is new in the directory; with the content of files.
    var saved: [String: String]
    /// The permissions of what is new, with the bits above them.
    var modes: [String: mode_t]
    /// What has changed besides: nothing should.
    var changes: [String]
    /// Whether the source was told that it went well.
    var isAccepted: Bool?
    /// What the property is at last.
    var property: [UInt8]?
    /// The events of the probe from the drop on, except `busy`, which only comes if the machine is slow, and the places of
    /// rows.
    var events: [String]
    var failure: String?
  }

  let root: TemporaryDirectory

  private init() throws {
    root = try TemporaryDirectory("hostile")
  }

  /// Where drops are saved.
  var directory: String { root("directory") }
  /// A path beside it.
  func outside(_ name: String) -> String { root(name) }

  /// Runs the drop of a source that was made ready.
  ///
  /// - Parameters:
  ///   - makesItself: Paths beside the directory that the source makes, not we.
  ///   - prepare: Makes the source ready; the drop begins afterwards.
  static func drop(
    _ arguments: [String] = [], makesItself: Set<String> = [],
    _ prepare: @escaping @Sendable (SavingSource, HostileStage) -> Void
  ) async throws -> Outcome {
    try await XServer.with { server in
      let stage = try HostileStage()
      try stage.fill()
      let before = try TreeSnapshot(of: stage.root.path)
      let probe = try server.launchProbe("300x300+100+100", ["--once", "--save", stage.directory] + arguments)
      let ready = try await probe.waitFor("ready")
      let window = WindowID(rawValue: UInt32(try #require(ready.integer("window"))))
      let name = server.displayName
      let answer = try await onOwnThread { try Self.drag(to: window, on: name, stage, prepare) }
      let exit = try await probe.exit(timeout: .seconds(60))
      // All of it: there may be many lines, and long ones.
      let lines = String(decoding: probe.output.bytes, as: UTF8.self).split(separator: "\n")
        .map { (text: $0, event: JSONLine.event(of: $0)) }
      let failure = lines.first { $0.event == "failed" }.flatMap { JSONLine(String($0.text)) }
      let after = try TreeSnapshot(of: stage.root.path)
      let prefix = "directory/"
      // That something was put in it or taken out is seen in the directory itself.
      let differences = after.differences(from: before).filter { $0 != "directory" && !makesItself.contains($0) }
      let new = differences.filter { $0.hasPrefix(prefix) && before.entries[$0] == nil }
      return Outcome(
        exit: exit,
        saved: Dictionary(
          uniqueKeysWithValues: new.map {
            (
              $0.dropFirst(prefix.count).description,
              after.entries[$0]?.content.map { String(decoding: $0, as: UTF8.self) } ?? ""
            )
          }),
        modes: Dictionary(
          uniqueKeysWithValues: new.map {
            ($0.dropFirst(prefix.count).description, (after.entries[$0]?.mode ?? 0) & 0o7777)
          }),
        changes: differences.filter { !new.contains($0) }, isAccepted: answer.isAccepted, property: answer.property,
        events: lines.compactMap { $0.event }.drop { $0 != "dropped" }.filter { $0 != "busy" && $0 != "draggable" },
        failure: failure?.string("reason"))
    }
  }

  /// Speaks the protocol of a drag to a window: that needs neither pointer nor window.
  private static func drag(
    to window: WindowID, on display: String, _ stage: HostileStage, _ prepare: (SavingSource, HostileStage) -> Void
  ) throws -> (isAccepted: Bool?, property: [UInt8]?) {
    let connection = try XlibConnection(connectingTo: display)
    let source = SavingSource(connection, window: connection.dragWindow, target: window)
    guard connection.own(.xdndSelection, at: connection.serverTime()) else { throw HarnessError("no selection") }
    prepare(source, stage)
    let deadline = ContinuousClock.now + .seconds(55)
    func take(while condition: () -> Bool) {
      source.takeEvents()
      while condition(), .now < deadline, !connection.isClosed {
        var descriptor = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, 100)
        source.takeEvents()
      }
    }
    source.enter()
    source.position(at: Point(x: 200, y: 200))
    take { source.statuses.isEmpty }
    guard source.statuses.first?.acceptance != nil else { return (nil, source.property) }
    source.drop()
    take { source.finished.isEmpty }
    let result = source.finished.first.map { if case .accepted = $0.result { true } else { false } }
    return (result, source.property)
  }

  /// A file, a directory and links in the way, and things outside that nobody may touch.
  private func fill() throws {
    for name in ["directory", "directory/folder", "outside"] {
      try FileManager.default.createDirectory(atPath: root(name), withIntermediateDirectories: false)
    }
    for name in ["directory/taken.txt", "directory/folder/inner", "canary", "outside/canary", "x", "outside/x"] {
      _ = try root.write("untouched \(name)".utf8, to: name)
    }
    for (name, target) in [("link", "../outside/canary"), ("dangling", "../outside/new"), ("linked", "../outside")] {
      try FileManager.default.createSymbolicLink(atPath: root("directory/\(name)"), withDestinationPath: target)
    }
    guard mkfifo(root("pipe"), 0o600) == 0 else { throw HarnessError("cannot make a pipe", code: errno) }
  }
}
