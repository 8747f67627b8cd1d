/// What is to be said in a picture besides what happened: a rule that was broken.
public struct Remark: Hashable, Sendable {
  /// Beside which of the recording's entries, counted from 1; `nil` if it is about none.
  public var entry: Int?
  /// The few letters that stand there.
  public var label: String
  /// What stands below the picture.
  public var sentence: String

  /// Says it.
  public init(_ label: String, at entry: Int?, _ sentence: String) {
    self.entry = entry
    self.label = label
    self.sentence = sentence
  }
}
