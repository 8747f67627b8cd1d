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
  /// The hot spot of drag images, in device pixels. It puts them beside the pointer, so that the drop target and the
  /// cursor stay visible.
  package var dragHotspot: Point { Point(x: -Int(18 * scale), y: -Int(14 * scale)) }
}

extension Color {
  /// The components from 0 to 1.
  fileprivate var fractions: (red: Double, green: Double, blue: Double, alpha: Double) {
    func fraction(_ value: UInt16) -> Double { Double(value) / Double(UInt16.max) }
    return (fraction(red), fraction(green), fraction(blue), fraction(alpha))
  }
}

extension HTMLRuns {
  /// The runs as the window shows them.
  package var textRuns: [Scene.TextRun] {
    runs.map {
      Scene.TextRun(
        $0.text, traits: Scene.TextRun.Traits($0.style), size: Self.size(ofHeading: $0.heading), color: $0.color?.hex)
    }
  }

  /// The beginning of the first line with text, for a row of the window; `nil` if there is none.
  package var firstLine: String? {
    text.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
      .map { Formatting.visible(String($0), limit: LabelLimit(scalarCount: 160, keepsEnd: false)) }
  }

  private static func size(ofHeading level: Int) -> Double {
    switch level {
    case 1: 1.5
    case 2: 1.3
    case 3: 1.15
    default: 1
    }
  }
}

extension Color {
  /// `0xRRGGBB`.
  fileprivate var hex: UInt32 { UInt32(red >> 8) << 16 | UInt32(green >> 8) << 8 | UInt32(blue >> 8) }
}

extension Scene.TextRun.Traits {
  fileprivate init(_ style: HTMLRuns.Style) {
    let pairs: [(HTMLRuns.Style, Self)] = [
      (.bold, .bold), (.italic, .italic), (.underlined, .underlined), (.struckThrough, .struckThrough),
      (.monospaced, .monospaced), (.link, .link),
    ]
    self = pairs.reduce(into: []) { if style.contains($1.0) { $0.formUnion($1.1) } }
  }
}
