import TestSupport
import Testing

@testable import XDnD

@Suite("What becomes of a placeholder", .computing)
struct PlaceholderCourseTests {
  private let first = LoadID(rawValue: 1)
  private let second = LoadID(rawValue: 2)
  private let gone = XDnDError(.sourceVanished, "the source is gone")

  private func course(_ events: [(LoadEvent, LoadID)]) -> PlaceholderCourse {
    var course = PlaceholderCourse()
    for (event, load) in events { course.receive(event, of: load) }
    return course
  }

  @Test func `a placeholder loads until the application has been told of the last end`() {
    var events: [(LoadEvent, LoadID)] = [(.began, first), (.began, second), (.ended(nil), first), (.concluded, first)]
    #expect(course([]).state == .waiting)
    #expect(course(events).state == .loading)
    events += [(.ended(nil), second)]
    #expect(course(events).state == .loading)
    #expect(course(events + [(.concluded, second)]).state == .arrived)
    let cancelled = XDnDError(.cancelled, "the transfer was cancelled")
    let failed = course([(.began, first), (.ended(gone), first), (.concluded, first)])
    #expect(failed.state == .failed(gone))
    #expect(course([(.began, first), (.ended(cancelled), first), (.concluded, first)]).state == .cancelled)
  }

  @Test func `a load that begins in the completion of one that has failed takes its place`() {
    let events: [(LoadEvent, LoadID)] = [(.began, first), (.ended(gone), first), (.began, second), (.concluded, first)]
    #expect(course(events).state == .loading)
    #expect(course(events + [(.ended(nil), second), (.concluded, second)]).state == .arrived)
  }

  @Test func `a placeholder that has ended stays as it is`() {
    var over = course([(.began, first), (.progressed(received: 1, expected: 2), first)])
    over.cancel()
    let before = over
    over.receive(.progressed(received: 2, expected: 2), of: first)
    over.receive(.ended(nil), of: first)
    over.receive(.concluded, of: first)
    over.receive(.began, of: second)
    over.dropEnded(gone)
    over.cancel()
    #expect(over == before && over.state == .cancelled && over.isOver)
  }

  @Test func `the end of the drop is the end of its placeholders`() {
    for events: [(LoadEvent, LoadID)] in [[], [(.began, first)]] {
      var (answered, failed) = (course(events), course(events))
      answered.dropEnded(nil)
      failed.dropEnded(gone)
      #expect(answered.state == .cancelled && failed.state == .failed(gone))
    }
    // The application has answered in the completion of the load.
    var arrived = course([(.began, first), (.ended(nil), first)])
    arrived.dropEnded(nil)
    #expect(arrived.state == .arrived)
  }
}
