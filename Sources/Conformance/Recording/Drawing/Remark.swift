/// An annotation of a diagram: a broken rule, or advice.
public struct Remark: Hashable, Sendable {
  /// The number of the entry that it is about, from 1; `nil` if it is about none.
  public var entry: Int?
  /// The short text beside the entry.
  public var label: String
  /// The sentence below the diagram.
  public var sentence: String
  /// Whether it is advice, which has another color than a broken rule.
  public var isAdvice: Bool

  /// Creates a remark.
  public init(_ label: String, at entry: Int?, _ sentence: String, isAdvice: Bool = false) {
    self.isAdvice = isAdvice
    self.entry = entry
    self.label = label
    self.sentence = sentence
  }
}
