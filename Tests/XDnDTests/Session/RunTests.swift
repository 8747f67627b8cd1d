import Foundation
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("The run loop for Swift concurrency", .timeLimit(.minutes(1)))
@MainActor
struct RunTests {
  /// The epoll instances of this process that watch a descriptor.
  private func watchers(of descriptor: CInt) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").filter { entry in
      // Others come and go meanwhile.
      let info = (try? String(contentsOfFile: "/proc/self/fdinfo/\(entry)", encoding: .utf8)) ?? ""
      return info.split(separator: "\n").contains { line in
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        return fields.first == "tfd:" && fields.dropFirst().first == "\(descriptor)"
      }
    }
  }

  @Test(.exhaustive) func `nothing watches the descriptor when the loop has ended`() async throws {
    // Busy cores delay Dispatch's removal of the descriptor from its epoll instance.
    let busy = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Thread { while !Thread.current.isCancelled {} }
    }
    for thread in busy { thread.start() }
    defer { for thread in busy { thread.cancel() } }
    for _ in 0..<40 {
      let driver = Simulation.recordingIssues().program().driver
      let run = Task { try await driver.run() }
      // Until it sleeps.
      while try watchers(of: driver.fileDescriptor).isEmpty { await Task.yield() }
      run.cancel()
      try await run.value
      #expect(try watchers(of: driver.fileDescriptor).isEmpty)
    }
  }
}
