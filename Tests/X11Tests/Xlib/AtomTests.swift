import XDnDX11
import TestSupport
import Testing

@testable import XDnD

@Suite("Atoms", .requiresXvfb, .timeLimit(.minutes(1)))
struct AtomTests {
  @Test func `an atom has the name that another client gave it, and a name has that client's atom`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let theirs = XDnD.Atom(peer.atom("text/uri-list"))
      #expect(us.atoms.name(theirs) == AtomName("text/uri-list"))
      #expect(us.atoms.atom(AtomName("text/uri-list")) == theirs)
    }
  }

  @Test func `numbers that stand for nothing have no name, and leave the others theirs`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      let bad = XDnD.Atom(rawValue: 0x1FFF_FFFF)
      let good = us.atoms.atom(AtomName("image/png"))
      us.atoms.lookUp([bad, good, .none, XDnD.Atom(rawValue: 1)])
      #expect(us.atoms.name(bad) == nil)
      #expect(us.atoms.name(.none) == nil)
      #expect(us.atoms.name(good) == AtomName("image/png"))
      #expect(us.atoms.name(XDnD.Atom(rawValue: 1)) == AtomName("PRIMARY"))
      #expect(us.exists(us.dragWindow))
    }
  }

  @Test func `numbers that stand for nothing give their names to none of many others`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      let names = (0..<20).map { "application/x-\($0)" }
      let theirs = names.map { XDnD.Atom(peer.atom($0)) }
      let bad = (0..<20).map { XDnD.Atom(rawValue: 0x1FFF_FF00 + $0) }
      us.atoms.lookUp(zip(bad, theirs).flatMap { [$0, $1] })
      #expect(theirs.map { us.atoms.name($0)?.rawValue } == names)
      #expect(bad.allSatisfy { us.atoms.name($0) == nil })
      // Xlib has not learned anything wrong either.
      #expect(names.map { us.atoms.atom(AtomName($0)) } == theirs)
    }
  }

  @Test(arguments: [XDnDX11.SelectionRequest, XDnDX11.SelectionNotify])
  func `a burst of selection events with numbers that stand for nothing takes few round trips`(_ type: Int32)
    async throws
  {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      _ = us.drain()
      for number in 0..<1000 {
        let bad = XDnDX11.Atom(0x1000_0000 + 3 * number)
        var event = XEvent()
        if type == XDnDX11.SelectionRequest {
          event.xselectionrequest.owner = us.dragWindow.xid
          event.xselectionrequest.requestor = peer.root
          event.xselectionrequest.selection = bad
          event.xselectionrequest.target = bad + 1
          event.xselectionrequest.property = bad + 2
        } else {
          event.xselection.requestor = us.dragWindow.xid
          event.xselection.selection = bad
          event.xselection.target = bad + 1
          event.xselection.property = bad + 2
        }
        event.type = type
        XSendEvent(peer.display, us.dragWindow.xid, False, NoEventMask, &event)
      }
      peer.sync()
      let before = us.display.roundTrips
      #expect(us.drain().isEmpty)
      #expect(us.display.roundTrips - before < 10)
      #expect(us.exists(us.dragWindow))
    }
  }

  @Test func `atoms that are asked for soon are known with the next answer, and are those of other clients`()
    async throws
  {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      _ = us.drain()
      // Lengths around the four bytes to which a request is padded, and a name in UTF-8.
      let names = (1...9).map { String(repeating: "x", count: $0) } + ["größer"]
      let longest = String(repeating: "n", count: 65_535)
      us.learn((names + [longest, longest + "n"]).map { AtomName($0) })
      repeat { _ = us.drain() } while !us.display.openBatches.isEmpty
      let waits = us.display.waits
      let ours = names.map { us.atoms.atom(AtomName($0)) }
      #expect(us.atoms.atom(AtomName(longest)) != .none)
      #expect(us.display.waits == waits)
      #expect(ours == names.map { XDnD.Atom(peer.atom($0)) })
      us.learn(names.map { AtomName($0) })
      #expect(us.display.openBatches.isEmpty)
    }
  }

  @Test func `names that are not UTF-8 lead back to their own atoms, on every connection`() async throws {
    try await XServer.with { server in
      let (us, other, peer) = (try XlibConnection(server), try XlibConnection(server), try XlibPeer(server))
      for last in [0xE9, 0xE8] as [UInt8] {
        let latin1: [CChar] = [0x63, 0x61, 0x66, CChar(bitPattern: last), 0]
        let theirs = XDnD.Atom(XInternAtom(peer.display, latin1, False))
        let name = try #require(us.atoms.name(theirs))
        #expect(us.atoms.atom(name) == theirs)
        #expect(other.atoms.atom(name) == theirs)
      }
    }
  }

  /// From 262,143 bytes on, the length of the request would not fit into its 16 bits.
  @Test(arguments: [65_536, 262_143, 1 << 20])
  func `a name that is too long has no atom, and the connection goes on`(length: Int) async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      let name = AtomName(String(repeating: "n", count: length))
      #expect(us.atoms.atom(name) == .none)
      us.learn([name])
      #expect(us.exists(us.dragWindow))
    }
  }

  @Test func `a name with a NUL has no atom, and takes the place of none`() async throws {
    try await XServer.with { server in
      let (us, peer) = (try XlibConnection(server), try XlibPeer(server))
      #expect(us.atoms.atom(AtomName("XdndPosition\0x")) == .none)
      #expect(us.atoms.name(XDnD.Atom(peer.atom("XdndPosition"))) == AtomName("XdndPosition"))
    }
  }
}
