import Glibc
import Testing
import XDnD
import XDnDTesting
import XDnDToolSupport

@testable import xdnd_source

// Serialized: each run changes the signal handlers of the test runner for a moment.
@Suite("The end of a run of xdnd-source", .serialized)
struct RunEndingTests {
  /// A run without an X server.
  private struct Run {
    let ending: RunEnding
    private let loop: EventLoop
    private let desktop = SimulatedDesktop()

    /// - Parameter rule: The value of `--and-exit`.
    init(_ rule: DragOptions.Ending?) {
      loop = Self.makeLoop(desktop.dragAndDrop)
      var (shared, drag) = (SharedOptions(), DragOptions())
      shared.once = false
      drag.andExit = rule
      let offers = OfferMaker(
        name: nil, isPromising: false, isExact: false, isContentFirst: false, remote: nil,
        commands: CommandQueue(limit: 1))
      let maker = RowMaker(operations: [.copy], offers: offers, form: .names)
      ending = RunEnding(
        SourceSettings(shared: shared, window: WindowOptions(), drag: drag, maker: maker), isSingle: false, on: loop)
    }

    /// A loop takes the signals that end a tool. Here they are for the test runner.
    private static func makeLoop(_ driver: DragAndDrop) -> EventLoop {
      let numbers = [SIGINT, SIGTERM, SIGHUP, SIGALRM]
      let handlers = numbers.map { signal($0, SIG_DFL) }
      defer { for (number, handler) in zip(numbers, handlers) { signal(number, handler) } }
      return EventLoop(driver)
    }

    /// The exit status; `nil` while the run goes on.
    var status: XDnDToolSupport.ExitStatus? { loop.isStopping ? loop.run(onSignal: {}) : nil }
  }

  @Test func `after all rows, a drop that is still delivered is waited for`() {
    let run = Run(.all)
    run.ending.ended(.dropped(.copy), as: .dropped, isDelivering: true, areAllTaken: true)
    #expect(run.status == nil)
    run.ending.endIfDone(isDelivering: false, areAllTaken: true)
    #expect(run.status == .dropped)
  }

  @Test func `the drop of the last row ends the run, and one before it does not`() {
    let run = Run(.all)
    run.ending.ended(.dropped(.copy), as: .dropped, isDelivering: false, areAllTaken: false)
    #expect(run.status == nil)
    run.ending.ended(.dropped(.copy), as: .dropped, isDelivering: false, areAllTaken: true)
    #expect(run.status == .dropped)
  }

  @Test func `a drop that fails while the last row is taken changes nothing about how the run ends`() {
    let run = Run(.all)
    run.ending.ended(.dropped(.copy), as: .dropped, isDelivering: true, areAllTaken: true)
    run.ending.ended(.transferFailed, as: .transferFailed, isDelivering: false, areAllTaken: true)
    #expect(run.status == .dropped)
  }

  @Test func `a run that was asked to end does so after the last delivery, as its last drag`() {
    let run = Run(nil)
    run.ending.ended(.refused, as: .refused, isDelivering: true, areAllTaken: false)
    run.ending.request()
    run.ending.endIfDone(isDelivering: true, areAllTaken: true)
    #expect(run.status == nil)
    run.ending.endIfDone(isDelivering: false, areAllTaken: true)
    #expect(run.status == .refused)
  }

  @Test func `without --and-exit, drops of all rows end nothing, and with first one drop does`() {
    let open = Run(nil)
    open.ending.ended(.dropped(.copy), as: .dropped, isDelivering: false, areAllTaken: true)
    #expect(open.status == nil)
    let first = Run(.first)
    first.ending.ended(.dropped(.copy), as: .dropped, isDelivering: true, areAllTaken: false)
    #expect(first.status == .dropped)
  }
}
