import XDnDX11
import Glibc
import TestSupport
import Testing
import XDnDToolSupport

@testable import XDnD

extension MisbehaviorTests {
  /// What one end has seen of a drag.
  struct Log {
    var events: [WireEvent]
    /// What was dropped on.
    var window: WindowID
    /// What is left of what was fetched, on the windows that it was fetched to.
    var left: [String] = []

    var lines: [String] { events.map(\.line) }

    var messages: [WireEvent.Message] {
      events.filter { $0.direction == .received }.compactMap {
        if case .message(let message) = $0.action { message } else { nil }
      }
    }

    /// Those that have come in; of the two ends both have their own.
    func messages(_ type: String) -> [WireEvent.Message] { messages.filter { $0.type.rawValue == type } }

    func words(_ type: String, _ place: Int) -> [UInt32] { messages(type).map { $0.words[place] } }

    /// The owners that the server has told of.
    var owners: [WindowID] {
      events.compactMap {
        if $0.direction == .received, case .owner(AtomName("XdndSelection"), let owner, _) = $0.action {
          owner
        } else {
          nil
        }
      }
    }

    var answers: [WireEvent.Conversion] {
      events.compactMap {
        if $0.direction == .received, case .converted(let answer) = $0.action { answer } else { nil }
      }
    }

    var requests: [WireEvent.Conversion] {
      events.compactMap {
        if $0.direction == .received, case .conversion(let request) = $0.action { request } else { nil }
      }
    }

    func read(_ name: String) -> [WireEvent.Property] {
      events.compactMap {
        if case .property(let property) = $0.action, property.change == .read, property.name.rawValue == name {
          property
        } else {
          nil
        }
      }
    }

    /// What was fetched.
    var content: [WireEvent.Property] {
      events.compactMap {
        if case .property(let property) = $0.action, property.change == .read, property.name.isTransfer {
          property
        } else {
          nil
        }
      }
    }

    /// Whether somebody has taken what was written for him.
    func isDeleted(_ event: WireEvent) -> Bool {
      if case .property(let property) = event.action {
        property.change == .removed && property.name.isTransfer
      } else {
        false
      }
    }

    func firstIndex(of beginning: String) -> Int? { lines.firstIndex { $0.hasPrefix(beginning) } }

    func index(of beginning: String) -> Int? { lines.lastIndex { $0.hasPrefix(beginning) } }
  }

  /// Drags, with one end or none doing wrong, and says what the other end has seen.
  static func log(
    on display: String, _ scene: Scene, source fault: String? = nil, target targetFault: String? = nil,
    _ side: (WireStage) -> WireSide
  ) throws -> Log {
    // Each has the patience of a test.
    var configuration = Configuration()
    configuration.statusTimeout = .seconds(2)
    configuration.transferTimeout = .seconds(2)
    configuration.finishTimeout = .seconds(3)
    var sourceFaults = [fault].compactMap { $0 }
    if case .refusedDrop = scene { sourceFaults.append("drop-accepted") }
    if case .old = scene { sourceFaults.append("version-4") }
    if case .refusing = scene { sourceFaults.append("advertised-delivered") }
    if case .silent = scene { sourceFaults.append("silent") }
    var targetFaults = [targetFault].compactMap { $0 }
    if case .withoutTime = scene { targetFaults.append("conversion-time") }
    let stage = try WireStage(display, configuration) { source, target in
      if !sourceFaults.isEmpty { source.tamper = Misbehavior(sourceFaults, of: .source) }
      if !targetFaults.isEmpty { target.tamper = Misbehavior(targetFaults, of: .target) }
    }
    try stage.play(scene)
    var log = Log(events: side(stage).events, window: stage.window)
    log.left = log.requests.flatMap { stage.source.transfers(on: $0.requestor) }
    return log
  }
}

extension WireStage {
  fileprivate func play(_ scene: MisbehaviorTests.Scene) throws {
    var item = DragItem("Grüße")
    var path: [Point] = []
    switch scene {
    case .plain, .old, .left, .withoutTime, .refusing, .silent: break
    case .refused, .refusedDrop: target.onPosition = { _ in .forbidden }
    case .large:
      item = DragItem()
      item.promise("text/plain", bytes: TestContent.bytes(4 << 20))
    case .files:
      item = DragItem(files: ["/etc/hosts"])
      target.onDrop = { [unowned target] in target.take(.uriList, from: $0) }
    case .promise:
      item.promise(FilePromise(named: "a.txt", type: .plainText, bytes: [1]))
      target.onDrop = {
        _ = $0.promisedFileName()
        $0.finish(.copy)
      }
    case .asking(let type): target.onDrop = { [unowned target] in target.take(type, from: $0) }
    case .askingForSeveral:
      target.onDrop = { [unowned target, window] in
        target.askForSeveral(in: window, at: $0.dropTime ?? .currentTime)
        target.take("text/plain", from: $0)
      }
    case .quiet:
      path = [Point(x: 10, y: 10), Point(x: 20, y: 20)]
      target.onPosition = { _ in .accept(.copy, quietIn: Rect(x: 0, y: 0, width: 1000, height: 1000)) }
    case .path: path = [Point(x: 10, y: 10), Point(x: 20, y: 20)]
    }
    let drag = source.driver.drop([item], on: window, along: path)
    if case .left = scene { return try leave(drag) }
    try run { drag.outcome == nil }
    // What is still on its way.
    try run(for: .milliseconds(100))
  }

  /// Goes away again, and then says where it is all the same.
  private func leave(_ drag: DragSession) throws {
    target.onPosition = { [weak drag] in
      drag?.cancel()
      return $0.suggestedProposal
    }
    try run { drag.outcome == nil }
    try run(for: .milliseconds(100))
    let position = source.events.lazy.compactMap { event in
      if case .message(let message) = event.action, message.type.rawValue == "XdndPosition" { message } else { nil }
    }.first
    guard let position, let display = source.driver.display else { return }
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = window.xid
    event.xclient.message_type = XInternAtom(display, "XdndPosition", False)
    event.xclient.format = 32
    let words = position.words.map { Int($0) }
    event.xclient.data.l = (words[0], words[1], words[2], words[3], words[4])
    XSendEvent(display, window.xid, False, NoEventMask, &event)
    XFlush(display)
    try run(for: .milliseconds(200))
  }

  private func run(for duration: Duration) throws {
    let end = ContinuousClock.now + duration
    try run { .now < end }
  }
}

extension WireSide {
  /// Loads one type, and is content with whatever comes of it.
  fileprivate func take(_ type: ContentType, from drop: DropSession) {
    drop.load(type) { (_: Result<LoadedContent, XDnDError>) in drop.finish(.copy) }
  }

  /// The properties of a window that content is fetched to.
  fileprivate func transfers(on window: WindowID) -> [String] {
    guard let display = driver.display else { return [] }
    var count: Int32 = 0
    guard let atoms = XListProperties(display, window.xid, &count) else { return [] }
    defer { XFree(atoms) }
    return (0..<Int(count)).compactMap { index in
      guard let name = XGetAtomName(display, atoms[index]) else { return nil }
      defer { XFree(name) }
      let text = String(cString: name)
      return AtomName(text).isTransfer ? text : nil
    }
  }

  /// `MULTIPLE`, which the library never asks for.
  fileprivate func askForSeveral(in window: WindowID, at time: Timestamp) {
    guard let display = driver.display else { return }
    func atom(_ name: String) -> XDnDX11.Atom { XInternAtom(display, name, False) }
    let pairs = [atom("UTF8_STRING"), atom("PART_1"), atom("a/nothing"), atom("PART_2")]
    pairs.withUnsafeBytes {
      _ = XChangeProperty(
        display, window.xid, atom("PAIRS"), atom("ATOM_PAIR"), 32, PropModeReplace,
        $0.bindMemory(to: UInt8.self).baseAddress, 4)
    }
    XConvertSelection(
      display, atom("XdndSelection"), atom("MULTIPLE"), atom("PAIRS"), window.xid, Time(time.rawValue))
  }
}
