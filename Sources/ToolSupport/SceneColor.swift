package import XDnDToolWindow
package import XDnD

extension Scene.Icon.Symbol {
  package static func color(_ color: Color) -> Self {
    let (red, green, blue, alpha) = color.fractions
    return .color(red: red, green: green, blue: blue, alpha: alpha)
  }
}

extension Scene.Preview {
  package static func color(_ color: Color, name: String) -> Self {
    let (red, green, blue, alpha) = color.fractions
    return .color(red: red, green: green, blue: blue, alpha: alpha, name: name)
  }
}

extension ContentPicture {
  package static func color(_ color: Color) -> Self {
    let (red, green, blue, alpha) = color.fractions
    return .color(red: red, green: green, blue: blue, alpha: alpha)
  }
}

extension ToolWindow {
  /// The hot spot of drag images, in device pixels: beside the pointer, so that what they are dropped on stays in sight, and
  /// the cursor, too.
  package var dragHotspot: Point { Point(x: -Int(18 * scale), y: -Int(14 * scale)) }
}

extension Color {
  /// The components from 0 to 1.
  fileprivate var fractions: (red: Double, green: Double, blue: Double, alpha: Double) {
    func fraction(_ value: UInt16) -> Double { Double(value) / Double(UInt16.max) }
    return (fraction(red), fraction(green), fraction(blue), fraction(alpha))
  }
}
