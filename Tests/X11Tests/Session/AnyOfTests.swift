import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Sources offer types that they do not give.
@Suite("Loading the first of several types", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
@MainActor
struct AnyOfTests {
  /// What came, and what was tried before, each with how it failed.
  private struct Found: Sendable {
    var content: Result<LoadedContent, XDnDError>
    var failures: [String] = []
  }

  /// Offers `a/1`, whose file goes away, `a/2` and `a/3`.
  private func load(
    _ types: [ContentType], limit: Int? = nil, where isUsable: @escaping (LoadedContent) -> Bool = { _ in true },
    meanwhile: @escaping @MainActor (ChildProcess, LoadTask) -> Void = { _, _ in }
  ) async throws -> Found {
    try await DropReceiver.drop(
      source: { directory in
        ["--type", "a/1=@\(try directory.write([1], to: "1"))", "--type", "a/2=two", "--type", "a/3=three"]
      }, accepted: { #expect(unlink($0("1")) == 0) }
    ) { drop, source, _ in
      let (results, result) = AsyncStream<Result<LoadedContent, XDnDError>>.makeStream()
      var failures: [String] = []
      let task = drop.load(
        anyOf: types, limit: limit, where: isUsable, onFailure: { failures.append("\($0) \($1.code)") },
        completion: {
          result.yield($0)
          result.finish()
        })
      meanwhile(source, task)
      for await result in results {
        #expect(task.isFinished)
        drop.reject()
        return Found(content: result, failures: failures)
      }
      throw HarnessError("it never ended")
    }.value
  }

  @Test func `what is refused is passed over`() async throws {
    let found = try await load(["a/1", "a/4", "a/2", "a/3"])
    let content = try found.content.get()
    #expect(content.bytes == Array("two".utf8))
    #expect(content.requestedType == "a/2")
    #expect(found.failures == ["a/1 transferRefused", "a/4 transferRefused"])
  }

  @Test func `what is not well-formed is passed over`() async throws {
    let found = try await load(["a/2", "a/3"], where: { $0.bytes.count > 3 })
    #expect(try found.content.get().requestedType == "a/3")
    #expect(found.failures == ["a/2 transferFailed"])
  }

  @Test func `if none works the last error is told, and without any type one of its own`() async throws {
    let found = try await load(["a/1", "a/4"])
    #expect(throws: XDnDError.self) { try found.content.get() }
    #expect(found.failures == ["a/1 transferRefused", "a/4 transferRefused"])
    let none = try await load([])
    #expect(throws: XDnDError.self) { try none.content.get() }
    #expect(none.failures == [])
  }

  @Test func `too much is too much in any type`() async throws {
    let found = try await load(["a/3", "a/2"], limit: 3)
    #expect(found.failures == ["a/3 tooLarge"])
  }

  @Test func `a source that dies, and second thoughts, end it`() async throws {
    let died = try await load(["a/1", "a/2"], meanwhile: { source, _ in source.kill() })
    #expect(died.failures.last?.hasSuffix("sourceVanished") == true)
    #expect(died.failures.count <= 2)
    let cancelled = try await load(["a/1", "a/2"], meanwhile: { _, task in task.cancel() })
    #expect(cancelled.failures == ["a/1 cancelled"])
  }

  @Test func `async code gets it too`() async throws {
    let report = try await DropReceiver.drop(source: { _ in ["--type", "a/2=two"] }) { drop, _, _ in
      let content = try await drop.load(anyOf: ["a/1", "a/2"])
      drop.finish(.copy)
      return content.requestedType
    }
    #expect(report.value == "a/2")
    #expect(report.source == .exited(0))
  }
}
