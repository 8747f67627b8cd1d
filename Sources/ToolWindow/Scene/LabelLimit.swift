/// The maximum length of untrusted text that is laid out, measured, drawn or printed as a label.
///
/// Lengths count Unicode scalars, not characters: a character can have any number of combining marks, and pango's and
/// HarfBuzz's time grows with the square of that number (36 s for 60,000 marks on one letter).
package struct LabelLimit: Sendable {
  package let scalarCount: Int
  /// Whether the middle is cut out instead of the end. The end of a name or path is its most informative part.
  package let keepsEnd: Bool

  package init(scalarCount: Int, keepsEnd: Bool = true) {
    self.scalarCount = scalarCount
    self.keepsEnd = keepsEnd
  }

  /// For a line in a window; a screen is not wide enough for more.
  package static let line = LabelLimit(scalarCount: 1024)
  /// For a window title, which window managers and task lists lay out too.
  package static let title = LabelLimit(scalarCount: 256)
  /// For text of several lines.
  package static let text = LabelLimit(scalarCount: 8192, keepsEnd: false)
  /// For a name in a terminal message: the length of the longest path (`PATH_MAX`).
  package static let sentence = LabelLimit(scalarCount: 4096)

  /// The maximum number of combining marks on a character, as in the Stream-Safe Text Format (UAX #15).
  package static let markCount = 30
}

extension StringProtocol {
  /// Returns the text cut to a limit, with an ellipsis for the omitted part and at most ``LabelLimit/markCount`` marks
  /// on a character.
  package func clipped(to limit: LabelLimit) -> String {
    let scalars = String(self).unicodeScalars
    let (start, end) = (scalars.startIndex, scalars.endIndex)
    guard let cut = scalars.index(start, offsetBy: limit.scalarCount, limitedBy: end), cut != end else {
      return withoutExcessMarks
    }
    let tailCount = limit.keepsEnd ? limit.scalarCount / 2 : 0
    let head = scalars[..<scalars.index(start, offsetBy: limit.scalarCount - tailCount - 1)]
    let tail = scalars[scalars.index(end, offsetBy: -tailCount)...]
    return String(head).withoutExcessMarks + "…" + String(tail).withoutExcessMarks
  }

  /// The text with at most ``LabelLimit/markCount`` combining marks on each character.
  var withoutExcessMarks: String {
    // ASCII has no combining marks.
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return String(self) }
    var result = String.UnicodeScalarView()
    var run = 0
    for scalar in unicodeScalars {
      run = scalar.isMark ? run + 1 : 0
      if run <= LabelLimit.markCount { result.append(scalar) }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar combines with the preceding character, as accents, vowel signs and joiners do.
  var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
    default: false
    }
  }
}
