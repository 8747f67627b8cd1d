@testable import XDnD

/// A value to which inputs are sent, and which answers with effects.
protocol StateMachine {
  associatedtype Input
  associatedtype Effect

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect]
}

extension StateMachine {
  /// Sends inputs one after the other, and returns the effects of the last.
  @discardableResult
  mutating func send(_ inputs: [Input], at now: LoopTime = .zero) -> [Effect] {
    inputs.map { receive($0, at: now) }.last ?? []
  }

  @discardableResult
  mutating func send(_ inputs: Input..., at now: LoopTime = .zero) -> [Effect] { send(inputs, at: now) }
}

extension DirectSaveProvider: StateMachine {}
extension DirectSaveReceiver: StateMachine {}
extension DragGesture: StateMachine {}
extension IncomingTransfer: StateMachine {}
extension OutgoingTransfer: StateMachine {}
