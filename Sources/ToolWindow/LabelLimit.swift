/// How much of a text from outside is laid out, measured, drawn or printed as a label.
///
/// Lengths are in Unicode scalars and not in characters. A character has any number of combining marks, and the time that pango
/// and HarfBuzz take for them grows with the square of their number: 36 s for 60,000 marks on one letter.
public struct LabelLimit: Sendable {
  /// The most scalars.
  public let scalarCount: Int
  /// Whether the end stays and the middle goes, as it does for names and paths, whose ends tell most.
  public let keepsEnd: Bool

  /// A limit of its own.
  public init(scalarCount: Int, keepsEnd: Bool = true) {
    self.scalarCount = scalarCount
    self.keepsEnd = keepsEnd
  }

  /// A line in a window: more does not fit on a screen.
  public static let line = LabelLimit(scalarCount: 1024)
  /// The title of a window: window managers and task lists lay it out too.
  public static let title = LabelLimit(scalarCount: 256)
  /// A text of several lines.
  public static let text = LabelLimit(scalarCount: 8192, keepsEnd: false)
  /// A name in a sentence on a terminal: as long as the longest path.
  public static let sentence = LabelLimit(scalarCount: 4096)

  /// The most marks on one character, as in the Stream-Safe Text Format (UAX #15).
  public static let markCount = 30
}

extension StringProtocol {
  /// The text within a limit, with an ellipsis for what is left out. Marks beyond ``LabelLimit/markCount`` on one character go.
  ///
  /// The work is bounded by the limit, however long the text is.
  public func clipped(to limit: LabelLimit) -> String {
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

  /// The text with no more than ``LabelLimit/markCount`` marks on a character.
  var withoutExcessMarks: String {
    // Most text needs no thought.
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
  /// Whether it joins the character before it, as accents, vowel signs and invisible joiners do.
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
    default: false
    }
  }
}
