/// Decides what a run does next: a generator of random numbers, or the bytes of a fuzzer.
package protocol Choices {
  /// A number below `bound`.
  mutating func below(_ bound: Int) -> Int

  /// Whether nothing is left to decide with. The run goes to its end then.
  var isOver: Bool { get }
}

extension Choices {
  /// True once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of `choices`, which must not be empty.
  package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}

/// The bytes of a fuzzer as decisions, one byte each.
package struct ByteChoices: Choices {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  package var isOver: Bool { rest.isEmpty }

  package mutating func below(_ bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    var number = Int(rest.popFirst() ?? 0)
    if bound > 256 { number = number << 8 | Int(rest.popFirst() ?? 0) }
    return number % bound
  }

  /// The next bytes, and fewer at the end.
  package mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  package mutating func word() -> UInt32 { bytes(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
