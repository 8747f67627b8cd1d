import Testing

@testable import XDnD

@Suite struct ProtocolVersionTests {
  @Test(arguments: 0...255 as ClosedRange<UInt32>)
  func `both speak the lower version, never above 5, and nothing below 3`(stated: UInt32) {
    let expected: UInt8? =
      switch stated {
      case 0, 1, 2: nil
      case 3: 3
      case 4: 4
      default: 5
      }
    #expect(ProtocolVersion(negotiatedWith: stated)?.number == expected)
  }

  @Test func `a version word of any size is survived`() {
    #expect(ProtocolVersion(negotiatedWith: .max) == .v5)
  }

  @Test func `only version 5 reports a result`() {
    #expect(!ProtocolVersion.v3.reportsResult)
    #expect(!ProtocolVersion.v4.reportsResult)
    #expect(ProtocolVersion.v5.reportsResult)
  }

  @Test func `what we advertise is exactly 5`() {
    #expect(ProtocolVersion.advertised.number == 5)
  }
}
