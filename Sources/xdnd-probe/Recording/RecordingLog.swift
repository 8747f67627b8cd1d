import DragRecording
import Glibc
import ToolSupport
import XDnD

/// A recording that is being written, line by line.
final class RecordingLog {
  /// Called once when nothing more can be written, also if that was so from the beginning.
  var onFailure: () -> Void = {} {
    didSet { if isBroken { onFailure() } }
  }
  /// How many entries there are.
  private(set) var count = 0

  private let file: LineFile
  private let start = ContinuousClock.now
  private var isBroken = false

  /// Writes the first line.
  ///
  /// - Parameter header: What is known already; its entries are not written.
  init(_ header: Recording, to file: LineFile) {
    self.file = file
    var header = header
    header.date = Self.date
    header.display = header.display ?? getenv("DISPLAY").map { String(cString: $0) }
    write(header.headerLine)
  }

  /// Writes an event, with the time that it is now.
  ///
  /// - Parameter isRecordersOwn: Whether the recorder does it so that the recording has it, and for nothing else.
  func take(_ event: WireEvent, isRecordersOwn: Bool = false) {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let time = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    count += 1
    write(Recording.Entry(time: time, event, isRecordersOwn: isRecordersOwn).line)
  }

  /// Writes who the other end is.
  func note(_ peer: Recording.Peer) { write(peer.line) }

  /// Writes where the window is that is dropped on.
  func note(_ target: Recording.Target) { write(target.line) }

  private func write(_ line: String) {
    guard !isBroken, !file.write(line + "\n") else { return }
    isBroken = true
    Reporter.complain("xdnd-probe", "the recording cannot be written: \(String(cString: strerror(errno)))")
    onFailure()
  }

  /// Now, in UTC.
  private static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
