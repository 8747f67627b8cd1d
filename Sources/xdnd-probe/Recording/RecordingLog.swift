import XDnDConformance
import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD

/// Writes a recording while the drag is in progress, line by line.
final class RecordingLog {
  /// Called once when the recording can no longer be written, also if that was so before it is set.
  var onFailure: () -> Void = {} {
    didSet { if isBroken { onFailure() } }
  }
  private(set) var count = 0

  private let file: LineFile
  private let start = ContinuousClock.now
  private var isBroken = false

  /// - Parameter header: The facts known at the start; its entries are not written.
  init(_ header: Recording, to file: LineFile) {
    self.file = file
    var header = header
    header.date = Self.date
    header.display = header.display ?? getenv("DISPLAY").map { String(cString: $0) }
    write(header.headerLine)
  }

  /// - Parameter isRecordersOwn: Whether the event happened only for the sake of the recording.
  func take(_ event: WireEvent, isRecordersOwn: Bool = false) {
    let time = Int((ContinuousClock.now - start) / .microseconds(1))
    count += 1
    write(Recording.Entry(time: time, event, isRecordersOwn: isRecordersOwn).line)
  }

  func note(_ peer: Recording.Peer) { write(peer.line) }

  func note(_ target: Recording.Target) { write(target.line) }

  private func write(_ line: String) {
    guard !isBroken else { return }
    do {
      try file.write(line + "\n")
    } catch {
      isBroken = true
      Reporter.printError("xdnd-probe", "cannot write the recording: \(error.message)")
      onFailure()
    }
  }

  private static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
