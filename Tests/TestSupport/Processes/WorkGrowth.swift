import Glibc

/// How the work for something grows with its size, by the processor time of the calling thread: other programs and other
/// tests take none of it.
package enum WorkGrowth {
  /// The larger size by the smaller one. Work that is linear grows as much, quadratic work by its square.
  package static let factor = 8

  /// What linear work stays below, and quadratic work exceeds by far.
  package static let limit = 24.0

  /// Returns how many times the work for the larger input is the work for the smaller one.
  ///
  /// The least of several rounds: a busy machine can only add to the time. Another round follows only above `limit`.
  package static func ratio(below limit: Double = limit, _ small: () -> Void, _ large: () -> Void) -> Double {
    var ratio = Double.infinity
    for _ in 0..<5 where ratio > limit { ratio = min(ratio, processorTime(large) / processorTime(small)) }
    return ratio
  }

  /// The processor time that some work takes, in nanoseconds; at least one.
  package static func processorTime(_ work: () -> Void) -> Double {
    let start = now()
    work()
    return max(1, now() - start)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
