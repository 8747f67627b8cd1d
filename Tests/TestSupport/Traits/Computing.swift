import Foundation
import Glibc
import Synchronization
package import Testing

/// Runs tests that compute for long on threads of their own.
///
/// Swift's pool has as many threads as there are cores, and a test that computes gives its thread back when it is done:
/// meanwhile tests that wait for children, servers and clocks would starve, and run into their time limits.
package struct ComputingTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ComputingThreads.shared) { try await function() }
  }
}

extension Trait where Self == ComputingTrait {
  /// For tests that never wait and take longer than a tenth of a second.
  package static var computing: Self { Self() }
}

/// As many threads as there are cores, which yield to everything else that wants to run.
private final class ComputingThreads: TaskExecutor {
  static let shared = ComputingThreads()

  private let jobs = Mutex<[UnownedJob]>([])
  private let available = DispatchSemaphore(value: 0)

  private init() {
    for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
      Thread.detachNewThread { [self] in
        // On Linux this is about the calling thread alone.
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
        while true {
          available.wait()
          jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    available.signal()
  }
}
