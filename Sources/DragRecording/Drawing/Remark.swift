/// What is to be said in a picture besides what happened: a rule that was broken, or advice.
public struct Remark: Hashable, Sendable {
  /// Beside which of the recording's entries, counted from 1; `nil` if it is about none.
  public var entry: Int?
  /// The few letters that stand there.
  public var label: String
  /// What stands below the picture.
  public var sentence: String
  /// Whether it is only advice, in another color than what is broken.
  public var isAdvice: Bool

  /// Says it.
  public init(_ label: String, at entry: Int?, _ sentence: String, isAdvice: Bool = false) {
    self.isAdvice = isAdvice
    self.entry = entry
    self.label = label
    self.sentence = sentence
  }
}
