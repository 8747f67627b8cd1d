import XDnDX11
import Glibc
package import XDnD

/// A requestor without our library: it asks for several types at once, and reads them as ICCCM has it.
package final class XlibFetcher {
  private let peer: XlibPeer
  private let window: WindowID
  private var expected: [XDnDX11.Atom: [UInt8]] = [:]
  private var received: [XDnDX11.Atom: Int] = [:]
  private var incremental: Set<XDnDX11.Atom> = []
  /// What has arrived whole and exact.
  package private(set) var exact: Set<String> = []
  /// What was refused, or came otherwise than expected.
  package private(set) var wrong: Set<String> = []
  private var names: [XDnDX11.Atom: String] = [:]

  package init(_ server: XServer) throws {
    peer = try XlibPeer(server)
    window = peer.makeWindow(Rect(x: 1200, y: 700, width: 5, height: 5), mapped: false)
    XSelectInput(peer.display, window.xid, PropertyChangeMask)
  }

  package var fileDescriptor: CInt { XConnectionNumber(peer.display) }

  /// Asks for a type, in a property of its own.
  package func fetch(_ type: String, expecting bytes: [UInt8], drag: Int, at time: Timestamp) {
    let property = peer.atom("\(type)/\(drag)")
    expected[property] = bytes
    names[property] = "\(type)/\(drag)"
    XConvertSelection(
      peer.display, peer.atom("XdndSelection"), peer.atom(type), property, window.xid, XDnDX11.Time(time.rawValue))
    XFlush(peer.display)
  }

  /// Takes what comes, until something is so.
  package func run(within patience: Duration = .seconds(60), until isDone: (XlibFetcher) -> Bool) throws {
    let deadline = ContinuousClock.now + patience
    while true {
      takeEvents()
      if isDone(self) { return }
      guard .now < deadline else { throw HarnessError("got \(exact.count) whole, \(wrong.sorted()) wrong") }
      var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, 1000)
    }
  }

  /// Takes what is there.
  package func takeEvents() {
    while XPending(peer.display) > 0 {
      var event = XEvent()
      XNextEvent(peer.display, &event)
      switch event.type {
      case SelectionNotify:
        guard event.xselection.property != 0 else {
          wrong.insert("refused")
          continue
        }
        take(event.xselection.property)
      case PropertyNotify where event.xproperty.state == PropertyNewValue:
        if incremental.contains(event.xproperty.atom) { take(event.xproperty.atom) }
      default: break
      }
    }
    XFlush(peer.display)
  }

  private func take(_ property: XDnDX11.Atom) {
    var (type, format, count, left) = (XDnDX11.Atom(), Int32(), UInt(), UInt())
    var data: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      peer.display, window.xid, property, 0, 1 << 24, True, 0, &type, &format, &count, &left, &data)
    defer { if let data { XFree(data) } }
    guard let bytes = expected[property], let name = names[property], type != 0 else { return }
    if type == peer.atom("INCR") {
      incremental.insert(property)
      return
    }
    let start = received[property] ?? 0
    let isRight =
      format == 8 && start + Int(count) <= bytes.count
      && bytes.withUnsafeBytes { expected in
        guard let base = expected.baseAddress, let data else { return count == 0 }
        return memcmp(base + start, data, Int(count)) == 0
      }
    if !isRight { wrong.insert(name) }
    received[property] = start + Int(count)
    guard count == 0 || !incremental.contains(property) else { return }
    if isRight, received[property] == bytes.count { exact.insert(name) } else { wrong.insert(name) }
  }
}
