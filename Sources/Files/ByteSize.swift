/// Numbers of bytes: their sum, and text for the user.
package enum ByteSize {
  /// Returns the sum, at most `Int.max`, which two sparse files can exceed together.
  package static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? .max : sum
  }

  /// Returns a byte count with a binary unit: `8.0 MiB`.
  package static func words(for count: Int) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var value = Double(count) / 1024
    var unit = "KiB"
    for next in ["MiB", "GiB", "TiB"] where value >= 1024 {
      value /= 1024
      unit = next
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
