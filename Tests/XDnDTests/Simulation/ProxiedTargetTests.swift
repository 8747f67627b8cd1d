import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Drags over a window of a client that knows nothing of drags: another one takes them by a proxy.
@Suite("Drags over another client's window", .computing)
struct ProxiedTargetTests {
  /// A window that the target has registered, at 500,0, and the proxy.
  private static func stage(_ pair: DragPair) throws -> (window: WindowID, proxy: WindowID) {
    let owner = pair.server.connect()
    let window = pair.server.createWindow(of: owner, frame: Rect(x: 500, y: 0, width: 100, height: 100))
    pair.target.reactor.register(DropHost(window, accepting: DropOffer([.plainText], operations: [.copy, .move])))
    let proxy = try #require(pair.server.windows[window]?.properties[.xdndProxy])
    guard case .words(let words) = proxy.contents else { throw HarnessError("no proxy") }
    return (window, WindowID(rawValue: try #require(words.first)))
  }

  private static let inside = Point(x: 550, y: 50)

  @Test(arguments: [DragOperation.copy, .move])
  func `content goes to the proxy, and the answers come in the name of the window`(_ operation: DragOperation) throws {
    let pair = DragPair()
    let (window, proxy) = try Self.stage(pair)
    #expect(pair.drag(operations: [operation], to: Self.inside) == .dropped(operation))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
    let requestors = pair.source.notices.compactMap { notice -> WindowID? in
      if case .offer(_, .contentNeeded(_, _, let requestor)) = notice { requestor } else { nil }
    }
    #expect(requestors == [proxy])
    for message in pair.target.client.record.messagesSent {
      if case .status(let status) = message { #expect(status.target == window) }
      if case .finished(let finished) = message { #expect(finished.target == window) }
    }
  }

  @Test func `a long transfer goes to the proxy, part by part`() throws {
    let pair = DragPair()
    _ = try Self.stage(pair)
    let content = TestContent.bytes(8 << 20)
    pair.source.content = [.utf8String: content]
    #expect(pair.drag(to: Self.inside) == .dropped(.copy))
    #expect(TestContent.isEqual(pair.target.lastReceived[.utf8String], content))
  }

  @Test func `sources that only write to the proxy are not remembered`() throws {
    let pair = DragPair()
    let (window, proxy) = try Self.stage(pair)
    let peer = pair.server.connect(checked: false)
    for number in 1...1000 {
      let source = WindowID(rawValue: 0x7000_0000 + UInt32(number))
      peer.send(
        .enter(.init(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: [])), version: .v5, to: proxy,
        via: proxy)
      peer.send(.leave(.init(source: source)), version: .v5, to: proxy, via: proxy)
      peer.send(
        .position(.init(source: source, point: Self.inside, time: pair.server.time)), version: .v5, to: proxy,
        via: proxy)
    }
    pair.run()
    let state = try #require(pair.target.reactor.targets[window]?.machine.state)
    #expect(state.hover == .outside && state.drops.isEmpty)
  }

  @Test func `a source that addresses the proxy is answered in its name`() throws {
    let pair = DragPair()
    let (window, proxy) = try Self.stage(pair)
    let peer = pair.server.connect(checked: false)
    for addressee in [proxy, window] {
      peer.send(
        .position(.init(source: peer.dragWindow, point: Self.inside, time: pair.server.time)), version: .v5,
        to: addressee, via: proxy)
      pair.run()
    }
    let named = pair.target.client.record.messagesSent.compactMap { message -> WindowID? in
      if case .status(let status) = message { status.target } else { nil }
    }
    #expect(named == [proxy, window])
  }

  @Test func `the proxy is put under the pointer of a source that leaves too early, and takes the drop`() throws {
    let pair = DragPair()
    let (window, proxy) = try Self.stage(pair)
    func isCovered() -> Bool { pair.server.windows[proxy]?.isMapped ?? false }
    let drag = pair.begin()
    pair.move(to: Self.inside)
    #expect(!isCovered())
    // As GTK 4 does at the second motion.
    pair.target.reactor.receive(.event(.message(.leave(.init(source: pair.source.client.dragWindow)), window: window)))
    pair.run()
    #expect(isCovered())
    #expect(pair.server.windows[proxy]?.frame == pair.server.windows[window]?.frame)
    pair.drop()
    #expect(!isCovered())
    #expect(pair.source.outcomes[drag] == .dropped(.copy))
    #expect(pair.target.lastReceived == [.utf8String: DragPair.text])
  }

  @Test func `a proxy that gets pointer input is in the way, and is taken away`() throws {
    let pair = DragPair()
    let (window, proxy) = try Self.stage(pair)
    pair.server.movePointer(to: Self.inside)
    pair.target.reactor.receive(.event(.message(.leave(.init(source: pair.source.client.dragWindow)), window: window)))
    pair.run()
    #expect(pair.server.windows[proxy]?.isMapped == true)
    pair.target.reactor.receive(.event(.proxyTouched(proxy)))
    #expect(pair.server.windows[proxy]?.isMapped == false)
  }

  // MARK: A client that takes drops itself

  /// Takes drops in the left half of a window that is 100 pixels wide.
  private final class LeftHalf: DropHost {
    override var parts: [Rect]? { [Rect(x: 0, y: 0, width: 50, height: 100)] }
  }

  private static func share(_ owner: RawTarget, with pair: DragPair) {
    // This program speaks to the owner in the name of the source, which the referee knows of no client.
    pair.server.onImpossible = { _ in }
    pair.target.reactor.register(LeftHalf(owner.window, accepting: DropOffer([.plainText], operations: [.copy])))
  }

  private static let (left, right) = (Point(x: 425, y: 50), Point(x: 475, y: 50))

  @Test func `each half has visits of its own, and the owner's ends when the drag leaves the window`() {
    let pair = DragPair()
    let owner = RawTarget(pair)
    Self.share(owner, with: pair)
    pair.begin()
    pair.move(to: Self.left)
    #expect(owner.heard.isEmpty)
    #expect(pair.target.sessions.count == 1)
    pair.move(to: Self.right)
    #expect(pair.target.openSessions.isEmpty)
    #expect(owner.heard.map(\.kind) == [.enter, .position])
    pair.move(to: DragPair.outside)
    #expect(owner.heard.map(\.kind) == [.enter, .position, .leave])
  }

  @Test func `the owner does not hear of a Leave while the pointer is over its window`() {
    let pair = DragPair()
    let owner = RawTarget(pair)
    Self.share(owner, with: pair)
    pair.begin()
    pair.move(to: Self.right)
    // As GTK 4 does, which then talks to the window itself.
    let leave = XdndMessage.leave(.init(source: pair.source.client.dragWindow))
    pair.target.reactor.receive(.event(.message(leave, window: owner.window)))
    pair.run()
    #expect(owner.count(.leave) == 0)
  }

  @Test func `the traces of an earlier registration do not end the present one`() throws {
    let pair = DragPair()
    let (window, _) = try Self.stage(pair)
    pair.target.reactor.unregister(window)
    // The events of the deletions are still on their way.
    pair.target.reactor.register(DropHost(window, accepting: DropOffer([.plainText], operations: [.copy])))
    pair.run()
    #expect(pair.drag(to: Self.inside) == .dropped(.copy))
  }

  @Test(arguments: [AtomName.xdndAware, .xdndProxy])
  func `a window whose client changes it after the claim is no target any more`(_ property: AtomName) throws {
    let pair = DragPair()
    let (window, _) = try Self.stage(pair)
    let owner = try #require(pair.server.windows[window]?.client)
    owner.write(PropertyValue(type: .atom, contents: .words([3])), to: property, of: window)
    pair.run()
    #expect(!pair.target.reactor.targets.isRegistered(window))
    #expect(pair.server.windows[window]?.properties.keys.contains(.xdndSavedBy) == false)
  }

  @Test func `a window that is unregistered has no trace of it, and its source an answer`() throws {
    let pair = DragPair()
    let (window, _) = try Self.stage(pair)
    pair.begin()
    pair.move(to: Self.inside)
    pair.target.reactor.unregister(window)
    pair.run()
    #expect(pair.server.windows[window]?.properties == [:])
    pair.drop()
    pair.expectClean()
  }
}
