import Glibc

/// The run without the searches through thousands of cases: `scripts/test unit`.
enum QuickTests {
  private static let isRunning = getenv("XDND_QUICK_TESTS") != nil

  /// The number of random cases to try: all of them, or the first tenth in a quick run.
  ///
  /// - Parameter part: The part to try in a quick run, if a tenth takes seconds.
  static func cases(of all: Int, part: Int = 10) -> Int { isRunning ? all / part : all }

  /// The numbers to try: all of them, or each tenth in a quick run.
  static func numbers(of all: Range<Int>) -> StrideTo<Int> {
    stride(from: all.lowerBound, to: all.upperBound, by: isRunning ? 10 : 1)
  }
}
