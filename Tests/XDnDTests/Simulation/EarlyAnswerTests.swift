import Logging
import Synchronization
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("An answer before the drop")
struct EarlyAnswerTests {
  /// Notes what is logged as a warning.
  private final class Warnings: LogHandler, Sendable {
    private let noted = Mutex<[String]>([])

    var lines: [String] { noted.withLock { $0 } }

    var metadata: Logger.Metadata {
      get { [:] }
      set {}
    }

    var logLevel: Logger.Level {
      get { .warning }
      set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { nil }
      set {}
    }

    func log(event: LogEvent) { noted.withLock { $0.append("\(event.message)") } }
  }

  @Test(arguments: [DragOperation.copy, nil])
  func `an answer while the drag hovers is ignored and logged, and the one after the drop counts`(
    early: DragOperation?
  ) throws {
    let warnings = Warnings()
    var configuration = Configuration()
    configuration.logger = Logger(label: "test") { _ in warnings }
    let stage = DropStage(configuration)
    stage.receiver.onDrop = { $0.finish(.copy) }
    let drag = stage.hover([DragItem("text")])
    let drop = try #require(stage.receiver.drop)
    if let early { drop.finish(early) } else { drop.reject() }
    #expect(warnings.lines.count == 1)
    stage.letGo()
    #expect(drag.outcome == .dropped(.copy))
    #expect(stage.receiver.results == [.finished(.copy)])
    #expect(warnings.lines.count == 1)
  }

  @Test func `an answer to a drag that has left is ignored`() throws {
    let stage = DropStage()
    stage.hover([DragItem("text")])
    let drop = try #require(stage.receiver.drop)
    stage.move(to: DropStage.outside)
    drop.finish(.copy)
    stage.letGo()
    #expect(stage.receiver.results.isEmpty)
  }
}
