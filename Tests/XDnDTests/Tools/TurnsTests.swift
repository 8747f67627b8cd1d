import Testing

@testable import xdnd_probe

@Suite("Drops that share an output")
struct TurnsTests {
  @Test func `work waits until the work before it is done, in the order of its requests`() {
    let turns = Turns()
    var begun: [Int] = []
    var ends: [() -> Void] = []
    for number in 1...3 {
      turns.take { done in
        begun.append(number)
        ends.append(done)
      }
    }
    for number in 1...3 {
      #expect(begun == Array(1...number))
      let end = ends.removeFirst()
      end()
    }
    #expect(ends.isEmpty)
  }

  @Test func `work that is done at once holds up nothing, and may ask for a turn itself`() {
    let turns = Turns()
    var log: [String] = []
    turns.take { done in
      turns.take { done in
        log.append("second")
        done()
      }
      log.append("first")
      done()
    }
    turns.take { done in
      log.append("third")
      done()
    }
    #expect(log == ["first", "second", "third"])
  }
}
