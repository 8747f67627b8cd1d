/// An unanswered request to the window system. The asker retains it while the answer matters; releasing it drops the
/// answer.
package final class Question {
  package init() {}
}

/// The immediate result of a request.
package enum Reply<Answer> {
  /// The answer itself. The callback is not called.
  case known(Answer)
  /// The callback gets the answer later.
  case pending(Question)
}

/// A queued answer of the window system.
package struct Answer {
  /// When an answer takes effect.
  package enum Turn {
    /// After the events that the server has sent before it.
    case ordered
    /// In order. The reactor also settles before it reads the next event: the button may be up already, and the next
    /// press is for one of the host's windows.
    case settled
    /// As soon as it is read, like the motion that a drag image follows. In the order of events, it could come too
    /// late.
    case whenRead
  }

  package let turn: Turn
  private weak var question: Question?
  private let take: () -> Void

  /// - Parameter take: The asker's callback, with the answer bound.
  package init(to question: Question?, _ turn: Turn = .ordered, take: @escaping () -> Void) {
    self.question = question
    self.turn = turn
    self.take = take
  }

  /// Calls the asker's callback, unless the asker has released the question.
  package func deliver() {
    if question != nil { take() }
  }
}

/// An element of a window system's queue, in the server's order.
package enum Arrival {
  case event(ServerEvent)
  case answer(Answer)
  /// An event without a meaning for the driver. It counts towards a turn's limit, so no peer can extend a turn.
  case other
}
