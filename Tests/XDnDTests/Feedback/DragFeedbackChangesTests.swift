import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct `What is seen of a drag that changes` {
  typealias Feedback = `What is seen of a drag`

  @Test func `pictures and badge can be replaced while it goes on`() {
    var screen = Feedback.Screen()
    screen.begin(Feedback.preview(origin: false))
    screen.send(.moved(Point(x: 200, y: 200)))
    let before = screen.picture
    screen.send(.badgeChanged(.count(7)))
    #expect(screen.picture != before)
    screen.send(.badgeChanged(.none))
    #expect(screen.picture == before)
    screen.send(.previewChanged(Feedback.preview(2, origin: false)))
    #expect(screen.picture != before)
    screen.send(.previewChanged(Feedback.preview(origin: false)))
    #expect(screen.picture == before && screen.corner == Point(x: 180, y: 185))
  }

  @Test func `a picture that replaces another is held where that one was grasped`() {
    var screen = Feedback.Screen()
    screen.begin(Feedback.preview(), reducedMotion: true)
    screen.send(.moved(Point(x: 300, y: 300)))
    let before = screen.corner
    var other = Feedback.preview()
    other.images[0].bitmap = `How the pictures of a drag lie together`.card(40, 30, 0xFFFF_0000)
    screen.send(.previewChanged(other))
    #expect(screen.corner == before)
  }

  @Test(arguments: [false, true])
  func `an image that covers a mark shrinks and steps aside, and comes back`(reducesMotion: Bool) throws {
    var screen = Feedback.Screen()
    var preview = Feedback.preview(2, origin: false)
    for index in preview.images.indices {
      preview.images[index].bitmap = `How the pictures of a drag lie together`.card(320, 40, 0xFF20_4060)
    }
    screen.begin(preview, reducedMotion: reducesMotion)
    let (before, corner) = (try #require(screen.picture), screen.corner)
    screen.send(.marked(Rect(x: 0, y: 0, width: 1000, height: 1000)))
    #expect(screen.picture == before && screen.feedback.nextDeadline == nil)

    screen.send(.marked(Rect(x: 100, y: 92, width: 2, height: 16)))
    #expect((screen.feedback.nextDeadline == nil) == reducesMotion)
    screen.wait(.seconds(1))
    let aside = try #require(screen.picture)
    #expect(aside.bitmap.width < 200 && aside.bitmap.height < before.bitmap.height)
    // The cursor and its symbol are left free; only the badge, which keeps its size, reaches above the corner.
    #expect(screen.corner.x >= 100 + 20 && screen.corner.y >= 100)
    screen.send(.moved(Point(x: 150, y: 100)))
    // The mark follows the pointer, as an insertion point does.
    let shows = screen.shows
    screen.send(.marked(Rect(x: 150, y: 92, width: 2, height: 16)))
    #expect(screen.shows == shows && screen.feedback.nextDeadline == nil)

    screen.send(.moved(Point(x: 100, y: 100)))
    screen.send(.marked(nil))
    screen.wait(.seconds(1))
    #expect(screen.picture == before && screen.corner == corner)
    screen.send(.ended(.failed, origins: []))
    screen.wait(.seconds(1))
    #expect(screen.picture == nil)
  }

  @Test func `after the drop nothing is replaced`() {
    var screen = Feedback.Screen()
    screen.begin(Feedback.preview(origin: false))
    screen.send(.dropped)
    let before = screen.picture
    screen.send(.previewChanged(Feedback.preview(2)))
    screen.send(.badgeChanged(.count(7)))
    #expect(screen.picture == before)
  }

  @Test func `a new drag replaces what is left of the one before`() {
    var screen = Feedback.Screen()
    screen.begin(Feedback.preview())
    screen.send(.ended(.failed, origins: [Rect(x: 900, y: 900, width: 40, height: 30)]))
    screen.wait(.milliseconds(100))
    screen.begin(Feedback.preview(origin: false))
    #expect(screen.corner == Point(x: 80, y: 85) && screen.feedback.nextDeadline == nil)
    screen.send(.ended(.failed, origins: []))
    screen.begin(DragPreview(images: []))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
  }

  @Test func `a server that is gone is told nothing`() {
    for dropped in [false, true] {
      var screen = Feedback.Screen()
      screen.begin(Feedback.preview())
      if dropped { screen.send(.dropped) }
      #expect(screen.feedback.receive(.ended(.gone, origins: []), at: screen.now).isEmpty)
      #expect(screen.feedback.nextDeadline == nil)
      #expect(screen.feedback.receive(.moved(Point(x: 1, y: 1)), at: screen.now).isEmpty)
    }
  }

  @Test func `items that come from all over the screen make no frame as large as the screen`() {
    var screen = Feedback.Screen()
    var preview = Feedback.preview(5)
    for (index, place) in [(0, 0), (3800, 0), (0, 2100), (3800, 2100)].enumerated() {
      preview.images[index + 1].origin = Rect(x: place.0, y: place.1, width: 40, height: 30)
    }
    screen.begin(preview)
    #expect((screen.picture?.bitmap.width ?? 0) < 800 && (screen.picture?.bitmap.height ?? 0) < 800)
    screen.wait(.seconds(1))
    screen.send(.ended(.failed, origins: preview.images.map(\.origin)))
    while let deadline = screen.feedback.nextDeadline {
      screen.now = deadline
      screen.send(.tick)
      #expect((screen.picture?.bitmap.width ?? 0) < 800 && (screen.picture?.bitmap.height ?? 0) < 800)
    }
  }

  @Test(arguments: 0..<16)
  func `whatever comes in whatever order, nothing is left on the screen at the end and no deadline either`(seed: Int) {
    var random = Noise(state: UInt64(seed))
    var screen = Feedback.Screen()
    let extremes = [Int.min, -70_000, -1, 0, 1, 300, 70_000, Int.max / 2]
    for _ in 0..<60 {
      let point = Point(x: random.pick(extremes) / 2, y: random.pick(extremes) / 2)
      switch random.next() % 9 {
      case 0, 1:
        var preview = Feedback.preview(Int(random.next() % 4), origin: random.next() % 2 == 0)
        preview.formation = random.pick(DragFormation.allCases)
        if !preview.images.isEmpty, random.next() % 2 == 0 {
          preview.images[0].hotspot = point
          preview.images[0].origin = Rect(x: point.x, y: point.y, width: random.pick(extremes) / 2, height: 7)
        }
        screen.send(
          random.next() % 3 == 0
            ? .previewChanged(preview)
            : .began(preview, pointer: random.next() % 4 == 0 ? point : Point(x: 90, y: 95), reducedMotion: false))
      case 2: screen.send(.moved(random.next() % 4 == 0 ? point : Point(x: Int(random.next() % 900), y: 5)))
      case 3: screen.send(.badgeChanged(.count(random.pick(extremes))))
      case 4: screen.send(.dropped)
      case 5:
        screen.send(.ended(random.pick([.accepted, .failed, .disappeared]), origins: [nil, Feedback.home, nil]))
      case 6: screen.send(.tick)
      default: screen.wait(.milliseconds(Int(random.next() % 150)))
      }
      #expect((screen.picture?.bitmap.width ?? 0) <= 4096)
    }
    screen.send(.ended(.failed, origins: []))
    screen.wait(.seconds(2))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
  }

  /// The same numbers in each run.
  private struct Noise {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(next()) % elements.count] }
  }
}
