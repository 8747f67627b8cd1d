import TestSupport
import Testing

@testable import XDnD

@Suite("What becomes of a placeholder", .computing)
struct PlaceholderCourseTests {
  private let gone = XDnDError(.sourceVanished, "the source is gone")

  /// A placeholder after events of loads without bytes.
  private func course(_ events: [LoadEvent]) -> PlaceholderCourse {
    var course = PlaceholderCourse()
    for event in events { course.receive(event, after: LoadAmount()) }
    return course
  }

  @Test func `a placeholder loads until the application has been told of the last end`() {
    var events: [LoadEvent] = [.began, .began, .ended(nil), .concluded]
    #expect(course([]).state == .waiting)
    #expect(course(events).state == .loading)
    events += [.ended(nil)]
    #expect(course(events).state == .loading)
    #expect(course(events + [.concluded]).state == .arrived)
    let cancelled = XDnDError(.cancelled, "the transfer was cancelled")
    let failed = course([.began, .ended(gone), .concluded])
    #expect(failed.state == .failed(gone))
    #expect(course([.began, .ended(cancelled), .concluded]).state == .cancelled)
  }

  @Test func `a load that begins in the completion of one that has failed takes its place`() {
    let events: [LoadEvent] = [.began, .ended(gone), .began, .concluded]
    #expect(course(events).state == .loading)
    #expect(course(events + [.ended(nil), .concluded]).state == .arrived)
  }

  @Test func `a placeholder that has ended stays as it is`() {
    var over = course([.began, .progressed(received: 1, expected: 2)])
    over.cancel()
    let before = over
    over.receive(.progressed(received: 2, expected: 2), after: LoadAmount(received: 1, expected: 2))
    over.receive(.ended(nil), after: LoadAmount(received: 2, expected: 2))
    over.receive(.concluded, after: LoadAmount(received: 2, expected: 2))
    over.receive(.began, after: LoadAmount(received: 2, expected: 2))
    over.dropEnded(gone)
    over.cancel()
    #expect(over == before && over.state == .cancelled && over.isOver)
  }

  @Test func `the end of the drop is the end of its placeholders`() {
    for events: [LoadEvent] in [[], [.began]] {
      var (answered, failed) = (course(events), course(events))
      answered.dropEnded(nil)
      failed.dropEnded(gone)
      #expect(answered.state == .cancelled && failed.state == .failed(gone))
    }
    // The application has answered in the completion of the load.
    var arrived = course([.began, .ended(nil)])
    arrived.dropEnded(nil)
    #expect(arrived.state == .arrived)
  }
}
