import Logging
import Synchronization

/// The lines of a driver's log.
final class LogLines: Sendable {
  private let events = Mutex<[(message: String, violation: String?, limit: String?)]>([])

  var lines: [String] { events.withLock { $0.map(\.message) } }

  /// The mistakes of peers that the driver has ignored.
  var violations: [String] { events.withLock { $0.compactMap(\.violation) } }

  /// The limits that peers have exceeded.
  var limits: [String] { events.withLock { $0.compactMap(\.limit) } }

  func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "test") { _ in Handler(lines: self) }
    logger.logLevel = level
    return logger
  }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let violation = event.metadata?["violation"].map { "\($0)" }
      let limit = event.metadata?["limit"].map { "\($0)" }
      lines.events.withLock { $0.append(("\(event.message)", violation, limit)) }
    }
  }
}
