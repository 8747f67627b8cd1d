import Testing

@testable import Lists

/// How rows of the example part and close.
@Suite("Gliding rows")
struct GlideTests {
  private var glide = Glide()
  private let start = ContinuousClock.now

  private mutating func move(_ places: Glide.Places, after time: Duration = .zero) {
    glide.move(to: places, at: start + time)
  }

  private func places(after time: Duration) -> Glide.Places { glide.places(at: start + time) }

  @Test mutating func `rows that appear are at their places at once`() {
    move([1: 10, 2: 20])
    #expect(places(after: .zero) == [1: 10, 2: 20])
    #expect(glide.isOver(at: start))
  }

  @Test mutating func `a row glides to its new place, fast at first, and the others stay`() throws {
    move([1: 0, 2: 0])
    move([1: 0, 2: 100])
    #expect(places(after: .zero) == [1: 0, 2: 0])
    let half = places(after: Glide.duration / 2)
    #expect(half[1] == 0)
    #expect(try #require(half[2]) > 50)
    #expect(!glide.isOver(at: start + Glide.duration / 2))
    #expect(places(after: Glide.duration) == [1: 0, 2: 100])
    #expect(glide.isOver(at: start + Glide.duration))
  }

  @Test mutating func `a row that is sent back turns where it is`() throws {
    move([1: 0])
    move([1: 100])
    let half = Glide.duration / 2
    let turn = places(after: half)
    move([1: 0], after: half)
    #expect(places(after: half) == turn)
    let later = places(after: half + half)
    #expect(try #require(later[1]) < #require(turn[1]))
    #expect(places(after: half + Glide.duration) == [1: 0])
  }

  @Test mutating func `a row that was dropped is at its place at once, while the others make room`() {
    move([1: 0, 2: 10, 3: 20])
    glide.forget([1])
    move([2: 0, 3: 10, 1: 20])
    #expect(places(after: .zero) == [2: 10, 3: 20, 1: 20])
    #expect(places(after: Glide.duration) == [2: 0, 3: 10, 1: 20])
  }
}
