/// A version of the XDND protocol that we speak: 3, 4 or 5.
///
/// Version 3 moved `XdndAware` to top-level windows, and nothing before it can be mixed with what came after; 4 added
/// `XdndProxy`; 5 added the result to `XdndFinished`.
public struct ProtocolVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number that `XdndAware` and `XdndEnter` carry.
  public let number: UInt8

  private init(number: UInt8) {
    self.number = number
  }

  static let v3 = ProtocolVersion(number: 3)
  static let v4 = ProtocolVersion(number: 4)
  static let v5 = ProtocolVersion(number: 5)

  /// What we put into `XdndAware`. Exactly 5: Chromium passes over targets below 5, JX, GLFW and tkdnd ignore sources
  /// that speak more than they do.
  static let advertised = v5

  /// The version that we and a peer which states `theirs` both speak; `nil` below 3.
  ///
  /// A peer may state more than 5: GTK sources copy the number from the target's `XdndAware`.
  init?(negotiatedWith theirs: UInt32) {
    guard theirs >= 3 else { return nil }
    self.number = UInt8(min(5, theirs))
  }

  /// Whether `XdndFinished` says if the drop succeeded and how. Older sources have to assume that it did.
  var reportsResult: Bool { self >= .v5 }

  /// Older before newer.
  public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool { left.number < right.number }

  /// The bare number.
  public var description: String { String(number) }
}
