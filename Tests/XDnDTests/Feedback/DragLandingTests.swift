import TestSupport
import Testing

@testable import XDnD

@Suite("The image of a drop lands where the target says", .computing)
struct DragLandingTests {
  private typealias Screen = `What is seen of a drag`.Screen

  private static let dropPlace = Point(x: 600, y: 500)
  private static let frame = Rect(x: 300, y: 200, width: 40, height: 30)

  /// A drag of some items that has just been dropped.
  private func dropped(_ count: Int = 1, reducedMotion: Bool = false) -> Screen {
    var screen = Screen()
    screen.begin(`What is seen of a drag`.preview(count), reducedMotion: reducedMotion)
    screen.wait(.seconds(1))
    screen.send(.moved(Self.dropPlace))
    screen.send(.dropped)
    screen.wait(.milliseconds(20))
    return screen
  }

  /// Plays the animation to its end, and returns the places of its frames.
  private func finish(_ screen: inout Screen) -> [Point] {
    var places = [screen.corner]
    while let deadline = screen.feedback.nextDeadline {
      screen.now = deadline
      screen.send(.tick)
      if screen.picture != nil { places.append(screen.corner) }
    }
    return places
  }

  private func isNear(_ place: Point?, _ goal: Point, within reach: Int = 3) -> Bool {
    place.map { abs($0.x - goal.x) <= reach && abs($0.y - goal.y) <= reach } ?? false
  }

  @Test(arguments: [0, 150]) func `it flies from the drop to the frame, and is gone`(later: Int) {
    var screen = dropped()
    screen.wait(.milliseconds(later))
    screen.send(.targeted([Self.frame]))
    let places = finish(&screen)
    #expect(isNear(places.first, Point(x: 585, y: 490), within: 30))
    #expect(isNear(places.last, Self.frame.origin))
    #expect(places.count > 15 && zip(places, places.dropFirst()).allSatisfy { $0.x + 12 >= $1.x })
    #expect(screen.picture == nil)
    screen.send(.ended(.accepted, origins: []))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
  }

  @Test(arguments: [true, false]) func `it goes on when the drop is over`(isEarly: Bool) {
    var screen = dropped()
    if isEarly { screen.send(.ended(.accepted, origins: [])) }
    screen.send(.targeted([Self.frame]))
    screen.wait(.milliseconds(100))
    if !isEarly { screen.send(.ended(.accepted, origins: [])) }
    #expect(isNear(finish(&screen).last, Self.frame.origin))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
  }

  @Test func `several items fly each to a frame of its own`() {
    var screen = dropped(3)
    screen.send(.targeted((0..<3).map { Rect(x: 300 + $0 * 60, y: 200, width: 40, height: 30) }))
    screen.wait(.milliseconds(280))
    #expect(abs(screen.corner.x - 300) < 3 && abs((screen.picture?.bitmap.width ?? 0) - 160) < 6)
  }

  @Test func `it turns back on its way if the drop fails, without a jump`() {
    var screen = dropped()
    screen.send(.targeted([Self.frame]))
    screen.wait(.milliseconds(150))
    let before = screen.corner
    #expect(before.x < 500)
    screen.send(.ended(.failed, origins: [`What is seen of a drag`.home]))
    #expect(isNear(screen.corner, before, within: 12))
    #expect(isNear(finish(&screen).last, `What is seen of a drag`.home.origin))
  }

  @Test func `another frame replaces the first on the way, without a jump`() {
    var screen = dropped()
    screen.send(.targeted([Self.frame]))
    screen.wait(.milliseconds(150))
    let before = screen.corner
    screen.send(.targeted([Rect(x: 700, y: 700, width: 40, height: 30)]))
    #expect(isNear(screen.corner, before, within: 12))
    #expect(isNear(finish(&screen).last, Point(x: 700, y: 700)))
  }

  @Test func `without a frame it fades where it was dropped`() {
    var (screen, plain) = (dropped(), dropped())
    screen.send(.targeted([nil]))
    #expect(finish(&screen) == finish(&plain))
    screen.send(.targeted([Self.frame]))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil, "it has faded out")
  }

  @Test func `with reduced motion it fades where it is, and before the drop there is nothing to land`() {
    var screen = dropped(reducedMotion: true)
    let place = screen.corner
    screen.send(.targeted([Self.frame]))
    #expect(finish(&screen).allSatisfy { $0 == place })
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
    screen.begin(`What is seen of a drag`.preview())
    screen.wait(.seconds(1))
    screen.send(.targeted([Self.frame]))
    #expect(screen.feedback.nextDeadline == nil && screen.picture != nil)
  }
}
