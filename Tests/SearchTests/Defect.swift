@testable import XDnD

extension DragWorld {
  /// A machine that breaks one rule: what a test shows that the search finds.
  enum Defect: CaseIterable, Sendable {
    case losesFinished, repeatsFinished, takesStaleAnswers, repeatsPosition, dropsUnasked
    case keepsGrab, keepsWatch, targetKeepsWatch, sourceForgetsTime, targetForgetsTime
    case endsTwice, saysMove, losesEnd, offersWhatItHasNot

    /// What the source does in place of an effect; `nil` for the effect itself.
    func change(_ effect: SourceMachine.Effect) -> [SourceMachine.Effect]? {
      switch (self, effect) {
      case (.repeatsPosition, .send(.position, _)): [effect, effect]
      case (.dropsUnasked, .send(.leave(let leave), let target)):
        [.send(.drop(.init(source: leave.source, time: Timestamp(rawValue: 1001))), to: target)]
      case (.keepsGrab, .ungrab), (.keepsWatch, .unwatch): []
      case (.endsTwice, .ended): [effect, effect]
      case (.saysMove, .ended(.dropped(.copy))): [.ended(.dropped(.move))]
      case (.offersWhatItHasNot, .dropSent(_, let relation)): [.dropSent(.link, relation)]
      default: nil
      }
    }

    /// What the target does in place of an effect; `nil` for the effect itself.
    func change(_ effect: TargetMachine.Effect) -> [TargetMachine.Effect]? {
      switch (self, effect) {
      case (.losesFinished, .send(.finished, _, _)): []
      case (.repeatsFinished, .send(.finished, _, _)): [effect, effect]
      case (.targetKeepsWatch, .unwatch): []
      case (.losesEnd, .ended): []
      default: nil
      }
    }

    /// What the search says about it.
    var complaint: String {
      switch self {
      case .losesFinished: "a Finished is owed for ever"
      case .repeatsFinished: "Finished without Drop"
      case .takesStaleAnswers: "dropped without an acceptance of this visit"
      case .dropsUnasked: "dropped before the Status"
      case .repeatsPosition: "two Positions without Status"
      case .keepsGrab: "kept the grab"
      case .keepsWatch: "kept a watch"
      case .targetKeepsWatch: "the target watches for ever"
      case .sourceForgetsTime, .targetForgetsTime: "it never comes to rest"
      case .endsTwice: "ended twice"
      case .saysMove: "the source may delete what nobody has moved"
      case .losesEnd: "a drop has no end"
      case .offersWhatItHasNot: "dropped with an operation that was not offered"
      }
    }
  }
}
