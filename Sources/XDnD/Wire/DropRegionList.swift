/// The property `_XDND_DROP_REGIONS`, in which a target lists the parts of its window that take drops.
///
/// It is no part of XDND. Sources of this library read it when Tab is pressed, and go to each part. It contains four words of
/// type `INTEGER` and format 32 for each region, from the lowest to the highest one: x, y, width and height in pixels from the
/// window's upper left corner.
package enum DropRegionList {
  /// The maximum number of regions: one step of the Tab key each.
  package static let limit = 64

  package static func value(of frames: [Rect]) -> PropertyValue {
    let words = frames.prefix(limit).flatMap { [$0.origin.x, $0.origin.y, $0.width, $0.height] }
    return PropertyValue(type: .integer, contents: .words(words.map { UInt32(bitPattern: Int32(clamping: $0)) }))
  }

  /// Returns the frames in the words of another program's property. Empty rectangles, and those beyond what windows can
  /// have, are left out.
  package static func frames(in words: [UInt32]) -> [Rect] {
    let numbers = words.prefix(4 * limit).map { Int(Int32(bitPattern: $0)) }
    return stride(from: 0, to: numbers.count - numbers.count % 4, by: 4).compactMap { start in
      let (x, y, width, height) = (numbers[start], numbers[start + 1], numbers[start + 2], numbers[start + 3])
      let coordinates = Int(Int16.min)...Int(Int16.max)
      guard coordinates ~= x, coordinates ~= y, 1...Int(UInt16.max) ~= width, 1...Int(UInt16.max) ~= height else {
        return nil
      }
      return Rect(x: x, y: y, width: width, height: height)
    }
  }
}
