import ArgumentParser

/// A parser for option values that are a number of bytes, such as `500M`.
package enum SizeArgument {
  /// Parses digits with an optional `K`, `M`, `G` or `T` for powers of 1024. Throws `ValidationError` for anything
  /// else.
  @Sendable package static func bytes(_ argument: String) throws -> Int {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = argument.last.flatMap { units[Character($0.uppercased())] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int(digits)
    else { throw ValidationError("expected a number of bytes, such as 500M") }
    let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !isTooMuch else { throw ValidationError("the number of bytes is too large") }
    return bytes
  }
}
