import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Content as chunks, as a file, and as the first of several types, from another process.
@Suite("Loading what was dropped", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
@MainActor
struct LoadingTests {
  private static let big = TestContent.bytes(9 << 20)

  private static func bigSource(_ directory: TemporaryDirectory) throws -> [String] {
    ["--type", "a/b=@\(try directory.write(big, to: "big"))"]
  }

  /// Without an end, as far as a test can see.
  private static func endlessSource(_ directory: TemporaryDirectory) throws -> [String] {
    let path = try directory.write([], to: "endless")
    #expect(truncate(path, 1 << 40) == 0)
    return ["--type", "a/b=@\(path)"]
  }

  // MARK: Chunks

  @Test func `chunks come in order, and no more than two are read ahead`() async throws {
    let report = try await DropReceiver.drop(source: Self.bigSource) { drop, _, _ in
      let stream = drop.contentStream(of: "a/b")
      var bytes: [UInt8] = []
      var ahead = 0
      for try await chunk in stream {
        bytes += chunk
        // Whatever could come comes.
        for _ in 0..<20 { await Task.yield() }
        ahead = max(ahead, stream.receivedByteCount - bytes.count)
        #expect(stream.expectedByteCount == Self.big.count)
      }
      drop.finish(.copy)
      #expect(ahead > 0 && ahead <= 2 << 19)
      #expect(stream.propertyType == "a/b")
      return bytes == Self.big
    }
    #expect(report.value)
    #expect(report.source == .exited(0))
  }

  @Test func `a chunk stream that nobody iterates any more is cancelled`() async throws {
    let report = try await DropReceiver.drop(source: Self.endlessSource) { drop, _, _ in
      for try await chunk in drop.chunks(of: "a/b") {
        #expect(!chunk.isEmpty)
        break
      }
      let loads = drop.context?.reactor.loads.count
      drop.reject()
      return loads
    }
    #expect(report.value == 0)
    #expect(report.source == .exited(1))
  }

  @Test func `a task that is cancelled while it waits for a chunk cancels the transfer`() async throws {
    let report = try await DropReceiver.drop(source: Self.endlessSource) { drop, source, _ in
      source.send(SIGSTOP)
      let stream = drop.contentStream(of: "a/b")
      let reader = Task {
        do throws(XDnDError) {
          for try await _ in stream {}
          return XDnDError.Code?.none
        } catch {
          return error.code
        }
      }
      await Task.yield()
      reader.cancel()
      let code = await reader.value
      drop.reject()
      return (code: code, loads: drop.context?.reactor.loads.count)
    }
    #expect(report.value.code == .cancelled)
    #expect(report.value.loads == 0)
  }

  @Test func `chunks end with the limit, with cancel, and with the source`() async throws {
    let report = try await DropReceiver.drop(source: Self.endlessSource) { drop, source, _ in
      var codes: [XDnDError.Code?] = []
      for end in 0..<3 {
        let stream = drop.contentStream(of: "a/b", limit: end == 0 ? 1 << 20 : nil)
        do throws(XDnDError) {
          for try await _ in stream {
            if end == 1 { stream.cancel() }
            if end == 2 { source.kill() }
          }
          codes.append(nil)
        } catch {
          codes.append(error.code)
        }
      }
      return codes
    }
    #expect(report.value == [.tooLarge, .cancelled, .sourceVanished])
    #expect(report.source == .signalled(SIGKILL))
  }

  // MARK: Whole

  @Test func `a task that is cancelled while it waits for content cancels the transfer`() async throws {
    let report = try await DropReceiver.drop(source: Self.endlessSource) { drop, source, directory in
      source.send(SIGSTOP)
      var codes: [XDnDError.Code?] = []
      for toFile in [false, true] {
        let load = Task {
          do throws(XDnDError) {
            if toFile {
              try await drop.load("a/b", toFile: directory("out"))
            } else {
              _ = try await drop.load("a/b")
            }
            return XDnDError.Code?.none
          } catch {
            return error.code
          }
        }
        await Task.yield()
        load.cancel()
        codes.append(await load.value)
      }
      #expect(drop.context?.reactor.loads.count == 0)
      drop.reject()
      return codes
    }
    #expect(report.value == [.cancelled, .cancelled])
    #expect(access(report.directory("out"), F_OK) != 0)
  }

  @Test func `what is still under way when the driver goes away ends, and later loads do at once`() async throws {
    let codes = try await XServer.with { server in
      let source = try server.launchSource("200x200+50+50", ["--text", "x"])
      let (drops, dropped) = AsyncStream<Void>.makeStream()
      var session: DropSession?
      var receiver: DropReceiver? = try DropReceiver(server.displayName) { drop, _ in
        session = drop
        dropped.finish()
      }
      let start = try await DragScene.readyPoint(of: source)
      let pointer = try Pointer(server)
      let run = Task { [driver = receiver?.driver] in try await driver?.run() }
      try await pointer.drag(along: [start, DropReceiver.center])
      try await source.waitFor("proposal") { $0.string("operation") != nil }
      pointer.release()
      for await _ in drops {}
      run.cancel()
      _ = try await run.value
      var codes: [XDnDError.Code?] = []
      let keep: (Result<LoadedContent, XDnDError>) -> Void = {
        if case .failure(let error) = $0 { codes.append(error.code) } else { codes.append(nil) }
      }
      let task = session?.load(.plainText, completion: keep)
      #expect(task?.isFinished == false)
      receiver = nil
      #expect(task?.isFinished == true)
      session?.load(.plainText, completion: keep)
      #expect(receiver == nil)
      return codes
    }
    #expect(codes == [.cancelled, .notDropped])
  }

  // MARK: Files

  @Test func `content goes straight into a file, with progress`() async throws {
    let report = try await DropReceiver.drop(source: Self.bigSource) { drop, _, directory in
      var seen: [Int?] = []
      try await drop.load("a/b", toFile: directory("out")) {
        #expect(access(directory("out"), F_OK) != 0)
        if $0 > 0 { seen.append($1) }
      }
      drop.finish(.copy)
      return seen
    }
    #expect(report.value.count > 9)
    #expect(report.value.allSatisfy { $0 == Self.big.count })
    #expect(report.source == .exited(0))
    #expect(FileManager.default.contents(atPath: report.directory("out")).map(Array.init) == Self.big)
    #expect(try FileManager.default.contentsOfDirectory(atPath: report.directory.path).sorted() == ["big", "out"])
  }

  @Test func `a directory that is removed in the middle fails the load, and the source hears of it`() async throws {
    let report = try await DropReceiver.drop(source: Self.bigSource) { drop, _, directory -> XDnDError? in
      #expect(mkdir(directory("sub"), 0o700) == 0)
      do throws(XDnDError) {
        try await drop.load("a/b", toFile: directory("sub/out")) { received, _ in
          if received > 0 { try? FileManager.default.removeItem(atPath: directory("sub")) }
        }
        return nil
      } catch {
        drop.reject()
        return error
      }
    }
    #expect(report.value?.code == .fileNotWritten)
    #expect(report.value?.message == "cannot write '\(report.directory("sub/out"))': No such file or directory")
    // The content has been delivered whole; the target reports failure.
    #expect(report.source == .exited(0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: report.directory.path) == ["big"])
  }

  @Test func `a file that cannot be made fails the load at once, and another place may do`() async throws {
    let report = try await DropReceiver.drop(source: Self.bigSource) { drop, _, directory in
      let error = await #expect(throws: XDnDError.self) {
        try await drop.load("a/b", toFile: directory("big"), replacing: false)
      }
      try await drop.load("a/b", toFile: directory("other"), replacing: false)
      drop.finish(.copy)
      return error?.code
    }
    #expect(report.value == .fileNotWritten)
    #expect(report.source == .exited(0))
    #expect(FileManager.default.contents(atPath: report.directory("other")).map(Array.init) == Self.big)
  }
}
