import TestSupport
import Testing
import XDnD
import XDnDTesting

/// The product `XDnDTesting`, by its public interface.
@Suite("A simulated desktop", .computing)
struct SimulatedDesktopTests {
  private let desktop = SimulatedDesktop()

  // MARK: Drags of the program

  private final class Source: DragDelegate {
    private(set) var begun = 0
    private(set) var outcomes: [DragOutcome] = []

    func dragBegan(_ drag: DragSession) { begun += 1 }

    func drag(_ drag: DragSession, ended outcome: DragOutcome) { outcomes.append(outcome) }
  }

  private let source = Source()

  /// Drags text over a target.
  private func drag(over target: SimulatedTarget) {
    let time = desktop.press(at: Point(x: 10, y: 10))
    desktop.dragAndDrop.beginDrag(DragItem("Hello"), at: time, delegate: source)
    desktop.movePointer(over: target.window)
  }

  @Test func `a drag has begun after the call that begins it, as on a display`() {
    let time = desktop.press(at: Point(x: 10, y: 10))
    desktop.dragAndDrop.beginDrag(DragItem("Hello"), at: time, delegate: source)
    #expect(source.begun == 0)
    desktop.movePointer(to: Point(x: 30, y: 30))
    #expect(source.begun == 1)
    desktop.release()
  }

  @Test func `a target loads what its script says, and finishes`() {
    let target = desktop.makeTarget()
    target.requestedTypes = ["UTF8_STRING"]
    drag(over: target)
    #expect(target.isTargeted && target.offeredTypes.contains("UTF8_STRING"))
    desktop.release()
    #expect(target.received == ["UTF8_STRING": Array("Hello".utf8)])
    #expect(target.failures.isEmpty)
    #expect(source.outcomes == [.dropped(.copy)])
  }

  @Test func `a target that refuses gets no drop, and one that rejects gets one`() {
    let refusing = desktop.makeTarget()
    refusing.answer = .refuse
    drag(over: refusing)
    desktop.release()
    #expect(refusing.dropCount == 0)
    let rejecting = desktop.makeTarget(frame: Rect(x: 1000, y: 0, width: 100, height: 100))
    rejecting.conclusion = .reject
    drag(over: rejecting)
    desktop.release()
    #expect(rejecting.dropCount == 1)
    #expect(source.outcomes == [.refused, .refused])
  }

  @Test func `a target that hangs is waited for, and one that vanishes is not`() {
    let hanging = desktop.makeTarget()
    drag(over: hanging)
    hanging.hang()
    desktop.release()
    #expect(source.outcomes.isEmpty)
    desktop.advance(by: .seconds(60))
    #expect(source.outcomes == [.timedOut])
    let vanishing = desktop.makeTarget(frame: Rect(x: 1000, y: 0, width: 100, height: 100))
    vanishing.conclusion = .pending
    drag(over: vanishing)
    desktop.release()
    vanishing.vanish()
    #expect(source.outcomes == [.timedOut, .targetVanished])
  }

  @Test func `a program can wait for the last animation of its drag`() {
    var configuration = SimulatedDesktop.configuration
    configuration.showsDragImages = true
    configuration.reducesMotion = false
    let desktop = SimulatedDesktop(configuration: configuration)
    let time = desktop.press(at: Point(x: 10, y: 10))
    desktop.dragAndDrop.beginDrag(DragItem("Hello"), at: time, delegate: source)
    desktop.movePointer(to: Point(x: 300, y: 300))
    #expect(!desktop.dragAndDrop.isAnimatingDragEnd)
    desktop.release()
    #expect(source.outcomes == [.noTarget])
    #expect(desktop.dragAndDrop.isAnimatingDragEnd)
    desktop.advance(by: .milliseconds(400))
    #expect(!desktop.dragAndDrop.isAnimatingDragEnd)
  }

  @Test func `a press that moves begins the drag of a window, and a click begins none`() {
    let target = desktop.makeTarget()
    let window = desktop.makeWindow()
    desktop.dragAndDrop.draggable("Hello", in: window)
    desktop.press(at: Point(x: 10, y: 10))
    desktop.release()
    desktop.movePointer(over: target.window)
    #expect(!target.isTargeted)
    desktop.press(at: Point(x: 10, y: 10))
    desktop.movePointer(to: Point(x: 30, y: 30))
    desktop.movePointer(over: target.window)
    #expect(target.isTargeted)
    desktop.release()
    #expect(target.droppedOperation == .copy)
  }

  // MARK: Drags of others

  private final class Receiver: DropDelegate {
    var finishes = true
    var proposal: DropProposal?
    private(set) var drops: [DropSession] = []
    private(set) var results: [DropResult] = []

    func dropUpdated(_ drop: DropSession) -> DropProposal { proposal ?? drop.suggestedProposal }

    func performDrop(_ drop: DropSession) {
      drops.append(drop)
      if finishes { drop.finish(.copy) }
    }

    func dropEnded(_ drop: DropSession, _ result: DropResult) { results.append(result) }
  }

  @Test func `a drop that is not finished has no outcome until the source gives up`() {
    let (receiver, window) = (Receiver(), desktop.makeWindow())
    receiver.finishes = false
    desktop.dragAndDrop.registerDropTarget(window, accepting: DropOffer(["*/*"]), delegate: receiver)
    let drag = desktop.drag(DragItem("Hello"), over: window)
    #expect(drag.drop() == nil)
    desktop.advance(by: .seconds(60))
    #expect(drag.outcome == .timedOut)
    #expect(receiver.results == [.timedOut])
  }

  @Test func `drags come one after the other, also after one whose source has vanished`() {
    let (receiver, window) = (Receiver(), desktop.makeWindow())
    desktop.dragAndDrop.registerDropTarget(window, accepting: DropOffer(["*/*"]), delegate: receiver)
    desktop.drag(DragItem("Hello"), over: window).vanish()
    let drag = desktop.drag(types: ["a/b": [1]], operations: [.copy], over: window, at: Point(x: 1, y: 2))
    #expect(drag.drop() == .dropped(.copy))
    #expect(receiver.drops.map(\.types) == [["a/b"]])
  }

  @Test func `an answer marks a place in window coordinates, also a region that would open`() {
    let (receiver, window) = (Receiver(), desktop.makeWindow(frame: Rect(x: 30, y: 40, width: 200, height: 100)))
    let mark = Rect(x: 5, y: 6, width: 2, height: 16)
    receiver.proposal = .accept(.copy, marking: mark)
    desktop.dragAndDrop.registerDropTarget(window, accepting: DropOffer(["*/*"]), delegate: receiver)
    let frame = Rect(x: 100, y: 0, width: 50, height: 20)
    let region = desktop.dragAndDrop.onDrop(of: ["*/*"], in: window, frame: frame) { $0.finish(.copy) }
    region.springLoading = SpringLoadingBehavior()
    let drag = desktop.drag(DragItem("Hello"), over: window, at: Point(x: 10, y: 10))
    #expect(drag.answer == .accept(.copy, marking: mark))
    drag.move(to: Point(x: 110, y: 10))
    #expect(drag.answer == .accept(.copy, marking: frame))
    drag.cancel()
  }

  // MARK: Time and mistakes

  @Test func `time passes only with an action`() {
    #expect(desktop.elapsed == .zero)
    desktop.movePointer(to: Point(x: 1, y: 1))
    #expect(desktop.elapsed == SimulatedDesktop.reactionTime)
    desktop.advance(by: .seconds(3600))
    #expect(desktop.elapsed == SimulatedDesktop.reactionTime + .seconds(3600))
  }

  @Test func `presses that are awaited in no window are a mistake`() {
    var mistakes: [String] = []
    desktop.onMistake = { mistakes.append($0) }
    desktop.dragAndDrop.onDrag(in: .none, items: { _ in [] })
    #expect(!mistakes.isEmpty)
  }
}
