import Foundation
import Glibc
import TestSupport
import Testing

import enum TestSupport.ExitStatus

@testable import XDnD

/// `xdnd-probe --save` where it cannot: nothing partial is left, the source is told, and both say so by their codes.
@Suite("Saving where it cannot be done", .serialized, .requiresXvfb, .timeLimit(.minutes(3)))
struct SaveFailureTests {
  /// How something gets into the directory.
  enum Way: CaseIterable {
    /// The source writes the file.
    case directSave
    /// The probe loads bytes and writes them as they come.
    case stream
    /// The probe makes a clipping.
    case clipping
    case copy
    case move
    case link

    /// - Parameter file: A long file, if the content is to be long.
    func arguments(_ file: String) -> [String] {
      switch self {
      case .directSave: ["--promise", file]
      case .stream: ["--type", "a/b=@\(file)"]
      case .clipping: ["--type", "text/plain=@\(file)"]
      case .copy: ["--action", "copy", file]
      case .move: ["--action", "move", file]
      case .link: ["--action", "link", file]
      }
    }

    /// What is offered is also offered as a file that the source writes; so the probe is told what to take.
    var probeArguments: [String] {
      switch self {
      case .directSave: []
      case .stream: ["--accept", "a/b"]
      case .clipping: ["--accept", "text/plain"]
      case .copy, .move, .link: ["--accept", "text/uri-list"]
      }
    }
  }

  private static let length = 1 << 20

  private static func original(_ server: XServer) throws -> String {
    try server.directory.write([UInt8](repeating: 0x61, count: length), to: "original.bin")
  }

  /// The source ends with 0 if the last that it sent was content, whole.
  private func expectFailed(
    _ scene: SavingScene, _ ends: (source: ExitStatus, probe: ExitStatus), words: String
  ) {
    #expect(ends.probe == .exited(6), scene.report)
    let sent = scene.source.printed("sent").filter { $0.string("type") != "XdndDirectSave0" }
    #expect(ends.source == .exited(sent.last?.boolean("ok") == true ? 0 : 1), scene.report)
    let reason = scene.reason ?? ""
    #expect(reason.hasPrefix("cannot ") && reason.hasSuffix(words), scene.report)
    #expect(scene.probe.printed("failed").map { $0.string("status") } == ["transfer-failed"], scene.report)
    #expect(scene.probe.printed("saved").isEmpty, scene.report)
  }

  // MARK: The disk is full

  @Test(arguments: [Way.directSave, .stream, .clipping, .copy])
  func `a disk that is full leaves nothing, and the source is told`(_ way: Way) async throws {
    try await XServer.with { server in
      let file = try Self.original(server)
      let scene = try await SavingScene.set(
        on: server, source: way.arguments(file), probe: way.probeArguments, limit: 128, probeLimit: 128)
      let ends = try await scene.dragAndDrop()
      // What the source could not write itself the probe has fetched whole: only then it is refused.
      expectFailed(scene, ends, words: "File too large")
      #expect(scene.entries == [], scene.report)
      #expect(FileManager.default.contents(atPath: file)?.count == Self.length)
    }
  }

  @Test func `what only the source cannot write the probe fetches`() async throws {
    try await XServer.with { server in
      let scene = try await SavingScene.set(
        on: server, source: Way.directSave.arguments(Self.original(server)), limit: 128)
      let ends = try await scene.dragAndDrop()
      #expect(ends == (.exited(0), .exited(0)), scene.report)
      #expect(scene.entries == ["original.bin"])
      #expect(scene.content("original.bin")?.utf8.count == Self.length)
    }
  }

  @Test(.enabled(if: isElsewhere("/dev/shm"), "there is no second file system"))
  func `a move to another file system that is full keeps the original`() async throws {
    try await XServer.with { server in
      let name = "xdnd-\(UUID().uuidString).bin"
      let file = "/dev/shm/" + name
      #expect(FileManager.default.createFile(atPath: file, contents: Data(count: Self.length)))
      defer { unlink(file) }
      let scene = try await SavingScene.set(
        on: server, source: Way.move.arguments(file), probe: Way.move.probeArguments, probeLimit: 128)
      let ends = try await scene.dragAndDrop()
      expectFailed(scene, ends, words: "File too large")
      #expect(scene.source.printed("ended").map { $0.boolean("delete") } == [false])
      #expect(scene.entries == [])
      #expect(FileManager.default.contents(atPath: file)?.count == Self.length)
    }
  }

  private static func isElsewhere(_ path: String) -> Bool {
    var (other, here) = (stat(), stat())
    return stat(path, &other) == 0 && access(path, W_OK) == 0
      && stat(FileManager.default.temporaryDirectory.path, &here) == 0 && other.st_dev != here.st_dev
  }

  /// A file system with room for 1 MiB, in a namespace of its own.
  private static let small = "mount -t tmpfs -o size=1m tmpfs \"$1\" && shift && exec \"$@\""

  @Test(.enabled("no user namespaces here") { await canMount })
  func `a copy to a disk that is full says how much is short`() async throws {
    try await XServer.with { server in
      let directory = server.directory("saved")
      #expect(mkdir(directory, 0o700) == 0)
      let file = try server.directory.write([UInt8](repeating: 1, count: 3 << 20), to: "film.bin")
      let scene = SavingScene(
        scene: try await DragScene.set(
          on: server,
          source: { try server.launchSource($0, ["--once", file]) },
          target: {
            try server.launch(
              "unshare",
              [
                "-Urm", "sh", "-c", Self.small, "sh", directory, BuiltProducts.executable("xdnd-probe"), "--json",
                "--once", "--geometry", $0, "--save", directory,
              ])
          }), directory: directory)
      let ends = try await scene.dragAndDrop()
      expectFailed(scene, ends, words: "'film.bin': disk full: 2.0 MiB short")
    }
  }

  // MARK: The directory goes

  @Test(arguments: Way.allCases)
  func `a directory that was removed before the drop takes nothing`(_ way: Way) async throws {
    try await XServer.with { server in
      let file = try Self.original(server)
      let scene = try await SavingScene.set(on: server, source: way.arguments(file), probe: way.probeArguments)
      try await scene.carryUntilAccepted()
      try scene.remove()
      scene.drop()
      expectFailed(scene, try await scene.ends(), words: "No such file or directory")
      #expect(scene.entries == nil)
      #expect(FileManager.default.contents(atPath: file)?.count == Self.length)
    }
  }

  @Test(arguments: Way.allCases)
  func `a file that was put in the place of the directory stays as it is`(_ way: Way) async throws {
    try await XServer.with { server in
      let file = try Self.original(server)
      let scene = try await SavingScene.set(on: server, source: way.arguments(file), probe: way.probeArguments)
      try await scene.carryUntilAccepted()
      try scene.remove()
      #expect(FileManager.default.createFile(atPath: scene.directory, contents: Data("a file".utf8)))
      scene.drop()
      let ends = try await scene.ends()
      expectFailed(scene, ends, words: "No such file or directory")
      #expect(FileManager.default.contents(atPath: scene.directory) == Data("a file".utf8))
      #expect(FileManager.default.contents(atPath: file)?.count == Self.length)
    }
  }

  @Test func `a directory that is removed while the source saves ends it at once`() async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let scene = try await SavingScene.set(
        on: server, source: ["--save-as", "note.bin", "--type", "a/b=!\(gate.command())"])
      try await scene.carryUntilAccepted()
      scene.drop()
      try await scene.source.waitForCommand()
      let start = ContinuousClock.now
      try scene.remove()
      #expect(try await scene.probe.exit() == .exited(6), scene.report)
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(scene.reason?.hasSuffix("No such file or directory") == true, scene.report)
      gate.open()
      let end = try await scene.source.exit()
      #expect(end == .exited(6) || end == .exited(1), scene.report)
      #expect(scene.source.printed("not-saved").count == 1, scene.report)
      #expect(scene.entries == nil)
    }
  }

  @Test(arguments: [false, true])
  func `a directory that is removed while bytes come is an error when they are there`(isReplaced: Bool) async throws {
    try await XServer.with { server in
      let gate = try Gate(server.directory)
      let command = gate.command(before: "head -c 1000000 /dev/zero")
      let scene = try await SavingScene.set(
        on: server, source: ["--type", "a/b=!\(command)"], probe: ["--accept", "a/b"])
      try await scene.carryUntilAccepted()
      scene.drop()
      try await scene.source.waitForCommand()
      try scene.remove()
      if isReplaced { #expect(FileManager.default.createFile(atPath: scene.directory, contents: nil)) }
      gate.open()
      expectFailed(scene, try await scene.ends(), words: "No such file or directory")
      #expect(scene.entries == nil)
    }
  }

  @Test func `a new directory of the same name is not the one that was opened`() async throws {
    try await XServer.with { server in
      let scene = try await SavingScene.set(on: server, source: ["--save-as", "note.txt", "--text", "x"])
      try await scene.carryUntilAccepted()
      try scene.remove()
      #expect(mkdir(scene.directory, 0o700) == 0)
      scene.drop()
      expectFailed(scene, try await scene.ends(), words: "No such file or directory")
      #expect(scene.entries == [])
    }
  }

  // MARK: The directory is read-only

  /// Read-only for everybody, also for root, whom permissions do not stop: a mount in a namespace of its own.
  private static let readOnly = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && shift && exec \"$@\""

  private static var canMount: Bool {
    get async {
      guard let directory = try? TemporaryDirectory(),
        let process = try? ChildProcess(
          "unshare", ["-Urm", "sh", "-c", readOnly, "sh", directory.path, "true"])
      else { return false }
      return (try? await process.exit()) == .exited(0)
    }
  }

  @Test(.enabled("no user namespaces here") { await canMount })
  func `a directory that is read-only is 64 and one line`() async throws {
    let directory = try TemporaryDirectory()
    let process = try ChildProcess(
      "unshare",
      [
        "-Urm", "sh", "-c", Self.readOnly, "sh", directory.path, BuiltProducts.executable("xdnd-probe"), "--save",
        directory.path,
      ])
    #expect(try await process.exit() == .exited(64))
    #expect(process.errors.text == "xdnd-probe: cannot write '\(directory.path)': Read-only file system\n")
  }

  @Test(.enabled("no user namespaces here") { await canMount }, arguments: Way.allCases)
  func `a directory that becomes read-only takes nothing`(_ way: Way) async throws {
    try await XServer.with { server in
      let file = try Self.original(server)
      let directory = server.directory("saved")
      #expect(mkdir(directory, 0o700) == 0)
      let mount = "mount --bind \"$1\" \"$1\" && shift && exec \"$@\""
      let scene = SavingScene(
        scene: try await DragScene.set(
          on: server,
          source: { try server.launchSource($0, ["--once"] + way.arguments(file)) },
          target: {
            try server.launch(
              "unshare",
              [
                "-Urm", "sh", "-c", mount, "sh", directory, BuiltProducts.executable("xdnd-probe"), "--json", "--once",
                "--geometry", $0, "--save", directory,
              ] + way.probeArguments)
          }), directory: directory)
      try await scene.carryUntilAccepted()
      let remount = try ChildProcess(
        "nsenter", ["-t", "\(scene.probe.pid)", "-U", "-m", "mount", "-o", "remount,ro,bind", directory])
      #expect(try await remount.exit() == .exited(0))
      scene.drop()
      expectFailed(scene, try await scene.ends(), words: "Read-only file system")
      #expect(scene.entries == [])
      #expect(FileManager.default.contents(atPath: file)?.count == Self.length)
    }
  }
}
