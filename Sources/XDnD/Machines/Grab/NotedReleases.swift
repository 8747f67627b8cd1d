/// The first release of each button since a press, in any window. The host may read the release while the drag still
/// waits for the server's answers.
struct NotedReleases: Equatable, Sendable {
  struct Release: Equatable, Sendable {
    var device: InputDevice
    var button: PointerButton
    var point: Point
    var time: Timestamp
    /// The event's state mask.
    var state: UInt32
  }

  /// The device that reported the press.
  var device = InputDevice.core
  /// The time of the press; `nil` before the first drag.
  private var time: Timestamp?
  private var releases: [Release] = []

  /// The maximum number of releases: each touch counts as a separate device.
  private static let limit = 64

  /// Starts to note releases. Keeps the noted ones if the press is the same as before.
  mutating func begin(since time: Timestamp) {
    if self.time != time { self = NotedReleases(time: time) }
  }

  init(time: Timestamp? = nil) {
    self.time = time
  }

  mutating func note(_ release: Release) {
    guard let time, !time.isLater(than: release.time),
      !releases.contains(where: { $0.device == release.device && $0.button == release.button })
    else { return }
    if releases.count == Self.limit { releases.removeFirst() }
    releases.append(release)
  }

  func release(of button: PointerButton, since time: Timestamp) -> Release? {
    let later = releases.filter { $0.button == button && !time.isLater(than: $0.time) }
    if let release = later.first(where: { $0.device == device }) { return release }
    // The host may have got the press from XInput 2 without naming the device.
    return device == .core ? later.first { !$0.device.isTouch } : nil
  }
}
