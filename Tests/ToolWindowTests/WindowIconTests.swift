import Testing

@testable import XDnDToolWindow

@Suite("The icons of windows") struct WindowIconTests {
  private func pixels(_ icon: WindowIcon, _ side: Int) throws -> [UInt32] { try #require(icon.pixels(side: side)) }

  @Test(arguments: WindowIcon.allCases)
  func `the property has each size, one after the other, with its pixels`(_ icon: WindowIcon) throws {
    var rest = icon.property[...]
    for side in WindowIcon.sides {
      #expect(rest.prefix(2) == [UInt32(side), UInt32(side)])
      rest = rest.dropFirst(2 + side * side)
    }
    #expect(rest.isEmpty)
    #expect(icon.property.count == WindowIcon.sides.reduce(0) { $0 + 2 + $1 * $1 })
  }

  @Test(arguments: WindowIcon.allCases, WindowIcon.sides)
  func `an icon is opaque in its middle and clear in its corners, and its edges keep their color`(
    _ icon: WindowIcon, _ side: Int
  ) throws {
    let drawn = try pixels(icon, side)
    #expect(drawn[side / 2 * side + side / 2] >> 24 == 255)
    for corner in [0, side - 1, (side - 1) * side, side * side - 1] { #expect(drawn[corner] >> 24 < 128) }
    let start = try #require(
      WindowIcon.sides.firstIndex(of: side).map { index in
        WindowIcon.sides[..<index].reduce(2) { $0 + 2 + $1 * $1 }
      })
    let sent = Array(icon.property[start..<start + side * side])
    // The middle of the upper edge is ground that covers a part of its pixels.
    let (edge, ground) = (sent[side / 2], sent[side * 3 / 32 * side + side / 2])
    #expect(edge >> 24 == drawn[side / 2] >> 24)
    if edge >> 24 > 32 {
      for shift in [0, 8, 16] as [UInt32] {
        #expect(abs(Int(edge >> shift & 0xFF) - Int(ground >> shift & 0xFF)) <= 8)
      }
    }
  }

  @Test(arguments: WindowIcon.sides)
  func `the icons of both ends of a drag differ, not only in their color`(_ side: Int) throws {
    func light(_ pixels: [UInt32]) -> Set<Int> { Set(pixels.indices.filter { pixels[$0] & 0x00FF_00FF > 0x00C0_00C0 }) }
    let (source, target) = (light(try pixels(.source, side)), light(try pixels(.target, side)))
    #expect(source.symmetricDifference(target).count > side * side / 40)
  }
}
