import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// The clipboards on a real server, with bare Xlib on the other side.
@Suite("The clipboard on a real server", .requiresXvfb, .timeLimit(.minutes(1)))
struct ClipboardTransferTests {
  private static let long = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

  @Test func `a requestor gets TARGETS, TIMESTAMP, MULTIPLE, SAVE_TARGETS and eight MiB by INCR`() async throws {
    try await XServer.with { server in
      let desk = try Desk(server)
      var item = DragItem("a/short", [1, 2, 3])
      item.promise("a/long", bytes: Self.long)
      let time = desk.driver.serverTime
      try desk.driver.clipboard.write(item, at: time)
      #expect(desk.driver.clipboard.ownerWindow == desk.driver.reactor.system.dragWindow)

      let targets = try desk.convert("TARGETS")
      #expect(targets.type == "ATOM")
      #expect(
        targets.words.map(desk.name) == ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "a/short", "a/long"])
      #expect(try desk.convert("TIMESTAMP").words == [time.rawValue])
      let saved = try desk.convert("SAVE_TARGETS")
      #expect(saved.type == "NULL")
      #expect(saved.bytes.isEmpty)

      desk.setAtoms(["a/short", "FIRST", "image/png", "SECOND", "a/long", "THIRD"], "PAIRS")
      _ = try desk.convert("MULTIPLE", to: "PAIRS", reading: false)
      #expect(desk.atoms(of: "PAIRS") == ["a/short", "FIRST", "image/png", nil, "a/long", "THIRD"])
      #expect(desk.take("FIRST")?.bytes == [1, 2, 3])
      #expect(try desk.takeIncrementally("THIRD") == Self.long)

      desk.expectRefusal("image/png")
      desk.expectRefusal("DELETE")
    }
  }

  @Test func `an owner's types and eight MiB by INCR are loaded`() async throws {
    try await XServer.with { server in
      let desk = try Desk(server)
      desk.content = ["a/b": Self.long, "c/d": [4, 5]]
      desk.own("PRIMARY")
      var types: [ContentType]?
      desk.driver.primarySelection.types { types = try? $0.get() }
      try desk.pump { types != nil }
      #expect(types == ["a/b", "c/d"])
      var loaded: [UInt8]?
      desk.driver.primarySelection.load("a/b") { loaded = try? $0.get().bytes }
      try desk.pump { loaded != nil }
      #expect(loaded == Self.long)
      var failure: XDnDError.Code?
      desk.driver.primarySelection.load("e/f") { failure = $0.failure }
      try desk.pump { failure != nil }
      #expect(failure == .transferRefused)
    }
  }

  @Test func `a program pastes from itself, and hears of each change of owner while it listens`() async throws {
    try await XServer.with { server in
      let desk = try Desk(server)
      let clipboard = desk.driver.clipboard
      var owners: [WindowID?] = []
      var losses = 0
      clipboard.onOwnerChange = { owners.append($0) }
      clipboard.onLoss = { losses += 1 }
      try clipboard.write(DragItem("a/b", Self.long))
      var loaded: [UInt8]?
      clipboard.load("a/b") { loaded = try? $0.get().bytes }
      try desk.pump { loaded != nil }
      #expect(loaded == Self.long)
      desk.own("CLIPBOARD")
      try desk.pump { losses > 0 && owners.count == 2 }
      #expect(owners == [desk.driver.reactor.system.dragWindow, desk.window])
      #expect(clipboard.item == nil)
      desk.peer.destroy(desk.window)
      try desk.pump { owners.count == 3 }
      #expect(owners.last == .some(nil))
      clipboard.onOwnerChange = nil
      try clipboard.write(DragItem("a/b", [1]))
      clipboard.clear()
      _ = desk.driver.serverTime
      try desk.driver.process()
      #expect(owners.count == 3)
      #expect(losses == 1)
      #expect(clipboard.ownerWindow == nil)
    }
  }
}

/// A program with the library and one without, in one thread.
private final class Desk {
  struct Value {
    var type: String
    var format: Int32
    var bytes: [UInt8]

    var words: [UInt32] { bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) } }
  }

  let driver: DragAndDrop
  let peer: XlibPeer
  let window: WindowID
  /// What the peer has as an owner; what is long goes by INCR.
  var content: [String: [UInt8]] = [:]
  private var pending: [(requestor: Window, property: XDnDX11.Atom, type: XDnDX11.Atom, rest: ArraySlice<UInt8>)] = []

  init(_ server: XServer) throws {
    peer = try XlibPeer(server)
    driver = try DragAndDrop(connectingTo: server.displayName, configuration: .patient)
    window = peer.makeWindow(Rect(x: 0, y: 0, width: 1, height: 1), mapped: false)
    XSelectInput(peer.display, window.xid, PropertyChangeMask)
  }

  func name(_ atom: UInt32) -> String {
    guard let name = XGetAtomName(peer.display, XDnDX11.Atom(atom)) else { return "" }
    defer { XFree(name) }
    return String(cString: name)
  }

  // MARK: Running both

  /// Runs both until `isDone`, for 20 seconds at most.
  func pump(until isDone: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      try driver.process()
      while XPending(peer.display) > 0 {
        var event = XEvent()
        XNextEvent(peer.display, &event)
        handle(event)
      }
      if isDone() { return }
      guard .now < deadline else { throw HarnessError("nothing happens") }
      var descriptors = [
        pollfd(fd: driver.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: XConnectionNumber(peer.display), events: Int16(POLLIN), revents: 0),
      ]
      // What the peer's calls have brought in is not in the socket any more.
      poll(&descriptors, 2, XEventsQueued(peer.display, QueuedAlready) > 0 ? 0 : 100)
    }
  }

  private func handle(_ event: XEvent) {
    switch event.type {
    case XDnDX11.SelectionNotify: notify = event.xselection
    case XDnDX11.SelectionRequest: serve(event.xselectionrequest)
    case PropertyNotify:
      let change = event.xproperty
      if change.window == window.xid, change.state == PropertyNewValue { changed.insert(name(UInt32(change.atom))) }
      if change.state == PropertyDelete { serveNextPart(change) }
    default: break
    }
  }

  // MARK: As a requestor

  private var notify: XSelectionEvent?
  private var changed: Set<String> = []

  /// Asks the clipboard, and returns what it answers.
  func convert(_ target: String, to property: String = "ANSWER", reading: Bool = true) throws -> Value {
    ask(target, to: property)
    try pump { notify != nil }
    guard notify?.property == peer.atom(property) else { throw HarnessError("\(target) is refused") }
    guard reading else { return Value(type: "", format: 0, bytes: []) }
    guard let value = take(property) else { throw HarnessError("\(target) is not there") }
    return value
  }

  func expectRefusal(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) {
    ask(target, to: "ANSWER")
    do {
      try pump { notify != nil }
      #expect(notify?.property == 0, sourceLocation: sourceLocation)
      #expect(notify?.target == peer.atom(target), sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }

  private func ask(_ target: String, to property: String) {
    notify = nil
    XConvertSelection(
      peer.display, peer.atom("CLIPBOARD"), peer.atom(target), peer.atom(property), window.xid, Time(CurrentTime))
    peer.sync()
  }

  /// Reads a property and deletes it.
  func take(_ property: String) -> Value? {
    var type: XDnDX11.Atom = 0
    var format: Int32 = 0
    var (count, left): (UInt, UInt) = (0, 0)
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      peer.display, window.xid, peer.atom(property), 0, 1 << 24, True, XDnDX11.Atom(AnyPropertyType), &type, &format,
      &count, &left, &data)
    guard type != 0, let data else { return nil }
    defer { XFree(data) }
    if format == 32 {
      let words = data.withMemoryRebound(to: UInt.self, capacity: Int(count)) { longs in
        (0..<Int(count)).map { UInt32(truncatingIfNeeded: longs[$0]) }
      }
      return Value(type: name(UInt32(type)), format: format, bytes: words.withUnsafeBytes { Array($0) })
    }
    return Value(
      type: name(UInt32(type)), format: format, bytes: Array(UnsafeBufferPointer(start: data, count: Int(count))))
  }

  /// Reads all parts of an INCR.
  func takeIncrementally(_ property: String) throws -> [UInt8] {
    changed = []
    guard let announcement = take(property), announcement.type == "INCR" else { throw HarnessError("no INCR") }
    var all: [UInt8] = []
    while true {
      try pump { changed.contains(property) }
      changed = []
      guard let part = take(property) else { continue }
      if part.bytes.isEmpty { return all }
      all += part.bytes
    }
  }

  func setAtoms(_ names: [String], _ property: String) {
    peer.setWords(names.map { UInt32(peer.atom($0)) }, property, type: "ATOM_PAIR", on: window)
  }

  func atoms(of property: String) -> [String?]? {
    take(property)?.words.map { $0 == 0 ? nil : name($0) }
  }

  // MARK: As an owner

  func own(_ selection: String) {
    XSetSelectionOwner(peer.display, peer.atom(selection), window.xid, Time(CurrentTime))
    peer.sync()
  }

  private func serve(_ request: XSelectionRequestEvent) {
    let target = name(UInt32(request.target))
    var property = request.property
    if target == "TARGETS" {
      var atoms = (["TARGETS"] + content.keys.sorted()).map(peer.atom)
      atoms.withUnsafeMutableBytes {
        _ = XChangeProperty(
          peer.display, request.requestor, property, XDnDX11.Atom(XA_ATOM), 32, PropModeReplace,
          $0.bindMemory(to: UInt8.self).baseAddress, Int32(content.count + 1))
      }
    } else if let bytes = content[target], bytes.count > 1 << 20 {
      XSelectInput(peer.display, request.requestor, PropertyChangeMask)
      var size = Int(bytes.count)
      withUnsafeMutableBytes(of: &size) {
        _ = XChangeProperty(
          peer.display, request.requestor, property, peer.atom("INCR"), 32, PropModeReplace,
          $0.bindMemory(to: UInt8.self).baseAddress, 1)
      }
      pending.append((request.requestor, property, request.target, bytes[...]))
    } else if let bytes = content[target] {
      XChangeProperty(
        peer.display, request.requestor, property, request.target, 8, PropModeReplace, bytes, Int32(bytes.count))
    } else {
      property = 0
    }
    var answer = XEvent()
    answer.xselection = XSelectionEvent(
      type: XDnDX11.SelectionNotify, serial: 0, send_event: True, display: peer.display, requestor: request.requestor,
      selection: request.selection, target: request.target, property: property, time: request.time)
    XSendEvent(peer.display, request.requestor, False, 0, &answer)
    XFlush(peer.display)
  }

  private func serveNextPart(_ change: XPropertyEvent) {
    guard
      let index = pending.firstIndex(where: { $0.requestor == change.window && $0.property == change.atom })
    else { return }
    let part = Array(pending[index].rest.prefix(100_000))
    XChangeProperty(
      peer.display, change.window, change.atom, pending[index].type, 8, PropModeReplace, part, Int32(part.count))
    XFlush(peer.display)
    pending[index].rest = pending[index].rest.dropFirst(part.count)
    if part.isEmpty { pending.remove(at: index) }
  }
}
