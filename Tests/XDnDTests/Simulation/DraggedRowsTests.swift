import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Dragged rows, whose places are asked without waiting", .computing)
struct DraggedRowsTests {
  private let pair = DragPair()
  private let home: WindowID

  init() {
    home = pair.server.createWindow(of: pair.source.client, frame: Rect(x: 200, y: 200, width: 100, height: 100))
    pair.appearance?.reducesMotion = false
    pair.appearance?.origins = [row(in: home)]
    client.behavior.holdsAnswers = true
  }

  private static let start = Point(x: 10, y: 10)
  private static let away = Point(x: 300, y: 300)
  /// Where the row of `home` is on the screen.
  private static let rowPlace = Point(x: 210, y: 210)

  private var client: FakeClient { pair.source.client }

  private func row(in window: WindowID) -> DragOrigin {
    DragOrigin(Rect(x: 10, y: 10, width: 4, height: 4), in: window)
  }

  private func isNear(_ place: Point?, _ goal: Point, within reach: Int = 20) -> Bool {
    place.map { abs($0.x - goal.x) < reach && abs($0.y - goal.y) < reach } ?? false
  }

  /// Begins a drag whose image has appeared, and moves it away.
  private func beginAndMoveAway() -> DragID {
    client.behavior.holdsAnswers = false
    let drag = pair.press()
    pair.server.movePointer(to: Self.away)
    pair.run(.seconds(1))
    #expect(isNear(client.image?.origin, Self.away))
    client.behavior.holdsAnswers = true
    return drag
  }

  @Test func `the image lifts off when the places are known, and goes where the pointer is by then`() {
    pair.press()
    pair.run(.milliseconds(20))
    pair.server.movePointer(to: Self.away)
    pair.run(.milliseconds(20))
    #expect(client.imagePlaces.isEmpty)
    client.behavior.holdsAnswers = false
    pair.run(.seconds(1))
    #expect(isNear(client.imagePlaces.first, Self.rowPlace))
    #expect(client.imagePlaces.allSatisfy { $0.x > 150 }, "\(client.imagePlaces)")
    #expect(isNear(client.image?.origin, Self.away))
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test func `without rows it appears at once`() {
    pair.appearance?.origins = []
    pair.press()
    #expect(isNear(client.image?.origin, Self.start))
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test(arguments: [true, false]) func `a drag that ends before the answer shows no image`(isReleased: Bool) {
    let drag = pair.press()
    pair.run(.milliseconds(20))
    if isReleased { pair.server.release(.primary) } else { pair.server.pressEscape() }
    pair.run(.milliseconds(20))
    client.behavior.holdsAnswers = false
    pair.drive()
    #expect(client.imagePlaces.isEmpty)
    pair.expectEnd(of: drag, isReleased ? .noTarget : .cancelled(.escape))
  }

  @Test func `no image appears once the button is up, however long the target takes`() {
    let target = RawTarget(pair)
    target.answerDelay = .seconds(1)
    let drag = pair.press()
    pair.server.movePointer(to: RawTarget.inside)
    pair.run(.milliseconds(20))
    pair.server.release(.primary)
    pair.run(DragImagePlayer.patience + .milliseconds(20))
    #expect(client.imagePlaces.isEmpty)
    client.behavior.holdsAnswers = false
    pair.drive()
    #expect(client.imagePlaces.isEmpty)
    pair.expectEnd(of: drag, .dropped(.copy))
  }

  @Test func `an image appears at the pointer if the answer takes too long, and a later one is dropped`() {
    pair.press()
    pair.run(DragImagePlayer.patience - .milliseconds(10))
    #expect(client.imagePlaces.isEmpty)
    pair.run(.milliseconds(20))
    #expect(isNear(client.image?.origin, Self.start))
    client.behavior.holdsAnswers = false
    pair.run(.seconds(1))
    #expect(client.imagePlaces.allSatisfy { isNear($0, Self.start) }, "\(client.imagePlaces)")
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test func `an answer in time counts, however late the program looks`() {
    pair.press()
    client.behavior.holdsAnswers = false
    pair.server.clock.advance(to: pair.now + .seconds(1))
    pair.source.reactor.process()
    #expect(isNear(client.imagePlaces.first, Self.rowPlace))
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test func `the image of a drag that has failed rests until the places are known, and slides back`() {
    let drag = beginAndMoveAway()
    let moves = client.imagePlaces.count
    pair.server.pressEscape()
    pair.run(.milliseconds(50))
    // The end itself does not wait.
    #expect(pair.source.outcomes[drag] == .cancelled(.escape))
    #expect(client.image != nil && client.imagePlaces.count == moves)
    client.behavior.holdsAnswers = false
    pair.drive()
    #expect(client.imagePlaces.count > moves + 5)
    #expect(isNear(client.imagePlaces.last, Self.rowPlace, within: 40), "\(client.imagePlaces)")
    pair.expectClean()
  }

  @Test func `the image of a drag that has failed fades where it is if the places stay unknown`() {
    let drag = beginAndMoveAway()
    pair.server.pressEscape()
    pair.run(DragImagePlayer.patience + .milliseconds(30))
    #expect(client.image != nil)
    let moves = client.imagePlaces.count
    pair.drive()
    #expect(client.imagePlaces.dropFirst(moves).allSatisfy { isNear($0, Self.away) }, "\(client.imagePlaces)")
    pair.expectEnd(of: drag, .cancelled(.escape))
  }

  @Test func `a second drag does not take the answer to the first`() {
    let first = pair.press()
    pair.run(.milliseconds(20))
    let other = pair.server.createWindow(of: client, frame: Rect(x: 20, y: 200, width: 100, height: 100))
    pair.appearance?.origins = [row(in: other)]
    let second = pair.press()
    pair.run(.milliseconds(20))
    #expect(pair.source.outcomes == [first: .cancelled(.application)])
    #expect(client.imagePlaces.isEmpty)
    client.behavior.holdsAnswers = false
    pair.run(.milliseconds(20))
    #expect(isNear(client.imagePlaces.first, Point(x: 30, y: 210)), "\(client.imagePlaces)")
    #expect(pair.source.reactor.image.shownDrag == second)
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test func `another image of the same rows appears at once, and one of other rows when these are known`() {
    let drag = beginAndMoveAway()
    var large = DragPair.dot.preview
    large.images = [DragImage(Bitmap(filledWith: 0xFF00_FF00, width: 30, height: 20), hotspot: Point(x: 0, y: 0))]
    pair.source.reactor.show { $0.drags[drag]?.setPreview(large, origins: [row(in: home)]) }
    #expect(client.image?.bitmap.width == 30)
    pair.source.reactor.show { $0.drags[drag]?.setPreview(DragPair.dot.preview, origins: [row(in: pair.window)]) }
    pair.run(.milliseconds(20))
    #expect(client.image?.bitmap.width == 30)
    client.behavior.holdsAnswers = false
    pair.run(.milliseconds(20))
    #expect(client.image?.bitmap.width == 4)
    pair.server.pressEscape()
    pair.endClean()
  }

  @Test func `an image that waits to be replaced is replaced when the button is up`() {
    let drag = beginAndMoveAway()
    var large = DragPair.dot.preview
    large.images = [DragImage(Bitmap(filledWith: 0xFF00_FF00, width: 30, height: 20), hotspot: Point(x: 0, y: 0))]
    pair.source.reactor.show { $0.drags[drag]?.setPreview(large, origins: [row(in: pair.window)]) }
    #expect(client.image?.bitmap.width == 4)
    pair.server.pressEscape()
    pair.run(.milliseconds(10))
    #expect(client.image?.bitmap.width == 30)
    pair.endClean()
  }
}
