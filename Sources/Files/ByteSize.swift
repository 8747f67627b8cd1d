/// Numbers of bytes as text for the user.
package enum ByteSize {
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
