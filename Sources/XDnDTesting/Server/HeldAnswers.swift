import XDnD

/// Answers that stay on their way until a test lets them arrive.
struct HeldAnswers {
  private(set) var areHeld = false
  private var answers: [EventQueues.Delivery] = []

  /// Keeps an answer if answers are held, and returns whether they are.
  mutating func keep(_ answer: EventQueues.Delivery) -> Bool {
    if areHeld { answers.append(answer) }
    return areHeld
  }

  /// Sets whether answers are held.
  ///
  /// - Returns: The answers that were held and no longer are, in order.
  mutating func hold(_ holds: Bool) -> [EventQueues.Delivery] {
    areHeld = holds
    guard !holds else { return [] }
    defer { answers = [] }
    return answers
  }
}
