/// How far a drag has come that nobody leads by hand: where to, and which way, is said beforehand.
struct PointerlessDrag {
  /// Whom it goes to; `nil` if nothing there takes drops.
  let place: DropPlace?
  /// Where it is still to go, in root coordinates. It ends at the last place.
  var path: [Point]
  /// After which times a target that refuses is asked once more.
  ///
  /// Some say no to whatever comes first and look at the types only then, and PCManFM until it has read the list of files; a
  /// hand, which is never still, does not notice.
  var patience: [Duration] = [.zero, .milliseconds(30), .milliseconds(60), .milliseconds(120), .milliseconds(240)]
  /// When a target that has refused is asked again.
  var resumption: LoopTime?
  /// When the target has been silent for too long.
  var deadline: LoopTime?
}

/// The whole protocol without a pointer: no grab, no motion, no cursor, no image. The machine is the one of all drags; here
/// is the hand.
extension Reactor {
  /// Begins a drag to a given window, and leads it to its end.
  ///
  /// - Parameters:
  ///   - point: In the window's coordinates; `nil` for its middle.
  ///   - path: Where to go before, in the window's coordinates.
  func drop(
    _ drag: DragID, _ offer: SourceMachine.Offer, on window: WindowID, at point: Point?, along path: [Point],
    served: [AtomName] = [], descriptions: [DragOperation: String] = [:], directSave: DirectSave? = nil,
    byteCount: Int = 0
  ) {
    let place = system.dropTarget(for: window, at: point)
    let end = place?.point ?? Point(x: 0, y: 0)
    let origin = place.flatMap { _ in system.translate(Point(x: 0, y: 0), to: window) } ?? Point(x: 0, y: 0)
    let way = path.map { Point(x: $0.x - origin.x, y: $0.y - origin.y) }
    pointerless[drag] = PointerlessDrag(place: place, path: way + [end])
    beginDrag(
      drag, offer, served: served, descriptions: descriptions, directSave: directSave, byteCount: byteCount)
  }

  /// Answers what would be a grab, and puts the drag at the first place.
  func startWithoutPointer(_ drag: DragID) {
    guard let start = pointerless[drag]?.path.removeFirst() else { return }
    answer([.source(drag, .grabbed(sample(at: start), buttonIsDown: true))])
  }

  /// Goes on once the target has answered, or need not be asked.
  func goOnWithoutPointer(_ drag: DragID, after input: SourceMachine.Input) {
    switch input {
    case .located, .message(.status): break
    default: return
    }
    guard var course = pointerless[drag], let dragging = drags[drag]?.hovering else { return }
    let isDue = dragging.over?.isStatusDue ?? false
    course.deadline = isDue ? now + timing.source.status : nil
    defer { pointerless[drag] = course }
    guard !isDue else { return }
    let point = dragging.pointer.point
    course.resumption = nil
    if course.path.isEmpty, let over = dragging.over, over.acceptance?.operation == nil, !course.patience.isEmpty {
      let pause = course.patience.removeFirst()
      course.path = [Point(x: point.x ^ 1, y: point.y), point]
      if pause > .zero { return course.resumption = now + pause }
    }
    if course.path.isEmpty {
      answer([.source(drag, .buttonReleased(.primary, sample(at: point)))])
    } else {
      answer([.source(drag, .pointerMoved(sample(at: course.path.removeFirst())))])
    }
  }

  /// Lets go where the target is gone. The pointer of a hand would be over something else then, and the drag go on.
  func letGoWithoutPointer(_ drag: DragID, before input: SourceMachine.Input) {
    guard case .windowVanished(let window) = input, pointerless[drag]?.place?.target.answers(as: window) == true,
      let dragging = drags[drag]?.hovering
    else { return }
    run(drag: drag, .buttonReleased(.primary, sample(at: dragging.pointer.point)))
  }

  /// When a target is to be asked again, or has been silent for too long.
  var pointerlessDeadline: LoopTime? {
    pointerless.values.reduce(nil) { LoopTime.earliest($0, LoopTime.earliest($1.deadline, $1.resumption)) }
  }

  /// Asks targets again that have refused, and lets go over those that do not answer: each has had its time already, and gets
  /// no more.
  func leadPointerlessDrags() {
    for (drag, course) in pointerless {
      guard let dragging = drags[drag]?.hovering else { continue }
      if let resumption = course.resumption, resumption <= now {
        pointerless[drag]?.resumption = nil
        let point = pointerless[drag]?.path.removeFirst() ?? dragging.pointer.point
        queue.append(.source(drag, .pointerMoved(sample(at: point))))
      }
      guard let deadline = course.deadline, deadline <= now else { continue }
      pointerless[drag]?.deadline = nil
      drags[drag]?.timing.status = .zero
      queue += [
        .source(drag, .buttonReleased(.primary, sample(at: dragging.pointer.point))), .source(drag, .deadlineReached),
      ]
    }
  }

  private func sample(at point: Point) -> PointerSample { PointerSample(point: point, time: system.serverTime()) }

  // MARK: Answers

  /// Tells what a target has answered, whoever leads the drag.
  func tellAnswer(
    _ status: XdndMessage.Status, to before: SourceMachine, now after: SourceMachine, _ drag: DragID
  ) {
    guard case .dragging(let dragging) = before.state, let over = dragging.over,
      over.target.answers(as: status.target), let point = over.sent?.point
    else { return }
    let operation: DragOperation? =
      switch after.state {
      case .dragging(let dragging): dragging.over?.acceptance?.operation
      case .dropped(let dropped): dropped.operation
      default: nil
      }
    tell(.drag(drag, .answered(at: point, operation)))
  }
}

extension SourceMachine {
  /// While the button is down.
  fileprivate var hovering: Dragging? {
    if case .dragging(let dragging) = state, dragging.release == nil { dragging } else { nil }
  }
}
