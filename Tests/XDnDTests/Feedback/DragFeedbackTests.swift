import TestSupport
import Testing

@testable import XDnD

@Suite(.computing) struct `What is seen of a drag` {
  /// What a window system would have on the screen.
  struct Screen {
    var feedback = DragFeedback()
    var now = LoopTime.zero
    var picture: DragPicture?
    var corner = Point(x: 0, y: 0)
    var shows = 0
    var moves = 0

    mutating func send(_ input: DragFeedback.Input) {
      for effect in feedback.receive(input, at: now) {
        switch effect {
        case .show(let picture, let corner):
          self.picture = picture
          self.corner = corner
          shows += 1
        case .move(let corner):
          #expect(picture != nil, "what is not shown cannot be moved")
          self.corner = corner
          moves += 1
        case .hide:
          #expect(picture != nil, "what is not shown cannot be hidden")
          picture = nil
        }
      }
    }

    /// Lets time pass, and ticks when it is due.
    mutating func wait(_ duration: Duration) {
      let end = now + duration
      while let deadline = feedback.nextDeadline, deadline <= end {
        now = max(now, deadline)
        send(.tick)
      }
      now = end
    }

    mutating func begin(_ preview: DragPreview, reducedMotion: Bool = false) {
      send(.began(preview, pointer: Point(x: 100, y: 100), reducedMotion: reducedMotion))
    }

    /// How opaque the most opaque pixel is.
    var opacity: UInt32 { picture?.bitmap.pixels.map { $0 >> 24 }.max() ?? 0 }
  }

  static let home = Rect(x: 85, y: 90, width: 40, height: 30)

  static func preview(_ count: Int = 1, origin: Bool = true, opacity: Double = 1) -> DragPreview {
    let images = (0..<count).map { index in
      DragImage(
        `How the pictures of a drag lie together`.card(40, 30, 0xFF00_0000 | UInt32(index * 40)),
        origin: origin ? Rect(x: 85 + index * 60, y: 90, width: 40, height: 30) : nil)
    }
    return DragPreview(images: images, opacity: opacity, hasShadow: false)
  }

  @Test func `the picture is there at once, follows the pointer, and a resting one needs no time`() {
    var screen = Screen()
    screen.begin(Self.preview(origin: false))
    #expect(screen.picture != nil && screen.corner == Point(x: 80, y: 85))
    #expect(screen.feedback.nextDeadline == nil)
    screen.send(.moved(Point(x: 130, y: 140)))
    #expect(screen.corner == Point(x: 110, y: 125))
    screen.send(.moved(Point(x: 130, y: 140)))
    #expect(screen.shows == 1 && screen.moves == 1)
  }

  @Test func `a picture that appears late is where the pointer is by then, and held where it was grasped`() {
    var (early, late) = (Screen(), Screen())
    let pointer = Point(x: 130, y: 140)
    early.begin(Self.preview())
    early.send(.moved(pointer))
    late.send(.began(Self.preview(), pointer: Point(x: 100, y: 100), now: pointer, reducedMotion: false))
    for _ in 0..<2 {
      early.wait(.seconds(1))
      late.wait(.seconds(1))
    }
    #expect(late.picture != nil && late.picture == early.picture && late.corner == early.corner)
  }

  @Test func `items gather from where they lie while the pointer moves on`() throws {
    var screen = Screen()
    screen.begin(Self.preview(3))
    // All three are where they were.
    #expect(screen.corner == Self.home.origin)
    #expect(screen.picture?.bitmap.width == 160)
    var widths: [Int] = []
    for step in 1...15 {
      screen.send(.moved(Point(x: 100 + 4 * step, y: 100)))
      screen.wait(.milliseconds(20))
      widths.append(screen.picture?.bitmap.width ?? 0)
    }
    #expect(screen.feedback.nextDeadline == nil)
    var direct = Screen()
    direct.begin(Self.preview(3), reducedMotion: true)
    direct.send(.moved(Point(x: 160, y: 100)))
    #expect(screen.picture == direct.picture && screen.corner == direct.corner)
    #expect(direct.shows == 1 && direct.feedback.nextDeadline == nil)
  }

  @Test func `motion does not put off the next frame`() {
    var screen = Screen()
    screen.begin(Self.preview(3))
    for step in 1...300 {
      screen.now = screen.now + .milliseconds(1)
      screen.send(.moved(Point(x: 100 + step, y: 100)))
      if let deadline = screen.feedback.nextDeadline, deadline <= screen.now { screen.send(.tick) }
    }
    #expect(screen.shows > 8 && screen.shows < 20)
    #expect(screen.feedback.nextDeadline == nil)
  }

  @Test func `a wake-up that is too early does nothing`() {
    var screen = Screen()
    screen.begin(Self.preview(3))
    screen.now = screen.now + .milliseconds(5)
    screen.send(.tick)
    #expect(screen.shows == 1)
  }

  @Test func `a drop that is taken sinks in and is gone, and the picture no longer follows`() {
    var screen = Screen()
    screen.begin(Self.preview(3, origin: false))
    screen.send(.dropped)
    let before = screen.picture
    screen.send(.moved(Point(x: 400, y: 400)))
    screen.wait(.milliseconds(90))
    #expect(screen.picture == before && screen.shows == 1 && screen.moves == 0)
    screen.send(.ended(.accepted, origins: []))
    screen.wait(.milliseconds(130))
    #expect(screen.opacity < 220 && screen.opacity > 0)
    screen.wait(.seconds(1))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
  }

  @Test func `a drop whose end takes minutes is not seen meanwhile, and costs nothing`() {
    var screen = Screen()
    screen.begin(Self.preview())
    screen.send(.dropped)
    screen.wait(.milliseconds(400))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
    screen.now = screen.now + .seconds(300)
    screen.send(.ended(.accepted, origins: []))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
  }

  @Test(arguments: [false, true], [0, 150, 5000])
  func `what fails goes back to its place, from where it was dropped`(dropped: Bool, later: Int) throws {
    var screen = Screen()
    screen.begin(Self.preview())
    screen.wait(.seconds(1))
    screen.send(.moved(Point(x: 600, y: 500)))
    if dropped { screen.send(.dropped) }
    screen.wait(.milliseconds(later))
    screen.send(.ended(.failed, origins: [Self.home]))
    var places: [Point] = []
    while let deadline = screen.feedback.nextDeadline {
      screen.now = deadline
      if screen.picture != nil { places.append(screen.corner) }
      screen.send(.tick)
    }
    #expect(screen.picture == nil)
    let first = try #require(places.first)
    let last = try #require(places.last)
    // While it sinks in it is smaller, and so its corner is elsewhere.
    #expect(abs(first.x - 585) < 30 && abs(first.y - 490) < 30)
    #expect(abs(last.x - 85) < 3 && abs(last.y - 90) < 3)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.x >= $1.x - 12 })
    #expect(places.count > 20)
  }

  @Test func `on its way back a single picture is moved and not drawn until it fades`() {
    var screen = Screen()
    screen.begin(Self.preview())
    screen.wait(.seconds(1))
    screen.send(.moved(Point(x: 600, y: 500)))
    let shows = screen.shows
    screen.send(.ended(.failed, origins: [Self.home]))
    screen.wait(.milliseconds(250))
    #expect(screen.shows == shows && screen.moves > 10)
  }

  @Test func `several items go back each to its own place`() {
    var screen = Screen()
    let preview = Self.preview(3)
    screen.begin(preview)
    screen.wait(.seconds(1))
    screen.send(.moved(Point(x: 300, y: 300)))
    screen.send(.ended(.failed, origins: preview.images.map(\.origin)))
    screen.wait(.milliseconds(380))
    #expect(abs(screen.corner.x - 85) < 3 && abs((screen.picture?.bitmap.width ?? 0) - 160) < 6)
  }

  /// Items below each other, each in a row of its own.
  private static func rows(_ count: Int) -> DragPreview {
    var preview = preview(count)
    for index in 0..<count {
      preview.images[index].origin = Rect(x: 85, y: 90 + index * 28, width: 40, height: 30)
    }
    preview.badge = .none
    return preview
  }

  @Test func `items that are not seen in a pile fly there all the same, and back each to its own place`() {
    var screen = Screen()
    let preview = Self.rows(12)
    let height = 11 * 28 + 30
    screen.begin(preview)
    #expect(screen.corner == Self.home.origin && screen.picture?.bitmap.height == height)
    screen.wait(.seconds(1))
    #expect((screen.picture?.bitmap.height ?? 0) < 60)
    screen.send(.moved(Point(x: 400, y: 300)))
    screen.send(.ended(.failed, origins: preview.images.map(\.origin)))
    screen.wait(.milliseconds(380))
    #expect(abs(screen.corner.y - 90) < 3 && abs((screen.picture?.bitmap.height ?? 0) - height) < 6)
    #expect(screen.opacity > 0)
  }

  @Test func `an item that is out of sight by then fades while the others go back`() {
    var screen = Screen()
    let preview = Self.rows(12)
    screen.begin(preview)
    screen.wait(.seconds(1))
    screen.send(.moved(Point(x: 400, y: 300)))
    // The last four rows have been scrolled away.
    screen.send(.ended(.failed, origins: preview.images.prefix(8).map(\.origin)))
    screen.wait(.milliseconds(380))
    #expect(abs(screen.corner.y - 90) < 3 && abs((screen.picture?.bitmap.height ?? 0) - (7 * 28 + 30)) < 6)
  }

  @Test func `a large pile that is taken spreads no wider than a small one`() {
    let widths = [5, 12].map { count in
      var screen = Screen()
      screen.begin(Self.rows(count))
      screen.wait(.seconds(1))
      screen.send(.dropped)
      screen.wait(.milliseconds(220))
      return screen.picture?.bitmap.width
    }
    #expect(widths[0] != nil && widths[0] == widths[1])
  }

  @Test func `what fails and has no place on the screen grows and fades where it is`() {
    var screen = Screen()
    screen.begin(Self.preview(origin: false))
    screen.send(.ended(.failed, origins: [nil]))
    screen.wait(.milliseconds(140))
    #expect((screen.picture?.bitmap.width ?? 0) > 46 && screen.opacity < 200)
    #expect(abs(screen.corner.x + (screen.picture?.bitmap.width ?? 0) / 2 - 100) <= 1)
    screen.wait(.seconds(1))
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
  }

  @Test func `an animation goes on from what is seen, so nothing jumps`() {
    for ending in [DragFeedback.Ending.accepted, .failed, .disappeared] {
      for milliseconds in [0, 60, 130, 180, 260] {
        var screen = Screen()
        screen.begin(Self.preview(3))
        screen.wait(.milliseconds(60))
        screen.send(.dropped)
        screen.wait(.milliseconds(milliseconds))
        let corner = screen.corner
        let width = screen.picture?.bitmap.width ?? 0
        screen.send(.ended(ending, origins: [Self.home]))
        // It may be as far as it gets in the time of one frame.
        #expect(abs(screen.corner.x - corner.x) < 12 && abs((screen.picture?.bitmap.width ?? 0) - width) < 20)
        screen.wait(.seconds(1))
        #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
      }
    }
  }

  @Test(arguments: DragFeedback.Ending.allCases.filter { $0 != .gone }, [false, true])
  func `with reduced motion images fade, and nothing moves or changes its size`(
    _ ending: DragFeedback.Ending, isHome: Bool
  ) {
    var screen = Screen()
    screen.begin(Self.preview(3, origin: isHome), reducedMotion: true)
    #expect(screen.feedback.nextDeadline == nil)
    screen.send(.moved(Point(x: 160, y: 100)))
    if ending != .disappeared { screen.send(.dropped) }
    let (place, size) = (screen.corner, screen.picture?.bitmap.width)
    screen.send(.ended(ending, origins: isHome ? Self.preview(3).images.map(\.origin) : []))
    var places: [Point] = []
    var opacities: [UInt32] = []
    while let deadline = screen.feedback.nextDeadline {
      screen.now = deadline
      screen.send(.tick)
      guard screen.picture != nil else { break }
      if places.last != screen.corner { places.append(screen.corner) }
      opacities.append(screen.opacity)
      if screen.corner == place { #expect(screen.picture?.bitmap.width == size) }
    }
    #expect(screen.picture == nil && screen.feedback.nextDeadline == nil)
    #expect(screen.now - .zero <= .milliseconds(500))
    let returns = ending == .failed && isHome
    #expect(places == (returns ? [place, Self.home.origin] : [place]))
    #expect(opacities.count > 5 && (opacities == opacities.sorted(by: >)) == !returns)
  }
}
