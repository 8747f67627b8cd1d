/// A version of XDND that this library speaks: 3, 4 or 5.
///
/// Version 3 moved `XdndAware` to top-level windows and is incompatible with earlier versions. Version 4 added
/// `XdndProxy`. Version 5 added the result to `XdndFinished`.
package struct ProtocolVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number in `XdndAware` and `XdndEnter`.
  package let number: UInt8

  private init(number: UInt8) {
    self.number = number
  }

  static let v3 = ProtocolVersion(number: 3)
  static let v4 = ProtocolVersion(number: 4)
  static let v5 = ProtocolVersion(number: 5)

  /// The version in this library's `XdndAware`. Exactly 5: Chromium skips targets below 5, and JX, GLFW and tkdnd
  /// ignore sources with a higher version than their own.
  static let advertised = v5

  /// The version to use with a peer that states `theirs`; `nil` below 3.
  ///
  /// A peer may state more than 5: GTK sources copy the number from the target's `XdndAware`.
  package init?(negotiatedWith theirs: UInt32) {
    guard theirs >= 3 else { return nil }
    self.number = UInt8(min(5, theirs))
  }

  /// Whether `XdndFinished` reports success and the performed operation. Below version 5 a source has to assume
  /// success.
  var reportsResult: Bool { self >= .v5 }

  /// Orders versions by number.
  package static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool { left.number < right.number }

  /// The number in decimal.
  package var description: String { String(number) }
}
