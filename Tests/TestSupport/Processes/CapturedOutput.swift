import Foundation
import Glibc

/// Everything that came through one pipe of a child, as bytes and as lines.
package final class CapturedOutput: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var lines: [String] = []
    /// Where the line that has no end yet begins in `bytes`.
    var openLine = 0
    var isAtEnd = false
  }

  private let state = Awaitable(State())

  package init() {}

  /// All bytes so far.
  package var bytes: [UInt8] { state.read { $0.bytes } }

  /// All bytes so far as text; what is not UTF-8 shows as replacement characters, very much as its beginning only.
  package var text: String {
    let bytes = bytes
    let shown = String(decoding: bytes.prefix(20_000), as: UTF8.self)
    return bytes.count > 20_000 ? shown + "… (\(bytes.count) bytes)" : shown
  }

  /// The complete lines so far.
  package var completeLines: [String] { state.read { $0.lines } }

  /// Every line so far and to come.
  package var lines: AsyncStream<String> {
    let position = Awaitable(0)
    return AsyncStream {
      let index = position.current
      position.update { $0 += 1 }
      return await self.line(at: index)
    }
  }

  /// The line at `index`, as soon as it is complete; `nil` when the output ends before it or the task is cancelled.
  package func line(at index: Int) async -> String? {
    await state.wait { $0.lines.count > index || $0.isAtEnd }
    return state.read { $0.lines.count > index ? $0.lines[index] : nil }
  }

  /// Returns when the pipe is closed by all who could write, or the task is cancelled.
  package func end() async {
    await state.wait { $0.isAtEnd }
  }

  /// Reads `descriptor` to its end on a thread of its own, and closes it.
  package func readAll(from descriptor: Int32) {
    Thread.detachNewThread { [state] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 {
          state.update { Self.append(buffer[..<count], to: &$0) }
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      close(descriptor)
      state.update {
        if $0.openLine < $0.bytes.count { Self.endLine(&$0, at: $0.bytes.count) }
        $0.isAtEnd = true
      }
    }
  }

  /// Adds `new` and cuts it into lines.
  private static func append(_ new: ArraySlice<UInt8>, to state: inout State) {
    var rest = new
    while let end = lineEnd(in: rest) {
      state.bytes += rest[...end]
      endLine(&state, at: state.bytes.count - 1)
      rest = rest[(end + 1)...]
    }
    state.bytes += rest
  }

  /// The index of the first line feed. `firstIndex(of:)` takes seconds for some megabytes in a debug build with a sanitizer.
  private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "\n")), buffer.count) else {
        return nil
      }
      return bytes.startIndex + (UnsafeRawPointer(end) - start)
    }
  }

  private static func endLine(_ state: inout State, at end: Int) {
    state.lines.append(String(decoding: state.bytes[state.openLine..<end], as: UTF8.self))
    state.openLine = end + 1
  }
}
