/// A digit, a comma or a plus sign as a pen stroke. The library has no fonts, and a badge must be sharp at any scale.
///
/// Coordinates are fractions of the stroke's box, from 0 (left, top) to 1 (right, bottom).
struct Numeral: Hashable, Sendable {
  let path: Path
  /// The width of the box, as a fraction of a digit's height.
  let width: Double

  init(digit: Int) {
    switch digit {
    case 1: self.init(width: 0.3) { $0.polyline([0.05, 0.26], [1, 0], [1, 1]) }
    case 2:
      self.init(from: [0.03, 0.29]) {
        $0.curve(to: [0.5, 0], [0.05, 0.11], [0.23, 0])
        $0.curve(to: [0.97, 0.28], [0.79, 0], [0.97, 0.11])
        $0.curve(to: [0, 1], [0.97, 0.52], [0.5, 0.62])
        $0.line(to: [1, 1])
      }
    case 3:
      self.init(from: [0.04, 0.22]) {
        $0.curve(to: [0.49, 0], [0.1, 0.08], [0.26, 0])
        $0.curve(to: [0.95, 0.25], [0.78, 0], [0.95, 0.1])
        $0.curve(to: [0.42, 0.48], [0.95, 0.41], [0.74, 0.48])
        $0.curve(to: [1, 0.73], [0.78, 0.48], [1, 0.57])
        $0.curve(to: [0.49, 1], [1, 0.9], [0.8, 1])
        $0.curve(to: [0, 0.77], [0.22, 1], [0.05, 0.92])
      }
    case 4: self.init(width: 0.58) { $0.polyline([0.74, 1], [0.74, 0], [0, 0.72], [1, 0.72]) }
    case 5:
      self.init {
        $0.polyline([0.9, 0], [0.16, 0], [0.07, 0.46])
        $0.curve(to: [0.5, 0.36], [0.17, 0.4], [0.31, 0.36])
        $0.curve(to: [1, 0.67], [0.8, 0.36], [1, 0.48])
        $0.curve(to: [0.47, 1], [1, 0.87], [0.79, 1])
        $0.curve(to: [0, 0.8], [0.23, 1], [0.06, 0.93])
      }
    case 6: self.init { $0 = Self.six }
    case 7: self.init(width: 0.48) { $0.polyline([0, 0], [1, 0], [0.32, 1]) }
    case 8:
      self.init {
        $0.ellipse(center: [0.5, 0.24], radii: [0.43, 0.24])
        $0.ellipse(center: [0.5, 0.74], radii: [0.5, 0.26])
      }
    case 9: self.init { $0 = Self.six.mapped { 1 - $0 } }
    default:
      self.init(from: [0.5, 0]) {
        $0.curve(to: [1, 0.34], [0.84, 0], [1, 0.13])
        $0.line(to: [1, 0.66])
        $0.curve(to: [0.5, 1], [1, 0.87], [0.84, 1])
        $0.curve(to: [0, 0.66], [0.16, 1], [0, 0.87])
        $0.line(to: [0, 0.34])
        $0.curve(to: [0.5, 0], [0, 0.13], [0.16, 0])
      }
    }
  }

  static let plus = Numeral(width: 0.5) {
    $0.polyline([0.5, 0.22], [0.5, 0.78])
    $0.polyline([0, 0.5], [1, 0.5])
  }

  static let comma = Numeral(width: 0.12) { $0.polyline([1, 0.88], [0, 1]) }

  /// The numerals of a badge, with commas between groups of digits: `10,000`. For lack of space, counts above 999,999
  /// are `999,999+`.
  static func of(_ count: Int) -> [Numeral] {
    if count > 999_999 { return of(999_999) + [.plus] }
    let digits = String(max(0, count)).compactMap(\.wholeNumberValue)
    return digits.enumerated().flatMap { index, digit in
      let isGroup = index > 0 && (digits.count - index) % 3 == 0
      return (isGroup ? [.comma] : []) + [Numeral(digit: digit)]
    }
  }

  private init(width: Double = 0.52, from start: Vector? = nil, draw: (inout Path) -> Void) {
    self.width = width
    var path = Path()
    if let start { path.move(to: start) }
    draw(&path)
    self.path = path
  }

  private static var six: Path {
    var path = Path()
    path.move(to: [0.8, 0])
    path.curve(to: [0, 0.68], [0.42, 0.1], [0, 0.36])
    path.ellipse(center: [0.5, 0.68], radii: [0.5, 0.32])
    return path
  }
}
