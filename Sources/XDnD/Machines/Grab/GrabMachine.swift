/// The grab of a pointer and the keyboard for a drag: both are grabbed, or neither.
///
/// The server's answer takes a round trip. Until it arrives, the events of the grab window are kept. Then they are read
/// again before all others, right after the answer.
///
/// Serial numbers of requests replace a clock. An event with a lower number than a request was sent before the
/// server processed that request.
struct GrabMachine: Equatable, Sendable {
  /// The devices that are grabbed.
  enum Hold: Hashable, Sendable {
    /// Pointer and keyboard of the core protocol.
    case core
    /// A pointer of XInput 2, and its keyboard. A device without a master is grabbed alone, without a keyboard.
    case pair(pointer: Int32, keyboard: Int32?)
    /// The keyboard only: the server reports a touch to the window that it began in until it ends.
    case touch(InputDevice)

    /// The keyboard of XInput 2; `nil` for the core protocol's.
    var keyboard: Int32? { if case .pair(_, let keyboard) = self { keyboard } else { nil } }
  }

  enum Input: Equatable, Sendable {
    /// The requests for a grab are sent next. An earlier grab has been released.
    case requested(Hold, at: Timestamp)
    case answered(Answer)
    /// The driver releases the grab, even if the server has not answered the request for it.
    case release(at: Timestamp)
    /// An event of the grab window.
    case event(Event)
    /// The answer to ``Effect/findPressedWindow``.
    case pressed(in: WindowID?)
    case touch(Touch)
    case destroyed(WindowID)
    /// The pointer was warped, according to the reply to a later query.
    case warped(to: Point, asked: UInt)
  }

  enum Effect: Equatable, Sendable {
    /// The ungrab of the pointer must be the next request.
    case ungrab(Hold, pointer: Bool, keyboard: Bool, at: Timestamp)
    /// Read the kept events again, and report the result to the drag; `nil` after a release, which needs no result.
    case settle(GrabResult?)
    /// Keep the event until ``settle(_:)``.
    case keep
    /// Report the event to the drag, at this point if the event's own is outdated.
    case report(at: Point?)
    /// Discard the event: it belongs to the drag, which does not need it.
    case swallow
    /// Find the host's window that the event would have been reported to without a grab.
    case findPressedWindow
    /// Report the event to the host, as one of this window.
    case redirect(to: WindowID)
    /// Report that the server has ended the grab.
    case lost
  }

  /// The replies to the requests of a grab.
  struct Answer: Equatable, Sendable {
    /// `nil` if the pointer was granted, or was not requested (``Hold/touch(_:)``).
    var pointer: GrabFailure?
    var keyboard: GrabFailure?
    /// `nil` without a reply to the query.
    var start: GrabStart?
    /// The serial number of the query for ``start``.
    var asked: UInt = 0
  }

  enum EventKind: Equatable, Sendable {
    case motion, press, release, key
    /// The server has ended one of the two grabs.
    case end
  }

  struct Event: Equatable, Sendable {
    var kind: EventKind
    /// `.core` for devices of the core protocol.
    var device = InputDevice.core
    var serial: UInt
  }

  /// An event of a finger on a window of this client.
  struct Touch: Equatable, Sendable {
    var kind: EventKind
    var device: InputDevice
    var window: WindowID
    var point: Point
  }

  private enum State: Equatable, Sendable {
    case free
    case requested(Grab)
    /// Positions in events with a serial number below `asked` are outdated: the query of that number found the pointer
    /// at `known`.
    case held(Grab, known: Point, asked: UInt)
  }

  struct Grab: Equatable, Sendable {
    var hold: Hold
    var time: Timestamp
    /// The serial number of the request; older events belong to an earlier grab.
    var serial: UInt
  }

  /// The last pointer that was released, and the press that its grab kept from the host.
  ///
  /// The server keeps a grab until it processes the ungrab request. The user may release and press again before this
  /// program has read the release. The server then reports that press, and the events after it, to the grab window.
  /// The host gets them as the server would have reported them without the grab.
  private struct Released: Equatable, Sendable {
    var device: InputDevice
    /// The serial number of the ungrab request.
    var serial: UInt
    /// The host's window that the user pressed in before the ungrab took effect.
    var pressed: WindowID?
  }

  private var state = State.free
  private var released: Released?
  /// The last event of each finger, oldest first. The server reports no end for fingers on destroyed windows.
  private var touches: [Touch] = []

  /// The maximum number of touches that are remembered.
  private static let touchLimit = 128

  /// The grab that is requested or held.
  var grab: Grab? {
    switch state {
    case .free: nil
    case .requested(let grab), .held(let grab, _, _): grab
    }
  }

  var isHeld: Bool { if case .held = state { true } else { false } }

  /// The last event of a finger.
  func touch(by finger: InputDevice) -> Touch? { touches.last { $0.device == finger } }

  /// - Parameter serial: The serial number of the next request.
  mutating func receive(_ input: Input, next serial: UInt) -> [Effect] {
    switch (input, state) {
    case (.requested(let hold, let time), _):
      state = .requested(Grab(hold: hold, time: time, serial: serial))
      return []
    case (.answered(let answer), .requested(let grab)): return settle(grab, by: answer, next: serial)
    case (.release(let time), _): return release(at: time, next: serial)
    case (.event(let event), .requested(let grab)) where event.serial >= grab.serial: return [.keep]
    case (.event(let event), .held(let grab, let known, let asked)) where event.serial >= grab.serial:
      return follow(event, grab.hold, outdated: event.serial < asked ? known : nil, next: serial)
    case (.event(let event), _): return redirect(event)
    case (.pressed(let window), _):
      released?.pressed = window
      return window.map { [.redirect(to: $0)] } ?? []
    case (.touch(let touch), _):
      note(touch)
      guard grab?.hold == .touch(touch.device) else { return [] }
      return [isHeld && touch.kind != .press ? .report(at: nil) : .swallow]
    case (.destroyed(let window), _):
      // No end of its touches will be reported.
      let ended = touches.indices.filter { touches[$0].window == window && touches[$0].kind != .release }
      for index in ended { touches[index].kind = .release }
      let isLost = isHeld && ended.contains { grab?.hold == .touch(touches[$0].device) }
      return isLost ? lose(next: serial) : []
    case (.warped(let point, let asked), .held(let grab, _, _)):
      state = .held(grab, known: point, asked: asked)
      return []
    case (.answered, _), (.warped, _): return []
    }
  }

  private mutating func settle(_ grab: Grab, by answer: Answer, next serial: UInt) -> [Effect] {
    let failure = answer.pointer ?? answer.keyboard
    guard failure == nil, var start = answer.start else {
      state = .free
      // Release only what was granted: another grab of this client may be the host's. Use the grab's own timestamp: the
      // server ignores an earlier one.
      let (pointer, keyboard) = (answer.pointer == nil, answer.keyboard == nil)
      return ungrab(grab.hold, pointer: pointer, keyboard: keyboard, at: grab.time, next: serial)
        + [.settle(.failure(failure ?? .closed))]
    }
    if case .touch(let finger) = grab.hold {
      let touch = touch(by: finger)
      if let touch { start.pointer.point = touch.point }
      start.down = touch?.kind == .release ? [] : [.primary]
    }
    state = .held(grab, known: start.pointer.point, asked: answer.asked)
    return [.settle(.success(start))]
  }

  private mutating func release(at time: Timestamp, next serial: UInt) -> [Effect] {
    guard let grab else { return [] }
    let isAnswered = isHeld
    state = .free
    // The server ignores an ungrab with a timestamp before the grab's, and the pointer would stay grabbed. If the
    // server refuses this grab, an ungrab with `CurrentTime` could release a later grab of the host.
    let isLate = time == .currentTime ? isAnswered : !grab.time.isLater(than: time)
    return ungrab(grab.hold, at: isLate ? time : grab.time, next: serial) + (isAnswered ? [] : [.settle(nil)])
  }

  private mutating func ungrab(
    _ hold: Hold, pointer: Bool = true, keyboard: Bool = true, at time: Timestamp, next serial: UInt
  ) -> [Effect] {
    switch hold {
    case .core where pointer: released = Released(device: .core, serial: serial)
    case .pair(let device, _) where pointer: released = Released(device: .device(Int(device)), serial: serial)
    case .core, .pair, .touch: break
    }
    return [.ungrab(hold, pointer: pointer, keyboard: keyboard, at: time)]
  }

  /// Handles the server's end of one of the two grabs: releases the other, and reports the loss once.
  private mutating func lose(next serial: UInt) -> [Effect] { release(at: .currentTime, next: serial) + [.lost] }

  /// - Parameter place: The pointer's position according to a later query; `nil` if the event's own is up to date.
  private mutating func follow(_ event: Event, _ hold: Hold, outdated place: Point?, next serial: UInt) -> [Effect] {
    switch event.kind {
    case .motion: return place == nil ? [.report(at: nil)] : []
    case .press, .release: return [.report(at: place)]
    case .key:
      // The event has the place of a pointer, which need not be where the finger is.
      let finger: Point? = if case .touch(let device) = hold { touch(by: device)?.point } else { nil }
      return [.report(at: finger ?? place)]
    case .end: return lose(next: serial)
    }
  }

  private mutating func redirect(_ event: Event) -> [Effect] {
    guard let released, released.device == event.device, event.serial < released.serial else { return [] }
    if event.kind == .press, released.pressed == nil { return [.findPressedWindow] }
    guard let window = released.pressed, [.motion, .press, .release].contains(event.kind) else { return [] }
    if event.kind == .release { self.released?.pressed = nil }
    return [.redirect(to: window)]
  }

  private mutating func note(_ touch: Touch) {
    touches.removeAll { $0.device == touch.device }
    if touches.count == Self.touchLimit { touches.removeFirst() }
    touches.append(touch)
  }
}

/// The answer to a request for the grab.
package typealias GrabResult = Result<GrabStart, GrabFailure>

/// The pointer right after a grab.
package struct GrabStart: Equatable, Sendable {
  package var pointer: PointerSample
  /// The buttons that were down.
  package var down: Set<PointerButton>

  package init(pointer: PointerSample, down: Set<PointerButton>) {
    self.pointer = pointer
    self.down = down
  }
}

/// The reason why pointer and keyboard could not be grabbed: the status in a reply, or a lost connection.
package enum GrabFailure: String, Error, Sendable {
  case alreadyGrabbed = "another client holds a grab"
  case notViewable = "the drag window is not viewable"
  case invalidTime = "the time of the grab is not valid"
  case frozen = "another client's grab has frozen the device"
  case closed = "the connection to the server is lost"

  /// Whether a later request may succeed, because another client has released its grab.
  var isOthers: Bool { self == .alreadyGrabbed || self == .frozen }
}
