import Testing

@testable import XDnD
@testable import XDnDTesting

/// Keys, clicks and the wheel through a whole program, to programs that answer.
@Suite("Keyboard navigation of a drag") struct KeyboardNavigationTests {
  /// A drag without a button, and another program beside the first one.
  private func begin(_ pair: DragPair, operations: [DragOperation] = [.copy]) -> (DragID, RawTarget) {
    let other = RawTarget(pair)
    return (pair.begin(operations: operations, button: nil), other)
  }

  @Test func `with Tab and Return the content arrives, and no button is touched`() {
    let pair = DragPair()
    let (drag, other) = begin(pair)
    pair.press(.nextTarget)
    #expect(pair.server.pointer == RawTarget.inside, "The top-most window is the last one that was made.")
    pair.press(.nextTarget)
    #expect(pair.server.pointer == DragPair.inside)
    #expect(other.count(.leave) == 1)
    pair.press(.drop)
    pair.drive()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(pair.target.lastReceived[.utf8String] == DragPair.text)
    pair.expectClean()
  }

  @Test func `windows that say no are passed over, and the pointer is back where it was if all do`() {
    let pair = DragPair()
    let (drag, other) = begin(pair)
    other.status = { _ in other.refusal }
    pair.press(.nextTarget)
    #expect(pair.server.pointer == DragPair.inside)
    pair.press(.cancel)
    #expect(pair.source.outcomes[drag] == .cancelled(.escape))
    pair.target.propose = { _ in .forbidden }
    let second = pair.begin(button: nil)
    pair.press(.previousTarget)
    #expect(pair.server.pointer == Point(x: 10, y: 10))
    #expect(other.count(.enter) == 2 && other.count(.leave) == 2)
    pair.press(.drop)
    pair.drive()
    pair.expectEnd(of: second, .noTarget)
  }

  @Test func `keys that were pressed faster than the program reads them mean what they say`() {
    let pair = DragPair()
    let (drag, other) = begin(pair, operations: [.copy, .move])
    pair.server.hold(.shift)
    pair.server.press(.nextTarget)
    pair.server.hold([])
    pair.server.press(.drop)
    pair.drive()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(other.received == DragPair.text, "The window that Tab led to, and not the one before it.")
    let second = pair.begin(button: nil)
    for _ in 0..<24 { pair.server.press(.arrow(dx: 1, dy: 0, isLarge: false)) }
    for _ in 0..<4 { pair.server.press(.arrow(dx: 0, dy: 1, isLarge: false)) }
    pair.server.press(.drop)
    pair.drive()
    #expect(pair.server.pointer == Point(x: 250, y: 50))
    #expect(pair.source.outcomes[second] == .dropped(.copy))
    #expect(pair.target.received.count == 1)
    pair.expectClean()
  }

  @Test func `a program that hangs holds nobody up: the next Tab goes on`() {
    let pair = DragPair()
    let (drag, other) = begin(pair)
    other.status = { _ in nil }
    pair.press(.nextTarget)
    #expect(pair.server.pointer == RawTarget.inside)
    pair.press(.nextTarget)
    pair.press(.drop)
    pair.drive()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(pair.target.received.count == 1)
    pair.expectClean()
  }

  @Test func `windows that cannot be seen are not gone to`() {
    let pair = DragPair()
    _ = begin(pair)
    pair.server.createWindow(
      of: pair.server.connect(checked: false), frame: Rect(x: 390, y: 0, width: 120, height: 120))
    pair.press(.nextTarget)
    #expect(pair.server.pointer == DragPair.inside)
    pair.server.setMapped(false, pair.window)
    pair.run()
    pair.press(.nextTarget)
    #expect(pair.server.pointer == DragPair.inside, "There is no other.")
    pair.press(.cancel)
    pair.endClean()
  }

  @Test func `a click drops, and a click of button 3 cancels`() {
    let pair = DragPair()
    for (button, outcome) in [(.primary, .dropped(.copy)), (.secondary, .cancelled(.escape))]
      as [(PointerButton, DragOutcome)]
    {
      let drag = pair.begin(button: nil)
      pair.move()
      pair.server.press(button)
      pair.run()
      #expect(pair.source.outcomes[drag] == nil)
      pair.server.release(button)
      pair.drive()
      pair.expectEnd(of: drag, outcome)
    }
  }

  @Test func `each notch of the wheel arrives, also within a silence rectangle and faster than it is answered`() {
    let pair = DragPair()
    let target = RawTarget(pair)
    target.status = { _ in target.accepting(quietIn: Rect(x: 400, y: 0, width: 100, height: 100)) }
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    let before = target.count(.position)
    pair.move(to: Point(x: 451, y: 51))
    #expect(target.count(.position) == before)
    pair.server.hold(.control)
    for direction in WheelScroll.Direction.allCases { pair.server.turnWheel(direction) }
    pair.run()
    let notches = target.heard.compactMap {
      if case .position(let position) = $0, let scroll = position.scroll { (position.point, scroll) } else { nil }
    }
    #expect(notches.map(\.1) == WheelScroll.Direction.allCases.map { WheelScroll($0, modifiers: .control) })
    #expect(notches.allSatisfy { $0.0 == Point(x: 451, y: 51) })
    pair.drop()
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `a grab that is lost on the way ends the drag, and the pointer stays`() {
    let pair = DragPair()
    let (drag, _) = begin(pair)
    pair.server.press(.nextTarget)
    pair.server.breakGrab()
    pair.drive()
    #expect(pair.source.outcomes[drag] == .cancelled(.grabLost))
    #expect(pair.server.pointer == Point(x: 10, y: 10))
    pair.expectClean()
  }

  @Test func `the list of operations has in front what a position asks for, and never anything else in it`() {
    let pair = DragPair()
    let drag = pair.begin(operations: [.copy, .move, .link], button: nil)
    var listed: [AtomName?]? {
      pair.source.client.atoms(in: .xdndActionList, of: pair.source.client.dragWindow, type: .atom)
    }
    pair.move()
    #expect(listed == [.copy, .move, .link].map { (operation: DragOperation) in operation.name })
    pair.server.hold(.shift)
    pair.run()
    #expect(listed == [.move, .copy, .link].map { (operation: DragOperation) in operation.name })
    pair.server.hold([.shift, .control])
    pair.run()
    #expect(listed == [.link, .copy, .move].map { (operation: DragOperation) in operation.name })
    pair.server.hold([])
    pair.run()
    #expect(listed == [.copy, .move, .link].map { (operation: DragOperation) in operation.name })
    pair.press(.drop)
    pair.drive()
    pair.expectEnd(of: drag, .dropped(.copy))
  }
}
