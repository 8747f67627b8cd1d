import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// The model is only worth something if it sees what is wrong.
@Suite("The simulated server rejects what a real one would")
struct FakeXServerTests {
  private let server = FakeXServer.recordingIssues()
  private let client: FakeClient
  private let window: WindowID

  init() {
    client = server.connect()
    window = server.createWindow(of: client)
  }

  private func expectImpossible(_ part: String, _ location: SourceLocation = #_sourceLocation, _ action: () -> Void) {
    var found: [String] = []
    server.onImpossible = { found.append($0) }
    action()
    #expect(found.contains { $0.contains(part) }, "\(found)", sourceLocation: location)
  }

  private var source: WindowID { client.dragWindow }

  private func say(_ message: XdndMessage, to window: WindowID? = nil) {
    client.send(message, version: .v5, to: window ?? self.window, via: window ?? self.window)
  }

  @Test func `messages, watches and properties need a window`() {
    expectImpossible("to no window") { say(.leave(.init(source: source)), to: WindowID.none) }
    expectImpossible("watches no window") { client.watch(.none, for: .destruction) }
    expectImpossible("to no window") { client.write(.atoms([]), to: .xdndTypeList, of: .none) }
  }

  @Test func `what was not taken cannot be given back`() {
    expectImpossible("does not watch") { client.unwatch(window, for: .destruction) }
    expectImpossible("has not") { client.ungrab(at: server.time) }
    client.watch(window, for: [.destruction, .properties])
    expectImpossible("does not watch") {
      client.unwatch(window, for: .properties)
      client.unwatch(window, for: .properties)
    }
  }

  @Test func `a property has a largest size`() {
    server.maximumWriteSize = 10
    expectImpossible("11 bytes") {
      client.write(
        PropertyValue(type: .string, contents: .bytes(Array(repeating: 0, count: 11)[...])), to: .string, of: window)
    }
  }

  @Test func `the conversation has an order`() {
    let position = XdndMessage.position(.init(source: source, point: Point(x: 0, y: 0), time: server.time))
    expectImpossible("Position without Enter") { say(position) }
    expectImpossible("Leave without Enter") { say(.leave(.init(source: source))) }
    expectImpossible("Drop without Enter") { say(.drop(.init(source: source, time: server.time))) }
    expectImpossible("Finished without Drop") { say(.finished(.init(target: window, result: .refused)), to: source) }
    expectImpossible("Status without Position") { say(.status(.init(target: window)), to: source) }
    server.onImpossible = { Issue.record("impossible: \($0)") }
    say(.enter(.init(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: [])))
    expectImpossible("while over") {
      say(.enter(.init(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: [])))
    }
    expectImpossible("while a Status is due") {
      say(position)
      say(position)
    }
    expectImpossible("not accepted") { say(.drop(.init(source: source, time: server.time))) }
  }

  @Test func `a Status that a client has taken before its Enter may pass for the answer to its Position`() {
    server.latency = { .zero }
    let status = XdndMessage.status(.init(target: window))
    server.send(status.kind, status.words(version: .v5, atom: server.atom), to: source, via: source, from: client)
    #expect(client.nextEvent() == .message(status, window: source))
    say(.enter(.init(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: [])))
    let position = XdndMessage.position(.init(source: source, point: Point(x: 0, y: 0), time: server.time))
    say(position)
    say(position)
    expectImpossible("while a Status is due") { say(position) }
  }

  @Test func `a drop while the pointer is grabbed is what FLTK ignores`() throws {
    say(.enter(.init(source: source, statedVersion: 5, hasTypeList: false, inlineTypes: [])))
    guard case .known(.success) = client.grab(.core, cursor: .copy, at: server.time, then: { _ in }) else {
      throw HarnessError("there is no grab")
    }
    expectImpossible("grabbed") { say(.drop(.init(source: source, time: server.time))) }
  }

  @Test func `each conversion has one answer, and each property is read once`() {
    _ = client.own(.xdndSelection, at: server.time)
    client.convert(.xdndSelection, to: .string, property: .string, requestor: window, time: server.time)
    let answer = SelectionNotify(
      requestor: window, selection: .xdndSelection, target: .string, property: .string, time: server.time)
    client.send(answer)
    expectImpossible("nobody waits") { client.send(answer) }
    client.write(.atoms([.string]), to: .string, of: window)
    _ = client.read(.string, of: window, delete: true)
    expectImpossible("where nothing is") { _ = client.read(.string, of: window, delete: true) }
  }

  @Test func `a page that is requested is deleted at once, and arrives after the latency`() {
    client.write(.atoms([.string]), to: .string, of: window)
    var pages: [ContentPage?] = []
    let question = client.requestPage(.string, of: window, from: 0) { pages.append($0) }
    #expect(server.windows[window]?.properties[.string] == nil)
    #expect(client.nextEvent() == nil && pages.isEmpty)
    server.clock.advance(to: .zero + .milliseconds(1))
    let page = ContentPage(
      header: PropertyHeader(type: .atom, format: 32, byteCount: 4),
      bytes: PropertyBytes(withUnsafeBytes(of: server.atom(.string).rawValue) { Array($0) }), left: 0)
    #expect(client.nextEvent() == nil)
    #expect(pages == [page])
    withExtendedLifetime(question) {}
  }

  @Test func `requests to windows that are gone become events, after the latency`() {
    let other = WindowID(rawValue: 0x77)
    server.onImpossible = { _ in }
    say(.leave(.init(source: other)), to: other)
    #expect(client.nextEvent() == nil)
    server.clock.advance(to: .zero + .milliseconds(1))
    #expect(client.nextEvent() == .windowVanished(other))
    #expect(client.nextEvent() == nil)
  }

  @Test func `a selection goes to the later time only`() {
    let other = server.connect()
    server.clock.advance(to: .zero + .seconds(1))
    let early = server.time
    server.clock.advance(to: .zero + .seconds(2))
    #expect(client.own(.xdndSelection, at: server.time))
    #expect(!other.own(.xdndSelection, at: early))
    #expect(!other.own(.xdndSelection, at: Timestamp(rawValue: server.time.rawValue + 1000)))
    #expect(other.own(.xdndSelection, at: server.time))
    #expect(client.readableAt != nil)
  }
}
