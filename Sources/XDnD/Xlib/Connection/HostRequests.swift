/// Notices whether other code sends requests on a display between this library's requests.
///
/// The serial number of this library's next request directly follows the last one, unless other code has sent
/// requests in between.
struct HostRequests {
  /// The serial number of this library's next request if no other code sends one before it.
  private var expected: UInt
  /// The last request of other code that has been noticed.
  private var last: UInt = 0
  /// How many brackets are open. No code of the host runs within one on this thread.
  private var depth = 0

  init(next: UInt) {
    expected = next
  }

  /// Opens a bracket of this library's requests.
  ///
  /// - Parameter next: The serial number of the next request on the display.
  mutating func open(next: UInt) {
    if depth == 0, next != expected { last = next - 1 }
    depth += 1
  }

  /// Closes the innermost bracket.
  ///
  /// - Parameter end: The largest `next` if no other thread has sent requests within the bracket; `nil` if none can.
  mutating func close(next: UInt, atMost end: UInt? = nil) {
    depth -= 1
    if let end, next > end { last = next - 1 }
    expected = next
  }

  /// Whether other code has sent a request after the request with the given serial number. Within a bracket, only
  /// requests before the bracket are considered.
  func hasSent(since serial: UInt, next: UInt) -> Bool {
    last > serial || depth == 0 && next != expected
  }
}
