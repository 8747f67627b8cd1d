import Testing

@testable import XDnD
@testable import XDnDTesting

/// What can go wrong when content is asked for.
@Suite("A target and sources that give content in their own way")
struct RudeOwnerTests {
  private let pair = DragPair()
  private let source: RawSource

  init() { source = RawSource(pair) }

  private var app: TestProgram { pair.target }

  /// Serves by INCR, one byte in each part.
  private func incremental(parts: Int, ends: Bool, announced: [UInt32] = [1]) {
    var sent: UInt8 = 0
    var open: SelectionRequest?
    source.onRequest = { [source] request in
      guard let property = request.property else { return }
      open = request
      source.client.watch(request.requestor, for: .properties)
      source.client.write(PropertyValue(type: .incr, contents: .words(announced)), to: property, of: request.requestor)
      source.answer(request, with: property)
    }
    source.onEvent = { [source] event in
      guard case .propertyDeleted(let property, let window) = event, let request = open, property == request.property
      else { return }
      guard Int(sent) < parts || ends else { return }
      let part: [UInt8] = Int(sent) < parts ? [sent] : []
      sent &+= 1
      source.client.write(PropertyValue(type: request.target, contents: .bytes(part[...])), to: property, of: window)
      if part.isEmpty { open = nil }
    }
  }

  @Test(arguments: [true, false])
  func `data that is refused, or said to be there and is not, is a rejected drop`(isRefused: Bool) {
    source.onRequest = { [source] in source.answer($0, with: isRefused ? nil : $0.property) }
    source.dragAndDrop()
    source.expectDrop(.rejected)
    #expect(app.failures.values.map { $0 } == [[isRefused ? .refused : .noData]])
  }

  @Test func `a refusal that names neither property nor target, as Qt sends it, is one at once`() {
    source.onRequest = { [source] request in
      source.client.send(
        SelectionNotify(
          requestor: request.requestor, selection: request.selection, target: nil, property: nil, time: request.time))
    }
    source.dragAndDrop()
    source.expectDrop(.rejected)
    #expect(app.failures.values.map { $0 } == [[.refused]])
  }

  @Test func `data that never comes is a rejected drop`() {
    source.onRequest = { _ in }
    source.dragAndDrop()
    source.expectDrop(.rejected)
    #expect(app.failures.values.map { $0 } == [[.timedOut]])
  }

  @Test func `an INCR that stops in the middle is a rejected drop`() {
    incremental(parts: 3, ends: false)
    source.dragAndDrop()
    source.expectDrop(.rejected)
  }

  @Test(arguments: [[0], [2], [3], []] as [[UInt32]])
  func `an INCR that was announced with less, or with no length, arrives`(words: [UInt32]) {
    incremental(parts: 3, ends: true, announced: words)
    source.dragAndDrop()
    source.expectDrop(.finished(.copy))
    #expect(app.lastReceived == [.utf8String: [0, 1, 2]])
  }

  @Test func `an INCR that ends short of what was announced is a rejected drop`() {
    incremental(parts: 3, ends: true, announced: [7])
    source.dragAndDrop()
    source.expectDrop(.rejected)
    #expect(!app.received.values.contains { !$0.isEmpty })
  }

  @Test func `content is taken up to a limit, whatever was announced`() {
    incremental(parts: .max, ends: false)
    app.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    app.load(.utf8String, of: app.sessions[0], limits: .init(byteCount: 20))
    pair.run(.seconds(1))
    #expect(app.failures.values.map { $0 } == [[.tooLarge(limit: 20)]])
    app.finish(app.sessions[0])
    pair.drive()
    #expect(app.lastResult == .rejected)
  }

  @Test func `an answer that comes after it was given up on is not taken for the next one's`() {
    var first: SelectionRequest?
    source.give(Array("html".utf8), as: AtomName("text/html"))
    source.onRequest = { [source, pair] request in
      if first == nil {
        first = request
      } else if let late = first {
        source.serve(late, [9, 9, 9])
        first = nil
        pair.after(.milliseconds(50)) {
          source.serve(request)
        }
      }
    }
    app.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    let session = app.sessions[0]
    app.load(.utf8String, of: session)
    pair.run(.seconds(11))
    #expect(app.failures[session] == [.timedOut])
    app.load(AtomName("text/html"), of: session)
    pair.run()
    #expect(app.received[session] == [AtomName("text/html"): Array("html".utf8)])
    app.finish(session)
    pair.endClean()
  }

  @Test func `a refusal that comes after it was given up on does not refuse the next request of the type`() {
    var requests: [SelectionRequest] = []
    source.onRequest = { [source, pair] request in
      requests.append(request)
      guard requests.count == 2 else { return }
      source.answer(requests[0], with: nil)
      pair.after(.milliseconds(50)) { source.serve(request, DragPair.text) }
    }
    app.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    let session = app.sessions[0]
    app.load(.utf8String, of: session)
    pair.run(.seconds(11))
    #expect(app.failures[session] == [.timedOut])
    app.load(.utf8String, of: session)
    pair.run()
    #expect(app.received[session] == [.utf8String: DragPair.text])
    app.finish(session)
    pair.endClean()
  }

  @Test func `of two refusals the second one is the answer to the next request of the type`() {
    var requests: [SelectionRequest] = []
    source.onRequest = { [source] request in
      requests.append(request)
      if requests.count == 2 { for request in requests { source.answer(request, with: nil) } }
    }
    app.finishesDrops = false
    source.hover()
    source.drop()
    pair.run()
    let session = app.sessions[0]
    app.load(.utf8String, of: session)
    pair.run(.seconds(11))
    app.load(.utf8String, of: session)
    pair.run()
    #expect(app.failures[session] == [.timedOut, .refused])
    app.finish(session)
    pair.endClean()
  }

  @Test func `an owner that outlives the source's window leaves nothing on ours`() {
    let owner = RawSource(pair)
    owner.onRequest = { [owner, pair] request in
      pair.after(.milliseconds(100)) { owner.serve(request, DragPair.text) }
    }
    source.hover()
    source.drop()
    pair.run(.milliseconds(50))
    pair.server.kill(source.client)
    pair.drive()
    #expect(app.lastResult == .sourceVanished)
    pair.expectClean()
  }
}
