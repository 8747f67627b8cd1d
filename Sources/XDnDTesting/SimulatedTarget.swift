public import XDnD

/// A window of another program that accepts drops and follows a script: for tests of a program's drags.
///
/// Made by ``SimulatedDesktop/makeTarget(frame:accepting:operations:)``, which retains it. Its script is the properties
/// ``answer``, ``requestedTypes`` and ``conclusion``, which may change at any time.
public final class SimulatedTarget {
  /// How the target answers the positions of a drag.
  public enum Answer: Hashable, Sendable {
    /// The answer that follows from the accepted types and operations.
    case suggested
    /// Accepts with an operation, if the source offers it.
    case perform(DragOperation)
    /// Refuses.
    case refuse
  }

  /// The target's answer to the drop when the content is loaded.
  public enum Conclusion: Hashable, Sendable {
    /// Finishes the drop with the agreed operation; rejects it if a load has failed.
    case finish
    /// Rejects the drop.
    case reject
    /// Neither finishes nor rejects the drop.
    case pending
  }

  /// The window.
  public let window: WindowID
  /// How positions are answered; ``Answer/suggested`` by default.
  public var answer = Answer.suggested
  /// The types that the target loads after a drop, in order; none by default.
  public var requestedTypes: [ContentType] = []
  /// How drops end; ``Conclusion/finish`` by default.
  public var conclusion = Conclusion.finish

  /// The types that the last drag over the window has offered, best first.
  public private(set) var offeredTypes: [ContentType] = []
  /// Whether a drag is over the window.
  public private(set) var isTargeted = false
  /// The number of drops.
  public private(set) var dropCount = 0
  /// The operation that was agreed on for the last drop; `nil` if there was none.
  public private(set) var droppedOperation: DragOperation?
  /// The content that was loaded from the last drop.
  public private(set) var received: [ContentType: [UInt8]] = [:]
  /// The loads from the last drop that have failed.
  public private(set) var failures: [ContentType: XDnDError] = [:]

  private let simulation: Simulation
  private let program: Simulation.Program
  private let delegate = Delegate()
  /// The drop that has not been answered.
  private var drop: DropSession?
  private var pendingLoads = 0

  init(_ simulation: Simulation, _ configuration: Configuration, frame: Rect, accepting offer: DropOffer) {
    self.simulation = simulation
    program = simulation.program(configuration)
    window = simulation.server.createWindow(of: program.client, frame: frame)
    delegate.target = self
    program.driver.registerDropTarget(window, accepting: offer, delegate: delegate)
  }

  // MARK: Failures

  /// Stops the target's program: it keeps its window and answers nothing, until ``resume()``.
  public func hang() { program.client.behavior.isFrozen = true }

  /// Resumes the program after ``hang()``.
  public func resume() {
    program.client.behavior.isFrozen = false
    simulation.run(SimulatedDesktop.reactionTime)
  }

  /// Ends the target's program, as a crash does. Its window is gone.
  public func vanish() {
    simulation.server.kill(program.client)
    simulation.run(SimulatedDesktop.reactionTime)
  }

  // MARK: Drags

  private func entered(_ drop: DropSession) {
    isTargeted = true
    offeredTypes = drop.types
  }

  private func proposal(for drop: DropSession) -> DropProposal {
    switch answer {
    case .suggested: drop.suggestedProposal
    case .perform(let operation): DropProposal(operation: operation)
    case .refuse: .forbidden
    }
  }

  private func perform(_ drop: DropSession) {
    isTargeted = false
    dropCount += 1
    droppedOperation = drop.droppedOperation
    (received, failures) = ([:], [:])
    self.drop = drop
    pendingLoads = requestedTypes.count
    for type in requestedTypes {
      drop.load(type) { [weak self] in self?.loaded(type, $0) }
    }
    if requestedTypes.isEmpty { conclude() }
  }

  private func loaded(_ type: ContentType, _ result: Result<LoadedContent, XDnDError>) {
    switch result {
    case .success(let content): received[type] = content.bytes
    case .failure(let error): failures[type] = error
    }
    pendingLoads -= 1
    if pendingLoads == 0 { conclude() }
  }

  private func conclude() {
    guard let drop else { return }
    switch conclusion {
    case .finish where failures.isEmpty: drop.finish(drop.droppedOperation ?? .copy)
    case .finish, .reject: drop.reject()
    // The session is retained: the library would answer for a deallocated one.
    case .pending: return
    }
    self.drop = nil
  }

  private final class Delegate: DropDelegate {
    weak var target: SimulatedTarget?

    func dropEntered(_ drop: DropSession) { target?.entered(drop) }

    func dropUpdated(_ drop: DropSession) -> DropProposal { target?.proposal(for: drop) ?? .forbidden }

    func dropExited(_ drop: DropSession, _ reason: DropExit) { target?.isTargeted = false }

    func performDrop(_ drop: DropSession) { target?.perform(drop) }

    func dropEnded(_ drop: DropSession, _ result: DropResult) { target?.drop = nil }
  }
}

@available(*, unavailable)
extension SimulatedTarget: Sendable {}
