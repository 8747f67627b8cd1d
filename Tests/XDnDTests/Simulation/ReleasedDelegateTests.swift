import Logging
import Synchronization
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("A delegate that the host has not kept")
struct ReleasedDelegateTests {
  private final class Lines: Sendable {
    let warnings = Mutex<[String]>([])
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.warnings.withLock { $0.append("\(event.message)") } }
  }

  @Test func `its drags are refused, and the log says why`() throws {
    let lines = Lines()
    var configuration = Configuration()
    configuration.logger = Logger(label: "test") { _ in Handler(lines: lines) }
    let stage = DropStage(configuration)
    func drop() -> DragOutcome? {
      let drag = stage.source.driver.drop([DragItem("text")], on: stage.window)
      stage.run()
      return drag.outcome
    }
    var delegate: DropStage.Receiver? = DropStage.Receiver()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer(["*/*"]), delegate: try #require(delegate))
    delegate?.onDrop = { $0.finish(.copy) }
    #expect(drop() == .dropped(.copy))
    #expect(lines.warnings.withLock { $0 } == [])
    delegate = nil
    #expect(drop() == .refused)
    #expect(
      lines.warnings.withLock { $0 } == ["all drags are refused: the delegate of the drop target was deallocated"])
  }
}
