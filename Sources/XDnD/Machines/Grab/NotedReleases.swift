/// The first release of each button since a press, in any window: the host reads it while the drag waits for answers.
struct NotedReleases: Equatable, Sendable {
  struct Release: Equatable, Sendable {
    var device: InputDevice
    var button: PointerButton
    var point: Point
    var time: Timestamp
    /// The event's state mask.
    var state: UInt32
  }

  /// The device that the press is known from.
  var device = InputDevice.core
  /// The time of the press; `nil` before the first drag.
  private var time: Timestamp?
  private var releases: [Release] = []

  /// The maximum number of releases: each touch has a device of its own.
  private static let limit = 64

  /// Notes releases from now on. Those since the same press stay.
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
    // A host may know the press from XInput 2 and not say so.
    return device == .core ? later.first { !$0.device.isTouch } : nil
  }
}
