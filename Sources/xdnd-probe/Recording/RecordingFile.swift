import ArgumentParser
import XDnDConformance
import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD

extension Recording {
  /// Reads a recording named on the command line; `-` is standard input.
  static func read(_ path: RawPath) throws -> Recording {
    let name = RawArgument.string(path)
    let bytes: [UInt8]
    do throws(SystemError) {
      let isStandardInput = path == Array("-".utf8)
      let descriptor = isStandardInput ? STDIN_FILENO : try openFile(path, O_RDONLY)
      defer { if !isStandardInput { close(descriptor) } }
      bytes = try readAll(from: descriptor)
    } catch {
      throw ValidationError("cannot read '\(name)': \(error.message)")
    }
    do {
      return try Recording(text: bytes)
    } catch {
      throw ValidationError("\(name), \(error)")
    }
  }
}

/// A file that is written line by line, so that it is complete up to the last line at any time.
final class LineFile: Sendable {
  private let descriptor: CInt

  /// Creates a file named on the command line; `nil` and `-` stand for standard output.
  init(_ path: RawPath?) throws {
    guard let path, path != Array("-".utf8) else {
      descriptor = STDOUT_FILENO
      return
    }
    do throws(SystemError) {
      descriptor = try openFile(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
    } catch {
      throw ValidationError("cannot write '\(RawArgument.string(path))': \(error.message)")
    }
  }

  deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

  /// Writes the result of a command.
  ///
  /// - Parameter name: The file's name in the error message.
  /// - Throws: `ExitCode`, after it has reported the failure.
  func write(_ text: String, as name: String) throws {
    do throws(SystemError) {
      try write(text)
    } catch {
      throw ExitCode(.transferFailed, because: "cannot write \(name): \(error.message)")
    }
  }

  func write(_ text: String) throws(SystemError) {
    guard descriptor == STDOUT_FILENO else { return try writeAll(Array(text.utf8)[...], to: descriptor) }
    let output = OutputBuffer.standardOutput
    let bytes = Array((output.isTerminal ? Formatting.visibleLines(text) : text).utf8)
    guard output.write(bytes, isContent: true) else { throw .last }
  }
}

/// Writes a recording while the drag is in progress, line by line.
final class RecordingLog {
  /// Called once, when the recording can no longer be written; immediately if it is set after that.
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
    header.date = Formatting.timestamp()
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
}
