import XDnDX11
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import XDnD

@Suite("Errors and lost servers", .requiresXvfb, .timeLimit(.minutes(1)))
struct LostServerTests {
  @Test func `a one-way request to a window that is gone is news of its end, once`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      peer.destroy(window)
      us.send(.leave(.init(source: us.dragWindow)), version: .v5, to: window, via: window)
      us.send(
        SelectionNotify(
          requestor: window, selection: .xdndSelection, target: .targets, property: nil, time: .currentTime))
      us.write(.atoms([.targets]), to: AtomName("ANSWER"), of: window)
      us.delete(AtomName("ANSWER"), of: window)
      #expect(us.drain() == [.windowVanished(window)])
      #expect(us.drain().isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `what a window says before it goes comes before the news of its end`(isBorrowed: Bool) async throws {
    try await XServer.with { server in
      let (host, peer) = (try XlibPeer(server), try XlibPeer(server))
      let us = isBorrowed ? XlibConnection(borrowing: host.display) : try XlibConnection(server)
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      peer.send("XdndFinished", [Int(window.rawValue), 1, 0, 0, 0], to: us.dragWindow)
      peer.send("XdndStatus", [Int(window.rawValue), 0, 0, 0, 0], to: us.dragWindow)
      peer.destroy(window)
      // The error is read together with what came before it.
      us.delete(AtomName("X"), of: window)
      _ = us.serverTime()
      peer.send("XdndStatus", [0x77, 0, 0, 0, 0], to: us.dragWindow)
      var seen: [String] = []
      func see(_ event: ServerEvent) {
        switch event {
        case .message(let message, _): seen.append("\(message.kind) of \(message.sender)")
        case .windowVanished(let window): seen.append("end of \(window)")
        default: break
        }
      }
      if isBorrowed {
        while XPending(host.display) > 0 {
          var event = XEvent()
          XNextEvent(host.display, &event)
          _ = us.filter(&event, see)
          // As a host does that has it work after each event.
          while let event = us.nextEvent() { see(event) }
        }
      } else {
        for event in us.drain() { see(event) }
      }
      #expect(
        seen == [
          "finished of \(window)", "status of \(window)", "end of \(window)", "status of \(WindowID(rawValue: 0x77))",
        ])
      us.close()
    }
  }

  @Test func `a host that leaves events in the queue hears of the end all the same`() async throws {
    try await XServer.with { server in
      let (host, peer) = (try XlibPeer(server), try XlibPeer(server))
      let us = XlibConnection(borrowing: host.display)
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      peer.send("XdndStatus", [Int(window.rawValue), 0, 0, 0, 0], to: us.dragWindow)
      peer.destroy(window)
      us.delete(AtomName("X"), of: window)
      _ = us.serverTime()
      #expect(us.hasQueuedEvents)
      #expect(us.nextEvent() == nil)
      #expect(us.nextEvent() == .windowVanished(window))
      #expect(us.nextEvent() == nil)
      us.close()
    }
  }

  @Test func `no error among many requests and replies goes astray`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      var vanished = Set<WindowID>()
      for number in 1...2000 {
        // An error that nobody answers for would end the process: that is what Xlib's own handler does.
        us.delete(AtomName("X"), of: WindowID(rawValue: UInt32(number)))
        if number % 7 == 0 { #expect(!us.exists(WindowID(rawValue: 3))) }
        if number % 50 == 0 { us.flush() }
        while case .windowVanished(let window)? = us.nextEvent() { vanished.insert(window) }
      }
      for case .windowVanished(let window) in us.drain() { vanished.insert(window) }
      // The ids below are those of no resource, except for a few that the server has made for itself.
      #expect(vanished.count > 1900)
    }
  }

  @Test func `errors that are not ours go to the host's handler, whenever it was installed`() async throws {
    // Handlers are the whole process's, and other tests use them: so a process of its own.
    await #expect(processExitsWith: .success) {
      LostServerTests.installHandler()
      try await LostServerTests.checkHandlerOfHost {}
    }
    await #expect(processExitsWith: .success) {
      try await LostServerTests.checkHandlerOfHost(afterConnecting: LostServerTests.installHandler)
    }
  }

  @Test func `two drivers of one display each hear of their own errors, and the host of neither's`() async throws {
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      _ = XInitThreads()
      let host = try XlibPeer(server)
      let first = XlibConnection(borrowing: host.display)
      LostServerTests.installHandler()
      let second = XlibConnection(borrowing: host.display)
      first.delete(AtomName("X"), of: WindowID(rawValue: 0x1111))
      second.delete(AtomName("X"), of: WindowID(rawValue: 0x2222))
      XMapWindow(host.display, 0x3333)
      host.sync()
      // This host leaves its events where they are.
      precondition((first.nextEvent() ?? first.nextEvent()) == .windowVanished(WindowID(rawValue: 0x1111)))
      precondition((second.nextEvent() ?? second.nextEvent()) == .windowVanished(WindowID(rawValue: 0x2222)))
      precondition(first.nextEvent() == nil && second.nextEvent() == nil)
      // The end of one leaves the other its errors.
      first.close()
      second.delete(AtomName("X"), of: WindowID(rawValue: 0x4444))
      host.sync()
      precondition((second.nextEvent() ?? second.nextEvent()) == .windowVanished(WindowID(rawValue: 0x4444)))
      second.close()
      XMapWindow(host.display, 0x5555)
      host.sync()
      precondition(LostServerTests.seen.withLock { $0 } == [0x3333, 0x5555])
      try await server.terminate()
    }
  }

  @Test func `a lost server closes both drivers of its display`() async throws {
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      let host = try XlibPeer(server)
      let (first, second) = (XlibConnection(borrowing: host.display), XlibConnection(borrowing: host.display))
      try await server.kill()
      precondition(first.serverTime() == .currentTime)
      precondition(first.isClosed && second.isClosed)
      first.close()
      second.close()
    }
  }

  private static let seen = Mutex<[XID]>([])
  /// Whether the host's other thread has begun, and whether it is to end.
  private static let isReading = Atomic(false)
  private static let isOver = Atomic(false)
  private static let hasBegun = Atomic(false)

  /// Installs a host's error handler, which notes the resource of each error.
  private static func installHandler() {
    XSetErrorHandler { _, event in
      LostServerTests.seen.withLock { $0.append(event?.pointee.resourceid ?? 0) }
      return 0
    }
  }

  private static func checkHandlerOfHost(afterConnecting installHandler: () -> Void) async throws {
    let server = try await XServer.start()
    _ = XInitThreads()
    let host = try XlibPeer(server)
    let us = XlibConnection(borrowing: host.display)
    let foreign = try XlibPeer(server)
    installHandler()
    XMapWindow(foreign.display, 0x1111)
    foreign.sync()
    XMapWindow(host.display, 0x2222)
    us.delete(AtomName("X"), of: WindowID(rawValue: 0x3333))
    XMapWindow(host.display, 0x4444)
    host.sync()
    precondition(seen.withLock { $0 } == [0x1111, 0x2222, 0x4444])
    // This host leaves its events where they are.
    precondition((us.nextEvent() ?? us.nextEvent()) == .windowVanished(WindowID(rawValue: 0x3333)))
    // Our last requests may fail after we are gone.
    us.delete(AtomName("X"), of: WindowID(rawValue: 0x5555))
    us.close()
    host.sync()
    precondition(seen.withLock { $0.count } == 3)
    try await server.terminate()
  }

  @Test(arguments: 0..<6) func `a killed server closes the connection, not the process`(firstRequest: Int)
    async throws
  {
    let server = try await XServer.start()
    let us = try XlibConnection(server)
    us.beginTracking()
    _ = us.locateTarget(at: Point(x: 5, y: 5))
    #expect(!us.isClosed)
    try await server.kill()
    switch firstRequest {
    case 0: #expect(us.nextEvent() == nil)
    case 1: #expect(us.serverTime() == .currentTime)
    case 2: #expect(us.bytes("WM_CLASS", of: us.dragWindow) == nil)
    case 3:
      us.flush()
      us.flush()
      #expect(us.nextEvent() == nil)
    case 4: #expect(throws: GrabFailure.closed) { try us.grab(cursor: .copy, at: .currentTime) }
    default: #expect(us.atoms.name(XDnD.Atom(rawValue: 60)) == nil)
    }
    #expect(us.isClosed)
    #expect(us.fileDescriptor == -1)
    us.watch(us.dragWindow, for: .destruction)
    us.write(.atoms([.targets]), to: .targets, of: us.dragWindow)
    us.show(.move)
    us.ungrab(at: .currentTime)
    #expect(us.locateTarget(at: Point(x: 5, y: 5)) == nil)
    #expect(us.owner(of: .xdndSelection) == .none)
    #expect(us.maximumWriteSize <= 0)
    #expect(us.nextEvent() == nil)
    us.close()
  }

  /// A request for which Xlib's full output buffer could not be written has no place to be written to.
  @Test(arguments: ["windows", "names", "deletions"])
  func `many requests to a server that has just died end with the connection`(what: String) async throws {
    await #expect(processExitsWith: .success) { [what] in
      let server = try await XServer.start()
      let us = try XlibConnection(server)
      try await server.kill()
      alarm(20)
      switch what {
      case "windows":
        var batch = RequestBatch(us.display)
        for number in 1...5000 { batch.attributes(of: WindowID(rawValue: UInt32(number))) { _ in } }
        batch.send {}
      case "names": us.atoms.intern((1...5000).map { AtomName("application/x-\($0)") })
      default: for number in 1...5000 { us.delete(.targets, of: WindowID(rawValue: UInt32(number))) }
      }
      us.flush()
      precondition(us.isClosed)
      us.close()
    }
  }

  @Test(arguments: ["questions", "deletions", "releases"])
  func `errors of a host's other thread are the host's, also between our own requests`(what: String) async throws {
    await #expect(processExitsWith: .success) { [what] in
      let server = try await XServer.start()
      _ = XInitThreads()
      let host = try XlibPeer(server)
      let us = XlibConnection(borrowing: host.display)
      LostServerTests.installHandler()
      let display = UInt(bitPattern: host.display)
      // A separate thread, because Swift's pool has a single thread on one core. It sends requests until the loop below
      // ends.
      let other = Task {
        try await onOwnThread {
          guard let display = OpaquePointer(bitPattern: display) else { return 0 }
          var count = 0
          while !LostServerTests.isOver.load(ordering: .relaxed) {
            XMapWindow(display, 0x3333)
            XFlush(display)
            count += 1
            LostServerTests.hasBegun.store(true, ordering: .relaxed)
          }
          XSync(display, 0)
          return count
        }
      }
      let missing = WindowID(rawValue: 0x4444)
      while !LostServerTests.hasBegun.load(ordering: .relaxed) { await Task.yield() }
      for _ in 0..<2000 {
        switch what {
        case "questions": precondition(!us.exists(missing))
        case "deletions": us.delete(.targets, of: missing)
        default: us.display.request(onError: .swallow) { XDestroyWindow($0, missing.xid) }
        }
      }
      LostServerTests.isOver.store(true, ordering: .relaxed)
      let count = try await other.value
      _ = us.drain()
      host.sync()
      precondition(count > 0)
      precondition(LostServerTests.seen.withLock { $0 } == [XID](repeating: 0x3333, count: count))
      us.close()
      try await server.terminate()
    }
  }

  @Test func `a request for the server's time reports no error to the host, even without the drag window`() async throws
  {
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      let (host, peer) = (try XlibPeer(server), try XlibPeer(server))
      let us = XlibConnection(borrowing: host.display)
      LostServerTests.installHandler()
      us.flush()
      host.sync()
      XDestroyWindow(peer.display, us.dragWindow.xid)
      peer.sync()
      precondition(us.serverTime() == .currentTime)
      host.sync()
      precondition(LostServerTests.seen.withLock { $0.isEmpty })
      us.close()
      try await server.terminate()
    }
  }

  @Test func `replies that a host's other thread reads are whole when they are passed on`() async throws {
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      _ = XInitThreads()
      let host = try XlibPeer(server)
      let us = XlibConnection(borrowing: host.display)
      let display = UInt(bitPattern: host.display)
      // On a thread of its own: on one core, Swift's pool has a single thread, which this test keeps busy.
      let other = Task {
        try await onOwnThread {
          LostServerTests.isReading.store(true, ordering: .relaxed)
          guard let display = OpaquePointer(bitPattern: display) else { return }
          var event = XEvent()
          while !LostServerTests.isOver.load(ordering: .relaxed) { XNextEvent(display, &event) }
        }
      }
      while !LostServerTests.isReading.load(ordering: .relaxed) { await Task.yield() }
      for _ in 0..<200 {
        var answered = 0
        var batch = RequestBatch(us.display)
        for _ in 0..<50 { batch.attributes(of: us.dragWindow) { if $0 != nil { answered += 1 } } }
        batch.send {}
        let deadline = ContinuousClock.now + .seconds(10)
        while !us.display.openBatches.isEmpty, ContinuousClock.now < deadline { us.display.openBatches.complete() }
        precondition(answered == 50)
      }
      LostServerTests.isOver.store(true, ordering: .relaxed)
      // Ends the other thread's wait.
      us.write(.atoms([]), to: AtomName("END"), of: us.dragWindow)
      us.flush()
      try await other.value
      us.close()
      try await server.terminate()
    }
  }

  /// Half of Xlib's output buffer, more than it holds, and more than fits into a request without BIG-REQUESTS.
  @Test(arguments: [2000, 20_000, 200_000])
  func `numbers for a server that has just died are written in no time`(count: Int) async throws {
    await #expect(processExitsWith: .success) { [count] in
      let server = try await XServer.start()
      let us = try XlibConnection(server)
      try await server.kill()
      alarm(20)
      let words = [UInt32](repeating: 7, count: count)
      let value = PropertyValue(type: .integer, contents: .words(words))
      for _ in 0..<20 { us.write(value, to: .targets, of: us.dragWindow) }
      us.flush()
      precondition(us.isClosed)
    }
  }

  @Test func `a write to a server that has just died is an error and no signal, but a handler of the host stays`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      let us = try XlibConnection(server)
      raise(SIGPIPE)
      // Whoever is started from here is told of broken pipes as ever.
      precondition(system("yes | head -n 1 > /dev/null; kill -PIPE $$") & 0x7F == SIGPIPE)
      us.close()
      try await server.terminate()
    }
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE) { _ in LostServerTests.seen.withLock { $0.append(13) } }
      let server = try await XServer.start()
      let us = try XlibConnection(server)
      raise(SIGPIPE)
      precondition(LostServerTests.seen.withLock { $0 } == [13])
      us.close()
      try await server.terminate()
    }
  }

  @Test func `a server that is not there is a failure with its name`() {
    #expect(throws: ConnectionFailure(displayName: ":9876")) { try XlibConnection(connectingTo: ":9876") }
  }
}
