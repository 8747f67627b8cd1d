/// A scripted drag: the whole protocol along a path, without a pointer, a grab, a cursor or an image.
final class ScriptedHand: DragHand {
  /// Where to drop; `nil` if the window takes no drops.
  private let place: DropPlace?
  /// The rest of the path, in root coordinates. The drop is at its last place.
  private var path: [Point]
  /// The pauses after which a target that refuses is asked again.
  ///
  /// Some targets refuse the first position and look at the types only then, and PCManFM refuses until it has read the
  /// list of files. A user's pointer, which is never still, hides that.
  private var patience: [Duration] = [
    .zero, .milliseconds(30), .milliseconds(60), .milliseconds(120), .milliseconds(240),
  ]
  /// When a target that has refused is asked again.
  private var resumption: LoopTime?
  /// When the target has been silent for too long.
  private var deadline: LoopTime?
  private let context: DriverContext

  /// - Parameters:
  ///   - window: The window to drop on.
  ///   - point: In the window's coordinates; `nil` for its middle.
  ///   - path: The places to visit before, in the window's coordinates.
  init(to window: WindowID, at point: Point?, along path: [Point], _ context: DriverContext) {
    self.context = context
    place = context.system.dropTarget(for: window, at: point)
    let end = place?.point ?? Point(x: 0, y: 0)
    let origin = place.flatMap { _ in context.system.translate(Point(x: 0, y: 0), to: window) } ?? Point(x: 0, y: 0)
    self.path = path.map { Point(x: $0.x - origin.x, y: $0.y - origin.y) } + [end]
  }

  func begin(
    _ offer: SourceMachine.Offer, cursor: CursorShape, at time: Timestamp,
    then answered: @escaping ([SourceMachine.Input]) -> Void
  ) {
    answered([.grabbed(sample(at: path.removeFirst()), buttonIsDown: true)])
  }

  func end(at time: Timestamp) {}

  func findTarget(at point: Point, namingProgram namesProgram: Bool, then found: @escaping (FoundTarget) -> Void) {
    found(FoundTarget(target: place?.target, programClass: namesProgram ? programClass : nil))
  }

  /// The second string of the target's `WM_CLASS` (ICCCM §4.1.2.5). Makes one round trip.
  private lazy var programClass: String? = {
    guard let place, let (header, bytes) = context.system.value(of: .windowClass, on: place.target.window)
    else { return nil }
    return header.format == 8 ? WindowClass.program(in: bytes) : nil
  }()

  func show(_ cursor: CursorShape) {}

  var isUsers: Bool { false }

  var holdsGrab: Bool { false }

  /// Releases the button if the target is destroyed. A user's drag would continue over another window.
  func reaction(before input: SourceMachine.Input, _ machine: SourceMachine) -> SourceMachine.Input? {
    guard case .windowVanished(let window) = input, place?.target.answers(as: window) == true,
      let dragging = machine.hovering
    else { return nil }
    return .buttonReleased(.primary, sample(at: dragging.pointer.point))
  }

  /// Continues along the path when the target has answered, or if no answer is due.
  func reaction(after input: SourceMachine.Input, _ machine: SourceMachine) -> [SourceMachine.Input] {
    switch input {
    case .located, .message(.status): break
    default: return []
    }
    guard let dragging = machine.hovering else { return [] }
    let isDue = dragging.over?.isStatusDue ?? false
    deadline = isDue ? context.now + context.timing.source.status : nil
    guard !isDue else { return [] }
    let point = dragging.pointer.point
    resumption = nil
    if path.isEmpty, let over = dragging.over, over.acceptance?.operation == nil, !patience.isEmpty {
      let pause = patience.removeFirst()
      path = [Point(x: point.x ^ 1, y: point.y), point]
      if pause > .zero {
        resumption = context.now + pause
        return []
      }
    }
    return path.isEmpty
      ? [.buttonReleased(.primary, sample(at: point))] : [.pointerMoved(sample(at: path.removeFirst()))]
  }

  var nextDeadline: LoopTime? { .earliest(deadline, resumption) }

  /// Moves again over a target that has refused, and releases the button over one that does not answer. The time limit
  /// of the silent target is over, so the machine stops waiting for it.
  func advance(_ machine: SourceMachine) -> [SourceMachine.Input] {
    guard let dragging = machine.hovering else { return [] }
    var inputs: [SourceMachine.Input] = []
    if resumption.isDue(at: context.now) {
      resumption = nil
      let point = path.isEmpty ? dragging.pointer.point : path.removeFirst()
      inputs.append(.pointerMoved(sample(at: point)))
    }
    if deadline.isDue(at: context.now) {
      deadline = nil
      inputs += [
        .targetIsSilent, .buttonReleased(.primary, sample(at: dragging.pointer.point)), .deadlineReached,
      ]
    }
    return inputs
  }

  private func sample(at point: Point) -> PointerSample {
    PointerSample(point: point, time: context.system.serverTime())
  }
}
