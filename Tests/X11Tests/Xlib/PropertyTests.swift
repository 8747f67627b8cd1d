import XDnDX11
import TestSupport
import Testing

@testable import XDnD

@Suite("Properties", .requiresXvfb, .timeLimit(.minutes(1)))
struct PropertyTests {
  @Test func `bytes longer than a page come back whole, in parts of a page, and are deleted at the end`() async throws {
    try await XServer.with { server in
      let (us, reader) = (try XlibConnection(server), try XlibConnection(server))
      let bytes = (0..<2_500_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      #expect(us.maximumWriteSize > bytes.count)
      us.write(PropertyValue(type: .string, contents: .bytes(bytes[...])), to: AtomName("BIG"), of: us.dragWindow)
      us.watch(us.dragWindow, for: .properties)
      _ = us.drain()
      let read = try #require(reader.bytes("BIG", of: us.dragWindow, delete: true))
      #expect(read.header == PropertyHeader(type: .string, format: 8, byteCount: bytes.count))
      #expect(read.bytes == bytes)
      #expect(read.parts == 3)
      #expect(us.next() == .propertyDeleted(AtomName("BIG"), of: us.dragWindow))
      #expect(reader.bytes("BIG", of: us.dragWindow) == nil)
    }
  }

  @Test func `words with the high bit set survive both ways, over several pages`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      let words = (0..<600_000).map { UInt32(truncatingIfNeeded: $0) &* 0x9E37_79B9 }
      us.write(PropertyValue(type: .integer, contents: .words(words)), to: AtomName("WORDS"), of: us.dragWindow)
      let read = try #require(us.bytes("WORDS", of: us.dragWindow))
      #expect(read.header == PropertyHeader(type: .integer, format: 32, byteCount: words.count * 4))
      #expect(read.bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) } == words)
      #expect(read.parts == 3)
    }
  }

  @Test func `16-bit units count two bytes each`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let units: [UInt16] = [1, 0x8000, 0xFFFF]
      units.withUnsafeBytes {
        _ = XChangeProperty(
          peer.display, us.dragWindow.xid, peer.atom("SHORTS"), XA_INTEGER, 16, PropModeReplace,
          $0.bindMemory(to: UInt8.self).baseAddress, 3)
      }
      peer.sync()
      let read = try #require(us.bytes("SHORTS", of: us.dragWindow))
      #expect(read.header == PropertyHeader(type: .integer, format: 16, byteCount: 6))
      #expect(read.bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) } == units)
    }
  }

  @Test func `units of any size are written as what they are`() async throws {
    try await XServer.with { server in
      let (us, reader) = (try XlibConnection(server), try XlibConnection(server))
      let bytes: [UInt8] = [0x01, 0x80, 0xFF, 0xFF, 0, 0, 0xFE, 0xCA]
      for unit in [PropertyUnit.byte, .short, .word] {
        us.write(
          PropertyValue(type: .integer, contents: .units([9, 9] + bytes[...], of: .byte)), to: .integer,
          of: us.dragWindow)
        // A slice that does not begin where a word could.
        let slice = ([9] + bytes)[1...]
        us.write(PropertyValue(type: .integer, contents: .units(slice, of: unit)), to: .integer, of: us.dragWindow)
        us.flush()
        _ = us.serverTime()
        let read = try #require(reader.bytes(AtomName.integer.rawValue, of: us.dragWindow))
        #expect(read.header == PropertyHeader(type: .integer, format: unit.format, byteCount: 8))
        #expect(read.bytes == bytes)
      }
    }
  }

  @Test func `an empty property has a type and no parts`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      us.write(PropertyValue(type: .null, contents: .words([])), to: AtomName("EMPTY"), of: us.dragWindow)
      let read = try #require(us.bytes("EMPTY", of: us.dragWindow, delete: true))
      #expect(read.header == PropertyHeader(type: .null, format: 32, byteCount: 0))
      #expect(read.parts == 0)
      #expect(us.bytes("EMPTY", of: us.dragWindow) == nil)
    }
  }

  @Test func `a list of atoms keeps its holes, and is none at all with another type or format`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = us.dragWindow
      let names: [AtomName?] = [AtomName("text/plain"), nil, AtomName("image/png")]
      us.write(PropertyValue(type: .atomPair, contents: .atoms(names)), to: .multiple, of: window)
      #expect(us.atoms(in: .multiple, of: window, type: .atomPair) == names)
      #expect(us.atoms(in: .multiple, of: window, type: .atom) == nil)
      peer.setWords([0x1FFF_FFFF, UInt32(peer.atom("text/plain"))], "XdndTypeList", type: "ATOM", on: window)
      #expect(us.atoms(in: .xdndTypeList, of: window, type: .atom) == [nil, AtomName("text/plain")])
      us.write(PropertyValue(type: .atom, contents: .bytes([1, 2, 3, 4])), to: .xdndTypeList, of: window)
      #expect(us.atoms(in: .xdndTypeList, of: window, type: .atom) == nil)
      us.delete(.xdndTypeList, of: window)
      us.delete(.xdndTypeList, of: window)
      #expect(us.atoms(in: .xdndTypeList, of: window, type: .atom) == nil)
      #expect(us.drain().isEmpty)
    }
  }

  // MARK: Without waiting

  @Test func `pages come as events, each once and in its place, and the last one deletes the property`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      let words = (0..<600_000).map { UInt32(truncatingIfNeeded: $0) &* 0x9E37_79B9 }
      us.write(PropertyValue(type: .integer, contents: .words(words)), to: AtomName("WORDS"), of: us.dragWindow)
      var bytes: [UInt8] = []
      var pages = 0
      repeat {
        let page = try #require(us.page("WORDS", of: us.dragWindow, from: bytes.count))
        #expect(page.header == PropertyHeader(type: .integer, format: 32, byteCount: words.count * 4))
        bytes += page.bytes.array
        pages += 1
        #expect(page.left == words.count * 4 - bytes.count)
      } while bytes.count < words.count * 4 && pages < 10
      #expect(bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) } == words)
      #expect(pages == 3)
      #expect(us.bytes("WORDS", of: us.dragWindow) == nil)
      #expect(us.page("WORDS", of: us.dragWindow) == nil)
    }
  }

  @Test func `a page whose type has an unknown name comes with the name, and the property is deleted`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      peer.setWords([7, 0xFFFF_FFFE], "NEWS", type: "X_OF_NO_OTHER_TEST", on: us.dragWindow)
      let start = us.display.roundTrips
      let page = try #require(us.page("NEWS", of: us.dragWindow))
      // The atom of the property, the page, the name of its type.
      #expect(us.display.roundTrips == start + 3)
      #expect(
        page.header == PropertyHeader(type: AtomName("X_OF_NO_OTHER_TEST"), format: 32, byteCount: 8))
      #expect(page.bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) } == [7, 0xFFFF_FFFE])
      #expect(page.left == 0)
      #expect(us.page("NEWS", of: us.dragWindow) == nil)
      // The same type again: its name is known, so the page takes one round trip.
      peer.setWords([], "NEWS", type: "X_OF_NO_OTHER_TEST", on: us.dragWindow)
      let before = us.display.roundTrips
      #expect(us.page("NEWS", of: us.dragWindow)?.header.byteCount == 0)
      #expect(us.display.roundTrips == before + 1)
    }
  }

  @Test func `a page outlives the request that brought it, and the connection`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      let contents = [1, 300_000].map { TestContent.bytes($0) }
      var pages: [ContentPage] = []
      for bytes in contents {
        us.write(PropertyValue(type: .string, contents: .bytes(bytes[...])), to: AtomName("NEWS"), of: us.dragWindow)
        pages.append(try #require(us.page("NEWS", of: us.dragWindow)))
      }
      #expect(us.display.openBatches.isEmpty)
      us.close()
      #expect(pages.map(\.bytes.array) == contents)
    }
  }

  @Test(arguments: [true, false])
  func `a connection may end between a page and its event`(isBorrowed: Bool) async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let us = isBorrowed ? XlibConnection(borrowing: host.display) : try XlibConnection(server)
      let bytes = TestContent.bytes(300_000)
      us.write(PropertyValue(type: .string, contents: .bytes(bytes[...])), to: AtomName("NEWS"), of: us.dragWindow)
      let question = us.requestPage(AtomName("NEWS"), of: us.dragWindow, from: 0) { _ in }
      // This waits for a reply, before which the page is passed on. The page's event would come later.
      us.atoms.lookUp([XDnD.Atom(rawValue: 0x1FFF_FFFF)])
      #expect(!us.display.openBatches.isEmpty)
      us.close()
      #expect(us.display.openBatches.isEmpty)
      withExtendedLifetime(question) {}
    }
  }

  @Test func `a page comes after what the server has sent before it, and before the rest, also if all is read at once`()
    async throws
  {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let (earlier, later) = (AtomName("EARLIER"), AtomName("LATER"))
      // What the window has got at its creation.
      _ = us.drain()
      us.watch(us.dragWindow, for: .properties)
      peer.setWords([1], earlier.rawValue, type: "INTEGER", on: us.dragWindow)
      var heard: [String] = []
      let question = us.requestPage(AtomName("NEWS"), of: us.dragWindow, from: 0) { heard.append("page: \($0 as Any)") }
      // The server has answered now.
      _ = us.serverTime()
      peer.setWords([1], later.rawValue, type: "INTEGER", on: us.dragWindow)
      _ = us.serverTime()
      while let event = us.nextEvent() {
        if case .propertyChanged(let name, us.dragWindow) = event {
          heard.append(name.rawValue)
        } else {
          heard.append("?")
        }
      }
      #expect(heard == ["EARLIER", "page: nil", "LATER"])
      withExtendedLifetime(question) {}
    }
  }

  @Test func `a page on a connection of our own is one request, and is queued once a round trip has read it`()
    async throws
  {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      #expect(us.page("NEWS", of: us.dragWindow) == nil)
      let serial = us.display.nextSerial
      var pages: [ContentPage?] = []
      let question = us.requestPage(AtomName("NEWS"), of: us.dragWindow, from: 0) { pages.append($0) }
      #expect(us.display.nextSerial == serial + 1)
      _ = us.serverTime()
      #expect(us.hasQueuedEvents)
      #expect(us.nextEvent() == nil)
      #expect(pages == [nil])
      #expect(!us.hasQueuedEvents)
      withExtendedLifetime(question) {}
    }
  }

  @Test func `what wakes a host for a page is no event for the driver`() async throws {
    try await XServer.with { server in
      let host = try XlibPeer(server)
      let us = XlibConnection(borrowing: host.display)
      // What the window has got at its creation.
      us.takeReplies()
      us.watch(us.dragWindow, for: .properties)
      var (events, pages): ([ServerEvent], [ContentPage?]) = ([], [])
      let question = us.requestPage(AtomName("NEWS"), of: us.dragWindow, from: 0) { pages.append($0) }
      us.takeReplies(receive: { events.append($0) })
      #expect(events.isEmpty && pages == [nil])
      withExtendedLifetime(question) {}
      us.close()
    }
  }

  @Test func `a page of a window that is gone is nil, and is no error`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      peer.destroy(window)
      var pages: [ContentPage?] = []
      let question = us.requestPage(AtomName("NEWS"), of: window, from: 0) { pages.append($0) }
      us.wait { !pages.isEmpty }
      #expect(pages == [nil])
      #expect(us.drain().isEmpty)
      withExtendedLifetime(question) {}
    }
  }

  @Test func `reading from a window that is gone answers nil and says nothing more`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let window = peer.makeWindow(Rect(x: 0, y: 0, width: 5, height: 5))
      peer.destroy(window)
      #expect(us.bytes("WM_NAME", of: window) == nil)
      #expect(us.atoms(in: .xdndTypeList, of: window, type: .atom) == nil)
      #expect(us.translate(Point(x: 1, y: 1), to: window) == nil)
      #expect(!us.exists(window))
      #expect(us.drain().isEmpty)
    }
  }
}
