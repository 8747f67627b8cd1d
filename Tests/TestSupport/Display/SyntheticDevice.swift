import Glibc
import Synchronization
import XDnD

/// A client of `inputtest`, the Xorg driver of a device whose events come from a socket.
///
/// The driver serves one client in its life.
final class SyntheticDevice: Sendable {
  /// As in `xf86ITEventType`.
  enum EventKind: UInt32 {
    case version, synchronize, motion, proximity, button, key, touch
  }

  /// The greatest value of an axis, which is the far edge of the screen.
  private static let axisLimit = 65535.0
  private static let axisCount = 64

  private let socket: Mutex<Int32>
  private let width: Int
  private let height: Int

  /// Connects to the driver. Its server must be running.
  init(path: String, width: Int, height: Int) throws {
    (self.width, self.height) = (width, height)
    socket = Mutex(try Self.connect(to: path))
    // Both halves are 1: version 1.1 of its protocol.
    try exchange(.version, [0x1_0001], replySize: 12)
  }

  deinit { _ = socket.withLock { close($0) } }

  /// Makes an event, and returns when the server has processed it.
  ///
  /// - Parameters:
  ///   - values: What the event has before its axes.
  ///   - place: In root coordinates.
  func post(_ kind: EventKind, _ values: [UInt32], at place: Point) throws {
    try socket.withLock {
      try send(message(kind, values, at: place), to: $0)
      try send(message(.synchronize, []), to: $0)
      try receive(8, from: $0)
    }
  }

  private func exchange(_ kind: EventKind, _ values: [UInt32], replySize: Int) throws {
    try socket.withLock {
      try send(message(kind, values), to: $0)
      try receive(replySize, from: $0)
    }
  }

  // MARK: Messages

  /// A message of 32-bit values, behind its length and its kind.
  private func message(_ kind: EventKind, _ values: [UInt32], axes: [UInt8] = []) -> [UInt8] {
    var words = [0, kind.rawValue] + values
    // Doubles are aligned to 8 bytes.
    if !axes.isEmpty, words.count % 2 != 0 { words.append(0) }
    words[0] = UInt32(words.count * 4 + axes.count)
    return words.withUnsafeBytes(Array.init) + axes
  }

  private func message(_ kind: EventKind, _ values: [UInt32], at place: Point) -> [UInt8] {
    // No unaccelerated values; the first two axes are set.
    let head: [UInt32] = [0, UInt32(littleEndian: 3), 0, 0]
    var axes = [Double](repeating: 0, count: Self.axisCount * 2)
    axes[0] = Double(place.x) * Self.axisLimit / Double(width - 1)
    axes[1] = Double(place.y) * Self.axisLimit / Double(height - 1)
    return message(kind, values, axes: head.withUnsafeBytes(Array.init) + axes.withUnsafeBytes(Array.init))
  }

  // MARK: The socket

  private static func connect(to path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < capacity else { throw HarnessError("the path \(path) is too long for a socket") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // A driver that does not answer fails the test, and does not hang it.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      let code = errno
      close(socket)
      throw HarnessError("cannot connect to \(path)", code: code)
    }
    return socket
  }

  private func send(_ bytes: [UInt8], to socket: Int32) throws {
    // Short enough for the socket's buffer: it is written as a whole.
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw HarnessError("the input device takes no event", code: errno)
    }
  }

  private func receive(_ count: Int, from socket: Int32) throws {
    var bytes = [UInt8](repeating: 0, count: count)
    guard recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count else {
      throw HarnessError("the input device does not answer", code: errno)
    }
  }
}
