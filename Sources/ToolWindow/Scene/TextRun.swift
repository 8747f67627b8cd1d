extension Scene {
  /// A part of a text with a uniform style.
  package struct TextRun: Hashable, Sendable {
    package struct Traits: OptionSet, Hashable, Sendable {
      package let rawValue: UInt8

      package init(rawValue: UInt8) {
        self.rawValue = rawValue
      }

      package static let bold = Traits(rawValue: 1 << 0)
      package static let italic = Traits(rawValue: 1 << 1)
      package static let underlined = Traits(rawValue: 1 << 2)
      package static let struckThrough = Traits(rawValue: 1 << 3)
      package static let monospaced = Traits(rawValue: 1 << 4)
      /// In the accent color.
      package static let link = Traits(rawValue: 1 << 5)
    }

    package var text: String
    package var traits: Traits
    /// The size relative to body text.
    package var size: Double
    /// `0xRRGGBB`; `nil` for the default text color, which also replaces a color with too little contrast.
    package var color: UInt32?

    package init(_ text: String, traits: Traits = [], size: Double = 1, color: UInt32? = nil) {
      self.text = text
      self.traits = traits
      self.size = size
      self.color = color
    }
  }
}

extension [Scene.TextRun] {
  /// The runs without blank lines, and without space where a line begins.
  var withoutBlankLines: [Scene.TextRun] {
    var (startsLine, hasText) = (true, false)
    return compactMap { run in
      var run = run
      var text = ""
      for character in run.text {
        if character.isNewline {
          startsLine = true
        } else if !startsLine || !character.isWhitespace {
          if startsLine, hasText { text += "\n" }
          text.append(character)
          (startsLine, hasText) = (false, true)
        }
      }
      run.text = text
      return text.isEmpty ? nil : run
    }
  }

  /// Returns the runs cut to a limit for their total length.
  func clipped(to limit: LabelLimit) -> [Scene.TextRun] {
    var result: [Scene.TextRun] = []
    var room = limit.scalarCount
    var marks = 0
    for run in self {
      guard room > 0 else { return result + [Scene.TextRun("…")] }
      var scalars = String.UnicodeScalarView()
      for scalar in run.text.unicodeScalars.prefix(room) {
        marks = scalar.isMark ? marks + 1 : 0
        if marks <= LabelLimit.markCount { scalars.append(scalar) }
      }
      room -= run.text.unicodeScalars.count
      if !scalars.isEmpty {
        var run = run
        run.text = String(scalars)
        result.append(run)
      }
    }
    return room < 0 ? result + [Scene.TextRun("…")] : result
  }
}
