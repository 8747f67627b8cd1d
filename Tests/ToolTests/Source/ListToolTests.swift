import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// Names of files on the standard input of `xdnd-source`.
@Suite("Rows that come and go", .serialized, .requiresXvfb, .timeLimit(.minutes(4)))
struct ListToolTests {
  private func files(_ names: String..., in server: XServer) throws {
    for name in names { _ = try server.directory.write(name.utf8, to: name) }
  }

  @Test func `rows come while the window is open, and can be dragged`() async throws {
    try await XServer.with { server in
      try files("one", "-two", "three", in: server)
      let feed = try NameFeed(in: server.directory)
      feed.write("one\n")
      let source = try server.launchSource(reading: feed, ["--stdin", "--geometry", "300x400+60+60"])
      #expect(try await source.waitFor("ready").titles == ["one"])
      feed.write("\n-two\nmissing\n")
      let added = try await source.waitFor("rows")
      #expect(added.titles == ["-two"])
      #expect(added.integer("first") == 1)
      #expect(source.printed("skipped").map { $0.string("path") } == ["missing"])
      feed.write("file://\(server.directory("three"))\r\n")
      let last = try #require(try await source.waitFor("rows").objects("rows")?.first)

      let (probe, _) = try await server.launchTarget()
      let pointer = try Pointer(server)
      try await pointer.drag(along: [last.point, DragScene.target])
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      pointer.release()
      let data = try await probe.waitFor("data")
      #expect(data.objects("files")?.map { $0.string("path") } == [server.directory("three")])
      #expect(source.errors.text == "xdnd-source: cannot read 'missing': No such file or directory\n")
    }
  }

  @Test func `what arrives during a drag of the heading is neither dragged with it nor selected`() async throws {
    try await XServer.with { server in
      try files("one", "two", "three", in: server)
      let feed = try NameFeed(in: server.directory)
      feed.write("one\ntwo\n")
      let source = try server.launchSource(reading: feed, ["--stdin", "--geometry", "300x400+60+60"])
      let ready = try await source.waitFor("ready")
      #expect(ready.titles == ["one", "two"])
      let heading = DragScene.heading(of: ready.frame)
      let (probe, _) = try await server.launchTarget()
      let pointer = try Pointer(server)
      func carry() async throws {
        try await pointer.drag(along: [heading, DragScene.target])
        try await source.waitFor("drag-began")
        try await source.waitFor("proposal") { $0.string("operation") != nil }
      }
      func drop() async throws -> [String?]? {
        pointer.release()
        let data = try await probe.waitFor("data")
        try await source.waitFor("ended")
        return data.objects("files")?.map { $0.string("path") }
      }

      try await carry()
      feed.write("three\n")
      #expect(try await source.waitFor("rows").titles == ["three"])
      #expect(try await drop() == ["one", "two"].map { server.directory($0) })
      #expect(source.printed("selection").isEmpty)

      // It is in the next one.
      try await carry()
      #expect(try await drop() == ["one", "two", "three"].map { server.directory($0) })
    }
  }

  @Test func `a pipe is read by itself if nothing else is given, and its end is told`() async throws {
    try await XServer.with { server in
      try files("one", "two", in: server)
      let tool = try BuiltProducts.executable("xdnd-source")
      let source = try server.launch("bash", ["-c", #"printf 'one\ntwo' | "$0" --json"#, tool])
      #expect(try await source.waitFor("ready").titles == ["one", "two"])
      #expect(try await source.waitFor("list-ended").integer("count") == 2)
      // A file that is named is all there is then: who has a pipe for another reason does not want it read.
      let other = try server.launch("bash", ["-c", #"printf 'one\n' | "$0" --json two"#, tool])
      #expect(try await other.waitFor("ready").titles == ["two"])
    }
  }

  @Test func `a list that names nothing is a mistake of the arguments`() async throws {
    try await XServer.with { server in
      let tool = try BuiltProducts.executable("xdnd-source")
      for script in [#"printf '' | "$0""#, #"printf 'missing\n' | "$0""#, #"sleep 0.5 | "$0""#] {
        let source = try server.launch("bash", ["-c", script, tool])
        #expect(try await source.exit() == .exited(64))
        #expect(source.errors.text.hasSuffix("nothing to drag: standard input names no readable file\n"))
      }
    }
  }

  @Test func `a name with a NUL is left out, and the reason names the option that reads such lists`() async throws {
    try await XServer.with { server in
      try files("one", "two", "three", in: server)
      let tool = try BuiltProducts.executable("xdnd-source")
      let reason = "cannot read 'one': a NUL follows, and only -0 reads such lists"
      let mixed = try server.launch("bash", ["-c", #"printf 'one\0two\0\nthree\n' | "$0" --json --stdin"#, tool])
      #expect(try await mixed.waitFor("ready").titles == ["three"])
      #expect(mixed.printed("skipped").map { $0.string("reason") } == [reason])
      #expect(await mixed.errors.line(at: 0) == "xdnd-source: \(reason)")
      let useless = try server.launch("bash", ["-c", #"printf 'one\0two\0' | "$0" --stdin"#, tool])
      #expect(try await useless.exit() == .exited(64))
      let errors = useless.errors.completeLines
      #expect(errors.first == "xdnd-source: \(reason)")
      #expect(errors.last?.hasSuffix("nothing to drag: standard input names no readable file") == true)
    }
  }

  @Test func `ten thousand names are dropped as one list of files, in their order`() async throws {
    try await XServer.with { server in
      let folder = server.directory("many" + String(repeating: "-", count: 200))
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let paths = (0..<10_000).map { "\(folder)/file \($0)" }
      for path in paths { close(open(path, O_CREAT | O_WRONLY, 0o600)) }
      let list = try server.directory.write(paths.joined(separator: "\0").utf8, to: "list")
      let tool = try BuiltProducts.executable("xdnd-source")
      let source = try server.launch(
        "bash", ["-c", #"exec "$0" --json -0 --and-exit first --geometry 300x400+60+60 < "$1""#, tool, list])
      // A debug build on a busy machine takes its time for so many.
      let ready = try await source.waitFor("ready", timeout: .seconds(60))
      #expect(try await source.waitFor("list-ended", timeout: .seconds(60)).integer("count") == 10_000)
      // The names come in some forty pieces. Each growth lays out all rows.
      #expect(source.printed("rows").count < 16)
      let (probe, _) = try await server.launchTarget()
      let pointer = try Pointer(server)
      try await pointer.drag(along: [DragScene.heading(of: ready.frame), DragScene.target])
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      pointer.release()
      let data = try await probe.waitFor("data", timeout: .seconds(60))
      // A failed expectation would print all of them.
      let isSame = data.objects("files")?.map { $0.string("path") } == paths
      #expect(isSame)
      #expect(try await source.exit() == .exited(0))
    }
  }

  @Test func `files have the names that the other end of an ssh session has for them`() async throws {
    try await XServer.with { server in
      try files("a b", in: server)
      let (probe, window) = try await server.launchTarget(["--accept", "text/uri-list"])
      func uri(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> String? {
        let source = try server.launchBareSource(["--to", "\(window)", "a b"] + arguments, environment: environment)
        let data = try await probe.waitFor("data")
        #expect(try await source.exit() == .exited(0))
        return data.objects("files")?.first?.string("uri")
      }
      let path = server.directory("a b").replacingOccurrences(of: " ", with: "%20")
      #expect(try await uri(["--prefix", "smb://box/share"]) == "smb://box/share\(path)")
      let remote = try await uri(["--remote"], ["SSH_CONNECTION": "10.0.0.2 5 10.0.0.1 2222"])
      #expect(remote?.hasPrefix("sftp://") == true)
      #expect(remote?.hasSuffix("@10.0.0.1:2222\(path)") == true)
    }
  }
}
