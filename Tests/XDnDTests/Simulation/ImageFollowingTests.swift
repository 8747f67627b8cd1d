import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("The image of a drag between two programs", .computing)
struct ImageFollowingTests {
  private func pair(_ change: (inout DragAppearance) -> Void = { _ in }) -> DragPair {
    let pair = DragPair()
    pair.appearance = DragPair.dot
    pair.appearance?.reducesMotion = true
    if var appearance = pair.appearance {
      change(&appearance)
      pair.appearance = appearance
    }
    return pair
  }

  @Test func `it is at the newest place of the pointer before a target is looked for`() throws {
    let pair = pair()
    pair.begin()
    let start = try #require(pair.source.client.image?.origin)
    for step in 1...20 {
      // Four motions have arrived when the program wakes up.
      for part in 0..<4 { pair.server.movePointer(to: Point(x: 10 + step * 16 + part * 4, y: 10 + step)) }
      let before = pair.source.client.record.looks.count
      pair.run()
      let looks = pair.source.client.record.looks.dropFirst(before)
      let place = Point(x: start.x + step * 16 + 12, y: start.y + step)
      #expect(pair.source.client.image?.origin == place)
      #expect(!looks.isEmpty)
      #expect(looks.allSatisfy { $0 == place })
    }
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test func `it makes way for what the target marks, and for nothing that is larger than itself`() throws {
    let pair = pair()
    let target = RawTarget(pair)
    pair.begin()
    pair.move(to: RawTarget.inside)
    let over = try #require(pair.source.client.image?.origin)
    func answer(_ region: Rect, wantsPositions: Bool = true) -> Point? {
      target.status = { [unowned target] position in
        let acceptance = XdndMessage.Status.Acceptance(
          operation: .copy, region: region, wantsPositionsInside: wantsPositions)
        return XdndMessage.status(.init(target: target.window, acceptance: acceptance)).words(version: .v5) {
          pair.server.atom($0)
        }
      }
      pair.move(to: Point(x: RawTarget.inside.x + 1, y: RawTarget.inside.y))
      pair.move(to: RawTarget.inside)
      return pair.source.client.image?.origin
    }
    let mark = Rect(x: RawTarget.inside.x, y: RawTarget.inside.y, width: 2, height: 16)
    let aside = try #require(answer(mark))
    #expect(aside.x > over.x && aside.y > over.y)
    #expect(answer(Rect(x: 400, y: 0, width: 100, height: 100)) == over)
    #expect(answer(mark) == aside)
    #expect(answer(mark, wantsPositions: false) == over)
    pair.move(to: DragPair.outside)
    #expect(
      pair.source.client.image?.origin
        == Point(
          x: over.x + DragPair.outside.x - RawTarget.inside.x, y: over.y + DragPair.outside.y - RawTarget.inside.y))
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test func `it stays where the button went up`() throws {
    let pair = pair { $0.reducesMotion = false }
    let target = RawTarget(pair)
    target.answerDelay = .milliseconds(500)
    pair.begin()
    let start = try #require(pair.source.client.image?.origin)
    pair.server.movePointer(to: RawTarget.inside)
    pair.server.release(.primary)
    pair.server.movePointer(to: Point(x: 600, y: 600))
    pair.run(.milliseconds(50))
    #expect(
      pair.source.client.image?.origin
        == Point(x: start.x + RawTarget.inside.x - 10, y: start.y + RawTarget.inside.y - 10))
    pair.endClean()
  }

  @Test func `it is gone soon after the button went up, though the target says nothing for seconds`() {
    let pair = pair { $0.reducesMotion = false }
    let target = RawTarget(pair)
    target.onPosition = { _ in }
    let drag = pair.begin()
    pair.move(to: RawTarget.inside)
    #expect(pair.source.client.image != nil)
    pair.letGo(for: .seconds(1))
    #expect(pair.source.client.image == nil)
    #expect(pair.source.outcomes[drag] == nil)
    pair.drive()
    pair.expectEnd(of: drag, .timedOut)
  }

  @Test(arguments: [CursorShape.notAllowed, .disappearing, .dragging])
  func `what is let go over nothing flies back only where the cursor has said no`(outside: CursorShape) {
    let pair = pair {
      $0.reducesMotion = false
      $0.origins = [DragOrigin(Rect(x: 40, y: 40, width: 4, height: 4))]
    }
    let drag = pair.begin()
    pair.source.reactor.setCursorOutside(outside, of: drag)
    pair.move(to: DragPair.outside)
    let moves = pair.source.client.imagePlaces.count
    pair.drop()
    #expect(pair.source.outcomes[drag] == .noTarget)
    let flight = pair.source.client.imagePlaces.dropFirst(moves)
    #expect(!flight.isEmpty)
    #expect(flight.contains { $0.x < 450 } == (outside == .notAllowed))
    pair.expectClean()
  }

  @Test func `only a drop on nothing ends as the cursor has said there`() {
    let endings: [(CursorShape, DragFeedback.Ending)] = [
      (.notAllowed, .failed), (.disappearing, .disappeared), (.dragging, .accepted),
    ]
    for (cursor, ending) in endings {
      func seen(_ outcome: DragOutcome) -> DragFeedback.Ending { .init(outcome, cursorOutside: cursor) }
      #expect(seen(.noTarget) == ending)
      #expect(seen(.dropped(.move)) == .accepted && seen(.unconfirmed(.copy)) == .accepted)
      #expect(seen(.serverLost) == .gone)
      for outcome in [DragOutcome.refused, .cancelled(.escape), .timedOut, .targetVanished, .transferFailed] {
        #expect(seen(outcome) == .failed)
      }
    }
  }

  enum End: CaseIterable {
    case dropped, refused, noTarget, escape, application, grabLost, selectionLost, targetDied, timedOut, sourceDied
  }

  @Test(arguments: End.allCases, [true, false])
  func `every end leaves no image and no timer`(end: End, reducesMotion: Bool) {
    let pair = pair {
      $0.reducesMotion = reducesMotion
      $0.origins = [DragOrigin(Rect(x: 40, y: 40, width: 4, height: 4))]
    }
    let target = RawTarget(pair)
    if end == .refused { target.status = { _ in target.refusal } }
    if end == .timedOut || end == .targetDied { target.finished = { nil } }
    let drag = pair.begin()
    pair.move(to: end == .noTarget ? DragPair.outside : RawTarget.inside)
    #expect(pair.source.client.image != nil)
    switch end {
    case .dropped, .refused, .noTarget, .timedOut: pair.server.release(.primary)
    case .escape: pair.server.pressEscape()
    case .application: pair.source.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) }
    case .grabLost: pair.server.breakGrab()
    case .selectionLost:
      pair.server.setOwner(target.window, of: .xdndSelection, at: pair.server.time)
    case .targetDied:
      pair.letGo()
      pair.server.kill(target.client)
    case .sourceDied: pair.server.kill(pair.source.client)
    }
    pair.drive()
    #expect(pair.source.client.image == nil)
    pair.expectClean()
  }

  @Test(arguments: [DragPair.inside, DragPair.outside], [false, true])
  func `an end is animated until the image is gone, for less than half a second`(
    place: Point, reducesMotion: Bool
  ) throws {
    let pair = pair {
      $0.reducesMotion = reducesMotion
      $0.origins = [DragOrigin(Rect(x: 40, y: 40, width: 4, height: 4))]
    }
    let image = pair.source.reactor.image
    let drag = pair.begin()
    pair.move(to: place)
    pair.server.release(.primary)
    #expect(!image.isAnimatingDragEnd)
    while pair.source.outcomes[drag] == nil, pair.step() {}
    #expect(pair.source.outcomes[drag] == (place == DragPair.inside ? .dropped(.copy) : .noTarget))
    #expect(image.isAnimatingDragEnd && pair.source.client.image != nil)
    let end = pair.now
    while image.isAnimatingDragEnd, pair.step() {}
    #expect(pair.source.client.image == nil)
    #expect(pair.now - end < .milliseconds(500))
    pair.endClean()
  }

  @Test func `an end without an image takes no time`() {
    let pair = pair()
    pair.appearance = nil
    let drag = pair.begin()
    pair.move(to: DragPair.outside)
    pair.server.release(.primary)
    while pair.source.outcomes[drag] == nil, pair.step() {}
    #expect(!pair.source.reactor.image.isAnimatingDragEnd)
    pair.endClean()
  }

  @Test func `a drag that fails is seen to go back to where its item is by now`() throws {
    let pair = pair {
      $0.reducesMotion = false
      $0.preview.images[0].origin = nil
    }
    let home = pair.server.createWindow(
      of: pair.source.client, frame: Rect(x: 500, y: 500, width: 100, height: 100))
    pair.appearance?.origins = [DragOrigin(Rect(x: 10, y: 10, width: 4, height: 4), in: home)]
    pair.begin()
    pair.move(to: Point(x: 300, y: 300))
    // Its window is moved meanwhile.
    pair.server.configure(home, frame: Rect(x: 700, y: 100, width: 100, height: 100))
    let moves = pair.source.client.imagePlaces.count
    pair.server.pressEscape()
    pair.drive()
    let flight = pair.source.client.imagePlaces.dropFirst(moves)
    #expect(flight.count > 5)
    let last = try #require(flight.last)
    #expect(abs(last.x - 710) < 40 && abs(last.y - 110) < 40, "\(last)")
    pair.expectClean()
  }

  @Test func `it goes to no window that is covered, and nowhere if the application says so`() throws {
    for isCovered in [true, false] {
      let pair = pair {
        $0.reducesMotion = false
        $0.returnsOnFailure = isCovered
      }
      let frame = Rect(x: 500, y: 500, width: 100, height: 100)
      let home = pair.server.createWindow(of: pair.source.client, frame: frame)
      pair.appearance?.origins = [DragOrigin(Rect(x: 10, y: 10, width: 4, height: 4), in: home)]
      pair.begin()
      if isCovered { pair.server.createWindow(of: pair.target.client, frame: frame) }
      pair.move(to: Point(x: 300, y: 300))
      let moves = pair.source.client.imagePlaces.count
      pair.server.pressEscape()
      pair.drive()
      let flight = pair.source.client.imagePlaces.dropFirst(moves)
      #expect(flight.allSatisfy { abs($0.x - 300) < 100 && abs($0.y - 300) < 100 }, "\(flight)")
      pair.expectClean()
    }
  }

  @Test func `a new drag ends the flight of the old one at once`() throws {
    let pair = pair {
      $0.reducesMotion = false
      $0.origins = [DragOrigin(Rect(x: 800, y: 800, width: 4, height: 4))]
    }
    pair.begin()
    pair.move(to: Point(x: 300, y: 300))
    pair.server.pressEscape()
    pair.run(.milliseconds(60))
    #expect(pair.source.client.image != nil)
    pair.server.release(.primary)
    pair.appearance = DragPair.dot
    pair.begin()
    let moves = pair.source.client.imagePlaces.count
    pair.run(.milliseconds(500))
    #expect(pair.source.client.imagePlaces.count == moves)
    let place = try #require(pair.source.client.image?.origin)
    #expect(abs(place.x - 10) < 20 && abs(place.y - 10) < 20)
    pair.server.release(.primary)
    pair.endClean()
  }

  @Test func `it can be replaced while it is dragged, and before the drag has begun`() throws {
    let pair = pair()
    let drag = pair.press()
    let large = try #require(Bitmap(width: 30, height: 20, pixels: Array(repeating: 0xFF00_FF00, count: 600)))
    var preview = DragPair.dot.preview
    preview.images = [DragImage(large, hotspot: Point(x: 0, y: 0))]
    pair.source.reactor.show { $0.drags[drag]?.setPreview(preview, origins: []) }
    pair.run()
    #expect(pair.source.client.image?.bitmap.width == 30)
    pair.source.reactor.show { $0.drags[drag]?.setPreview(DragPair.dot.preview, origins: []) }
    #expect(pair.source.client.image?.bitmap.width == 4)
    let plain = pair.source.client.image?.bitmap
    pair.source.reactor.show { $0.drags[drag]?.changeAppearance { $0.preview.badge = .count(12) } }
    #expect(pair.source.client.image?.bitmap != plain)
    pair.source.reactor.show { $0.drags[drag]?.changeAppearance { $0.preview.badge = .none } }
    #expect(pair.source.client.image?.bitmap == plain)
    pair.server.release(.primary)
    pair.drive()
    #expect(pair.source.reactor.drags[drag] == nil)
    pair.expectClean()
  }

  @Test func `a resting image costs no time`() {
    let pair = pair { $0.reducesMotion = false }
    pair.begin()
    pair.run(.seconds(2))
    #expect(pair.source.client.image != nil)
    #expect(pair.source.reactor.nextDeadline == nil)
    pair.server.release(.primary)
    pair.endClean()
  }
}
