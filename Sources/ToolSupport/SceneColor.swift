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

extension Color {
  /// The components from 0 to 1.
  fileprivate var fractions: (red: Double, green: Double, blue: Double, alpha: Double) {
    func fraction(_ value: UInt16) -> Double { Double(value) / Double(UInt16.max) }
    return (fraction(red), fraction(green), fraction(blue), fraction(alpha))
  }
}
