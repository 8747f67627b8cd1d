import Logging
import Synchronization

/// What a driver logs.
final class LogLines: Sendable {
  private let noted = Mutex<[String]>([])

  var lines: [String] { noted.withLock { $0 } }

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

    func log(event: LogEvent) { lines.noted.withLock { $0.append("\(event.message)") } }
  }
}
