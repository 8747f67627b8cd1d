import FuzzRuns
import Glibc

/// A part of the library, and what must hold for it whatever bytes it is given.
struct FuzzTarget: Sendable {
  let name: String
  /// The longest input, in bytes.
  let longest: Int
  /// The time that reading an input of ``measuredLength`` bytes may take, in seconds of this thread; `nil` if the time is not
  /// measured.
  let budget: Double?
  let run: @Sendable (Input) -> Void

  /// The length of the inputs whose time is measured. A quadratic reader does not read one within the budget.
  private static let measuredLength = 1 << 16

  /// A reader of content. Those whose inputs are written again and again have shorter ones.
  init(_ name: String, longest: Int = 1 << 16, budget: Double? = 1, run: @escaping @Sendable (Input) -> Void) {
    self.name = name
    self.longest = longest
    self.budget = budget
    self.run = run
  }

  static let all: [FuzzTarget] = [wire, text, files, pages, names, types, formats, machines, drivers].flatMap(\.self)
}

/// What the fuzzer gives a target.
struct Input {
  let bytes: [UInt8]
  /// Whether the target has to spoil a result in a rare case, to show that it finds what is wrong.
  let isPlanted: Bool
  /// Whether the time is measured. Then the input is long, and is only read.
  var isMeasured = false

  var choices: ByteChoices { ByteChoices(bytes[...]) }

  /// The bytes as text; U+FFFD for what is not UTF-8.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The first byte, to choose with, and the others.
  var split: (choice: Int, rest: [UInt8]) { (Int(bytes.first ?? 0), Array(bytes.dropFirst())) }

  /// A result; a wrong one if a fault is planted, and two rare bytes stand in the decoded `content`.
  func planted<Value>(
    _ value: Value, in content: @autoclosure () -> [UInt8], _ spoil: (Value) -> Value
  ) -> Value {
    isPlanted && hasMark(content()) ? spoil(value) : value
  }
}

/// Ends the process with what was found.
func finding(_ what: String) -> Never {
  report("Finding: \(what)")
  abort()
}

/// Writes a line to the standard error.
func report(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
  if !isRight { finding(what()) }
}

/// Whether `qz` stands in the bytes. The first letter is an edge of its own, which the fuzzer sees.
private func hasMark(_ bytes: [UInt8]) -> Bool {
  for (index, byte) in bytes.enumerated().dropLast() where byte == UInt8(ascii: "q") {
    note(1)
    if bytes[index + 1] == UInt8(ascii: "z") { return true }
  }
  return false
}

/// Keeps the compiler from removing the edge.
@inline(never) private func note(_ number: Int32) { errno = number }

/// The time that this thread has had a processor for, in seconds.
private func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

extension FuzzTarget {
  /// Runs the target once, and for some inputs a second time with a part of the input repeated up to ``measuredLength``: work
  /// that grows faster than the content takes seconds there.
  func feed(_ bytes: [UInt8], isPlanted: Bool) {
    run(Input(bytes: bytes, isPlanted: isPlanted))
    guard let budget, bytes.count > 3, let long = repeated(bytes) else { return }
    let input = Input(bytes: long, isPlanted: isPlanted, isMeasured: true)
    // The shortest of three: other programs may run as well.
    var shortest = Double.infinity
    for _ in 0..<3 {
      let start = threadTime()
      run(input)
      shortest = min(shortest, threadTime() - start)
      if shortest < budget { return }
    }
    finding("\(shortest) s for \(long.count) bytes, which repeat a part of the input")
  }

  /// A few bytes, then one part again and again, then the last bytes. `nil` for most inputs: it depends on the bytes alone
  /// which ones are measured, so a finding can be repeated.
  private func repeated(_ bytes: [UInt8]) -> [UInt8]? {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes.prefix(256) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash ^= hash >> 29
    guard hash & 0xFFF == 0 || isMeasuringAll else { return nil }
    func below(_ bound: Int) -> Int {
      hash = hash &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
      return Int((hash >> 33) % UInt64(bound))
    }
    let start = 1 + below(bytes.count - 1)
    let part = bytes[start..<min(bytes.count, start + 1 + below(16))]
    var long = Array(bytes[..<start])
    while long.count < Self.measuredLength - bytes.count { long += part }
    return long + bytes[start...]
  }
}

/// Whether each input is also repeated: the environment variable `XDND_FUZZ_MEASURE`.
private let isMeasuringAll = getenv("XDND_FUZZ_MEASURE") != nil
