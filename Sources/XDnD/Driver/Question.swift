/// A question to the window system that has not been answered. Who has asked keeps it as long as the answer matters:
/// releasing it drops the answer.
package final class Question {
  package init() {}
}

/// What a question comes to at once.
package enum Reply<Answer> {
  /// The window system knows the answer, and does not call for it later.
  case known(Answer)
  /// The answer comes later, in its turn among the events.
  case pending(Question)
}

/// An answer on its way to the one who has asked.
package struct Answer {
  /// When an answer takes effect.
  package enum Turn {
    /// After all that the server has sent before it.
    case ordered
    /// In order, and what follows from it is done before the next event is read: the button may be up already, and the
    /// next press is for one of the host's windows.
    case settled
    /// When it is read, as the motion of a drag image is: in order it could come after its time limit.
    case whenRead
  }

  package let turn: Turn
  private weak var question: Question?
  private let take: () -> Void

  /// - Parameter take: What the one who has asked does with the answer.
  package init(to question: Question?, _ turn: Turn = .ordered, take: @escaping () -> Void) {
    self.question = question
    self.turn = turn
    self.take = take
  }

  /// Gives the answer to the one who has asked, unless it does not matter any more.
  package func deliver() {
    if question != nil { take() }
  }
}

/// What a window system has for the driver, in the order in which the server has sent it.
package enum Arrival {
  case event(ServerEvent)
  case answer(Answer)
}
