/// A rule that one of the two sides of a drag has to keep.
public struct ConformanceRule: Hashable, Sendable {
  /// Who has to keep it.
  public enum Side: String, Hashable, Sendable, CaseIterable {
    /// The one that drags.
    case source
    /// The one that is dropped on.
    case target
  }

  /// Its name, which does not change: `finished-once`.
  public let id: String
  /// Who has to keep it.
  public let side: Side
  /// What it says, in one sentence.
  public let sentence: String
  /// Where it comes from: the part of the specification of XDND, the section of ICCCM, or another document.
  public let origin: String
  /// The hazards that it is about, by the numbers of the project's research: `Q17`.
  public let hazards: [String]
  /// Whether the specification only asks for it, or it matters only to a peer that does wrong itself: a program that does
  /// not follow it makes trouble, and breaks no word.
  public let isAdvice: Bool
  /// Why nothing was seen if nothing was: what is missing in the recording. Half a sentence.
  public let absence: String

  init(
    _ id: String, _ side: Side, _ sentence: String, _ origin: String, hazards: [String] = [], isAdvice: Bool = false,
    unseen absence: String
  ) {
    self.id = id
    self.side = side
    self.sentence = sentence
    self.origin = origin
    self.hazards = hazards
    self.isAdvice = isAdvice
    self.absence = absence
  }

  /// All of them, in the order of a drag.
  public static let all = source + target

  /// Those of one side.
  public static func all(of side: Side) -> [ConformanceRule] { side == .source ? source : target }

  /// The rule of this name.
  public static func named(_ id: String) -> ConformanceRule? { all.first { $0.id == id } }
}
