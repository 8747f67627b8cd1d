import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Where things are")
struct GeometryTests {
  private func positions(_ pair: DragPair) -> [Point] {
    pair.target.targetNotices.compactMap {
      if case .proposalNeeded(let request) = $0 { request.point } else { nil }
    }
  }

  @Test func `coordinates left of and above the first monitor arrive as they are`() {
    let pair = DragPair()
    let window = pair.server.createWindow(
      of: pair.target.client, frame: Rect(x: -300, y: -200, width: 100, height: 100))
    pair.target.register(window, accepting: DropOffer([.plainText]))
    #expect(pair.drag(to: Point(x: -250, y: -150)) == .dropped(.copy))
    #expect(positions(pair).last == Point(x: -250, y: -150))
    pair.expectClean()
  }

  @Test(arguments: [50, 150, 250, 350])
  func `a drag over the wrap of the server's time works`(millisecondsToWrap: UInt32) {
    let pair = DragPair(epoch: 0 &- millisecondsToWrap)
    for _ in 0..<3 { #expect(pair.drag(operations: [.move]) == .dropped(.move)) }
    #expect(pair.target.received.count == 3)
    pair.expectClean()
  }

  @Test func `another window that comes to lie under a resting pointer is entered`() {
    let pair = DragPair()
    let drag = pair.begin()
    pair.move()
    let cover = RawTarget(pair, frame: Rect(x: 200, y: 0, width: 100, height: 100))
    pair.run()
    #expect(cover.count(.enter) == 1)
    #expect(pair.target.openSessions.isEmpty)
    pair.server.raise(pair.window)
    pair.run()
    #expect(cover.count(.leave) == 1)
    pair.server.setMapped(false, pair.window)
    pair.run()
    #expect(cover.count(.enter) == 2)
    pair.drop()
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(cover.received == DragPair.text)
    pair.expectClean()
  }

  @Test func `a window that takes nothing hides the one below it`() {
    let pair = DragPair()
    pair.server.createWindow(
      of: pair.server.connect(checked: false), frame: Rect(x: 200, y: 0, width: 50, height: 100))
    #expect(pair.drag(to: Point(x: 210, y: 50)) == .noTarget)
    #expect(pair.drag(to: Point(x: 260, y: 50)) == .dropped(.copy))
    pair.expectClean()
  }

  @Test func `a window without an input shape at the pointer is looked through`() {
    let pair = DragPair()
    let glass = pair.server.createWindow(
      of: pair.server.connect(checked: false), frame: Rect(x: 200, y: 0, width: 100, height: 100))
    pair.server.setInputShape([], of: glass)
    #expect(pair.drag() == .dropped(.copy))
    pair.expectClean()
  }

  @Test func `a frame of a window manager is looked into`() {
    let pair = DragPair()
    let manager = pair.server.connect(checked: false)
    let frame = pair.server.createWindow(of: manager, frame: Rect(x: 600, y: 0, width: 100, height: 120))
    let client = pair.server.createWindow(
      of: pair.target.client, frame: Rect(x: 600, y: 20, width: 100, height: 100), in: frame)
    pair.target.register(client, accepting: DropOffer([.plainText]))
    #expect(pair.drag(to: Point(x: 650, y: 10)) == .noTarget)
    #expect(pair.drag(to: Point(x: 650, y: 60)) == .dropped(.copy))
    pair.expectClean()
  }

  @Test func `a proxy gets the messages of the window that it stands for`() {
    let pair = DragPair()
    let front = pair.server.createWindow(
      of: pair.server.connect(checked: false), frame: Rect(x: 600, y: 0, width: 100, height: 100))
    let target = RawTarget(pair)
    let word = PropertyValue(type: .window, contents: .words([target.window.rawValue]))
    target.client.write(word, to: .xdndProxy, of: front)
    #expect(pair.drag(to: Point(x: 650, y: 50)) == .noTarget, "A proxy that does not name itself is none.")
    target.client.write(word, to: .xdndProxy, of: target.window)
    for name in [front, target.window] {
      target.status = { _ in MessageWords(l0: name.rawValue, l1: 1, l4: target.atom(.copy)) }
      target.finished = { MessageWords(l0: name.rawValue, l1: 1, l2: target.atom(.copy)) }
      #expect(pair.drag(to: Point(x: 650, y: 50)) == .dropped(.copy), "Either window may be named.")
    }
    pair.expectClean()
  }

  @Test(arguments: [3, 4] as [UInt32])
  func `an older target is spoken to in its own version`(version: UInt32) {
    let pair = DragPair()
    let target = RawTarget(pair, version: version)
    target.finished = { target.refusal }
    #expect(pair.drag(to: RawTarget.inside) == .unconfirmed(.copy))
    guard case .enter(let enter)? = target.heard.first else { return #expect(Bool(false)) }
    #expect(enter.statedVersion == version)
    pair.expectClean()
  }

  @Test func `a target below version 3, or with a version that is no number, is none`() {
    let pair = DragPair()
    _ = RawTarget(pair, version: 2)
    #expect(pair.drag(to: RawTarget.inside) == .noTarget)
  }
}
