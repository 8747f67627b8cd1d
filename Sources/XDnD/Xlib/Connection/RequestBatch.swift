import XDnDX11
import XDnDXlibint
import Glibc

/// Requests that are sent together, so that all their replies take one round trip.
///
/// Add requests, each with a closure for its reply. Then call ``run()``, which waits for the replies, or
/// ``send(then:)``, which does not. If a window does not exist, its closure gets `nil`.
struct RequestBatch {
  private let display: DisplayHandle
  private var requests: [Request] = []

  private struct Request {
    /// Writes the request to the display's output buffer. Returns a handle of its reply; `nil` if it has none.
    var send: (_ responses: OpaquePointer) -> OpaquePointer?
    var receive: (_ reply: OpaquePointer) -> Void
  }

  init(_ display: DisplayHandle) {
    self.display = display
  }

  var isEmpty: Bool { requests.isEmpty }

  /// Sends all requests, waits for the replies, and passes them on in the order of the requests.
  func run() {
    guard !requests.isEmpty else { return }
    var sent: Sent?
    display.request(onError: .swallow) { _ in sent = Sent(self) }
    display.roundTrip { _ in XDnDResponsesAwait(display.responses) }
    // Outside the brackets, because a receiver may call the host's observer of the traffic.
    guard let sent else { return }
    // The replies of earlier batches have arrived, too, and come first.
    display.openBatches.passOn()
    sent.passOn()
    sent.free()
  }

  /// Sends all requests. Replies and events are passed on in the order in which the server sent them. If the connection
  /// is lost, the replies are never passed on.
  ///
  /// - Parameter completion: Called after the last reply, possibly after further events; at once if the batch is empty.
  func send(then completion: @escaping () -> Void) {
    guard !requests.isEmpty else { return completion() }
    display.send { opaque in
      display.openBatches.add(Sent(self), completion, on: opaque)
    }
    display.flush()
  }

  /// A batch that has been sent.
  fileprivate final class Sent {
    private let responses: OpaquePointer
    private let receivers: [(reply: OpaquePointer, receive: (OpaquePointer) -> Void)]
    /// The serial number of the last request with a reply.
    private let last: UInt
    /// The number of replies that have been passed on, and are freed.
    private var passedOn = 0
    private var isPassingOn = false

    init(_ batch: RequestBatch) {
      let (display, responses) = (batch.display, batch.display.responses)
      self.responses = responses
      // If the connection is lost meanwhile, the rest of a long batch would fill Xlib's output buffer once more.
      receivers = batch.requests.compactMap { request in
        display.isClosed ? nil : request.send(responses).map { ($0, request.receive) }
      }
      last = receivers.last.map { XDnDReplySerial($0.reply) } ?? 0
    }

    /// Whether all replies have arrived.
    var isAnswered: Bool {
      passedOn == receivers.count || receivers.last.map { XDnDReplyHasArrived(responses, $0.reply) } ?? true
    }

    /// Whether the last reply precedes an event.
    ///
    /// - Parameter serial: The event's serial number: the number of the last request that the server had processed.
    func precedes(eventWith serial: UInt) -> Bool { last <= serial }

    /// Passes on the replies that have arrived.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of replies to pass on.
    ///   - serial: The serial number of the next event, if only the replies that precede it are to be passed on.
    /// - Returns: Whether all replies of the batch have been passed on.
    @discardableResult
    func passOn(atMost limit: Int = .max, before serial: UInt = .max) -> Bool {
      // A receiver may run another batch.
      guard !isPassingOn else { return false }
      isPassingOn = true
      defer { isPassingOn = false }
      var rest = limit
      while rest > 0, passedOn < receivers.count {
        let (reply, receive) = receivers[passedOn]
        guard XDnDReplySerial(reply) <= serial, XDnDReplyHasArrived(responses, reply) else { break }
        passedOn += 1
        rest -= 1
        receive(reply)
        XDnDReplyFree(responses, reply)
      }
      return passedOn == receivers.count
    }

    /// Frees the replies that have not been passed on.
    func free() {
      for (reply, _) in receivers[passedOn...] { XDnDReplyFree(responses, reply) }
      passedOn = receivers.count
    }
  }

  /// Adds requests without replies; `send` sends them.
  mutating func add(_ send: @escaping () -> Void) {
    requests.append(
      Request(
        send: { _ in
          send()
          return nil
        }, receive: { _ in }))
  }

  /// Adds a request with a reply, which is `nil` for an error.
  ///
  /// - Parameters:
  ///   - request: The protocol's structure; its length field may have any value.
  ///   - data: The bytes after the structure.
  ///   - head: The protocol's structure for the reply.
  mutating func ask<Head>(
    _ request: some BitwiseCopyable, data: [UInt8] = [], for head: Head.Type,
    _ receive: @escaping (Reply<Head>?) -> Void
  ) {
    let send: (OpaquePointer) -> OpaquePointer? = { responses in
      withUnsafeBytes(of: request) { request in
        data.withUnsafeBytes { XDnDAsk(responses, request.baseAddress, request.count, $0.baseAddress, $0.count) }
      }
    }
    requests.append(Request(send: send) { receive(Reply($0)) })
  }

  /// Adds a request of the core protocol about one resource or atom.
  mutating func ask<Head>(
    _ opcode: Int32, _ id: UInt32, for head: Head.Type, _ receive: @escaping (Reply<Head>?) -> Void
  ) {
    ask(xResourceReq(reqType: UInt8(opcode), pad: 0, length: 0, id: id), for: head, receive)
  }

  /// Adds a request of the core protocol that consists of its opcode alone.
  mutating func ask<Head>(_ opcode: Int32, for head: Head.Type, _ receive: @escaping (Reply<Head>?) -> Void) {
    ask(xReq(reqType: UInt8(opcode), data: 0, length: 0), for: head, receive)
  }

  /// A reply: a structure of the protocol, and the bytes after it.
  struct Reply<Head: BitwiseCopyable> {
    let head: Head
    private let reply: OpaquePointer
    private let bytes: UnsafeRawBufferPointer

    /// Returns `nil` for an error, and for a reply that is too short.
    fileprivate init?(_ reply: OpaquePointer) {
      var size = 0
      guard let start = XDnDReplyBytes(reply, &size), size >= MemoryLayout<Head>.size else { return nil }
      self.reply = reply
      bytes = UnsafeRawBufferPointer(start: start, count: size)
      head = bytes.loadUnaligned(as: Head.self)
    }

    /// The serial number of the request.
    var serial: UInt { XDnDReplySerial(reply) }

    /// The bytes after the structure.
    var tail: Tail { Tail(bytes: bytes.dropFirst(MemoryLayout<Head>.size)) }

    /// Takes the first bytes after the structure out of the reply, without a copy: they may be a page of a megabyte.
    /// Read everything else first.
    consuming func takeTail(upTo count: Int) -> PropertyBytes {
      let start = MemoryLayout<Head>.size
      let end = min(start + count, bytes.count)
      guard let block = XDnDReplyTakeBytes(reply) else { return PropertyBytes([]) }
      return PropertyBytes(taking: block, start..<end) { free($0) }
    }
  }

  /// The variable part of a reply, which is read from the front.
  struct Tail {
    fileprivate var bytes: Slice<UnsafeRawBufferPointer>

    /// Reads a structure or a number; `nil` at the end.
    mutating func next<Unit: BitwiseCopyable>(_ type: Unit.Type) -> Unit? {
      let size = MemoryLayout<Unit>.size
      guard bytes.count >= size else { return nil }
      defer { bytes = bytes.dropFirst(size) }
      return UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: type)
    }

    mutating func skip(_ count: Int) { bytes = bytes.dropFirst(max(0, count)) }

    /// Reads the rest as units, without an incomplete last one.
    consuming func units<Unit: BitwiseCopyable>(_ type: Unit.Type) -> [Unit] {
      var units: [Unit] = []
      while let unit = next(type) { units.append(unit) }
      return units
    }
  }
}

/// A window's place in its parent.
struct WindowGeometry: Equatable {
  /// The outer frame, border included, relative to the inside of the parent's border.
  var frame: Rect
  var border: Int
  var isMapped: Bool
  /// Whether the window has no pixels (`InputOnly`).
  var isInputOnly = false

  /// The frame without the border. The window's own coordinates begin at its origin.
  var inside: Rect { frame.insetBy(dx: border, dy: border) }
}

/// The batches that have been sent without waiting. Their receivers get the replies as the display's events are read.
///
/// On a borrowed display, each batch ends with a change of a property of the drag window. Its event wakes a host that
/// waits in Xlib, which reads replies without returning. It also announces replies that Xlib has read while other code
/// waited for another reply: the connection's descriptor is no longer readable then.
///
/// Only the library reads the events of an owned display, and it looks for replies as well: see ``isAnswered``.
final class OpenBatches {
  /// The property that changes, and its window; `nil` on an owned display.
  var mark: (window: WindowID, property: Atom)?

  private var batches: [(sent: RequestBatch.Sent, completion: () -> Void)] = []

  var isEmpty: Bool { batches.isEmpty }

  /// Whether all replies of the first batch have arrived.
  var isAnswered: Bool { batches.first?.sent.isAnswered ?? false }

  fileprivate func add(_ sent: RequestBatch.Sent, _ completion: @escaping () -> Void, on display: OpaquePointer) {
    batches.append((sent, completion))
    guard let mark else { return }
    XChangeProperty(
      display, mark.window.xid, XDnDX11.Atom(mark.property.rawValue), XA_INTEGER, 32, PropModeAppend, nil, 0)
  }

  /// Passes on the replies that the server sent before an event; without an event, all replies that have arrived. Call
  /// this before an event is processed: replies that precede it must not come after it.
  ///
  /// - Parameter serial: The serial number of the event.
  func passOn(before serial: UInt = .max) {
    for batch in batches { guard batch.sent.passOn(before: serial) else { return } }
  }

  /// Completes the batches whose replies have all arrived. Call this when the property has changed.
  func complete() { while completeFirst(before: nil) == .batch {} }

  /// Passes on the replies of the first batch that have arrived, at most a slice of them, and completes the batch after
  /// the last one. On an owned display, call this before each event.
  ///
  /// - Parameter serial: The serial number of the next event, which may have been sent before the replies; `nil` if
  ///   there is none.
  func completeFirst(before serial: UInt?, slice: Int = .max) -> Completion {
    guard let first = batches.first, serial.map(first.sent.precedes) ?? true else { return .nothing }
    guard first.sent.passOn(atMost: slice) else { return first.sent.isAnswered ? .slice : .nothing }
    batches.removeFirst()
    first.completion()
    return .batch
  }

  /// The result of ``completeFirst(before:slice:)``.
  enum Completion {
    /// A batch was completed. Its completion may have changed which event is next.
    case batch
    /// All replies have arrived, and some were passed on. The others come before the next event.
    case slice
    case nothing
  }

  /// Discards the batches when a display is released.
  func removeAll() {
    for batch in batches { batch.sent.free() }
    batches.removeAll()
  }
}

// MARK: Requests

/// The reply of `XQueryPointer` or `XIQueryPointer`.
package struct PointerState {
  /// Root coordinates.
  package var point: Point
  /// Modifiers and buttons, as in the `state` field of events.
  package var mask: UInt32

  /// The pressed buttons among 1 to 5: the mask has no bits for others.
  package var buttons: Set<PointerButton> {
    let masks = [Button1Mask, Button2Mask, Button3Mask, Button4Mask, Button5Mask]
    let down = masks.indices.filter { mask & UInt32(masks[$0]) != 0 }
    return Set(down.map { PointerButton(rawValue: UInt32($0 + 1)) })
  }
}

extension RequestBatch {
  /// A window's place, and the events that this client has selected on it.
  struct Attributes {
    var geometry: WindowGeometry
    var eventMask: Int
    /// The serial number of the request: the reply includes all changes that earlier events report.
    var serial: UInt
  }

  /// Adds two requests for a window's attributes and geometry.
  mutating func attributes(of window: WindowID, _ receive: @escaping (Attributes?) -> Void) {
    var state: (xGetWindowAttributesReply, serial: UInt)?
    ask(X_GetWindowAttributes, window.rawValue, for: xGetWindowAttributesReply.self) { reply in
      state = reply.map { ($0.head, $0.serial) }
    }
    ask(X_GetGeometry, window.rawValue, for: xGetGeometryReply.self) { reply in
      guard let (state, serial) = state, let place = reply?.head else { return receive(nil) }
      let border = Int(place.borderWidth)
      let frame = Rect(
        x: Int(place.x), y: Int(place.y), width: Int(place.width) + 2 * border,
        height: Int(place.height) + 2 * border)
      let geometry = WindowGeometry(
        frame: frame, border: border, isMapped: Int32(state.mapState) != IsUnmapped,
        isInputOnly: Int32(state.class) == InputOnly)
      receive(Attributes(geometry: geometry, eventMask: Int(state.yourEventMask), serial: serial))
    }
  }

  /// Adds a request for a window's children, bottom-most first. `serial` is the serial number of the request.
  mutating func children(of window: WindowID, _ receive: @escaping ((windows: [WindowID], serial: UInt)?) -> Void) {
    ask(X_QueryTree, window.rawValue, for: xQueryTreeReply.self) { reply in
      receive(reply.map { ($0.tail.units(UInt32.self).map { WindowID(rawValue: $0) }, $0.serial) })
    }
  }

  /// Adds a request for a window's parent; `.none` for a root window.
  mutating func parent(of window: WindowID, _ receive: @escaping (WindowID?) -> Void) {
    ask(X_QueryTree, window.rawValue, for: xQueryTreeReply.self) { reply in
      receive(reply.map { WindowID(rawValue: $0.head.parent) })
    }
  }

  /// A part of a property of format 8, 16 or 32.
  struct Value {
    /// `.none` if there is no such property.
    var type: Atom
    var format: Int
    /// In the byte order of this machine. Empty if the property has another type than requested.
    var bytes: PropertyBytes
    /// The number of bytes that follow these.
    var left: Int
  }

  /// Adds a request for a part of a property.
  ///
  /// - Parameters:
  ///   - type: `.none` for any type.
  ///   - offset: The start of the part in bytes, a multiple of four.
  ///   - limit: The maximum length of the part in bytes.
  ///   - deletes: Whether the server deletes the property if nothing follows this part.
  mutating func value(
    of property: Atom, on window: WindowID, type: Atom = .none, from offset: Int = 0, limit: Int,
    deleting deletes: Bool = false, _ receive: @escaping (Value?) -> Void
  ) {
    let request = xGetPropertyReq(
      reqType: UInt8(X_GetProperty), delete: deletes ? 1 : 0, length: 0, window: window.rawValue,
      property: property.rawValue, type: type.rawValue, longOffset: UInt32(clamping: offset / 4),
      longLength: UInt32(limit / 4))
    ask(request, for: xGetPropertyReply.self) { reply in
      receive(
        reply.map { reply in
          let head = reply.head
          return Value(
            type: Atom(rawValue: head.propertyType), format: Int(head.format),
            bytes: reply.takeTail(upTo: Int(head.nItems) * Int(head.format) / 8), left: Int(head.bytesAfter))
        })
    }
  }

  /// Adds a request for the pointer's state. `serial` is the serial number of the request.
  mutating func pointer(over root: WindowID, _ receive: @escaping (PointerState?, _ serial: UInt) -> Void) {
    ask(X_QueryPointer, root.rawValue, for: xQueryPointerReply.self) { reply in
      receive(
        reply.map {
          PointerState(point: Point(x: Int($0.head.rootX), y: Int($0.head.rootY)), mask: UInt32($0.head.mask))
        }, reply?.serial ?? 0)
    }
  }

  /// Adds a request for the owner of a selection; `.none` if it has none.
  mutating func owner(of selection: Atom, _ receive: @escaping (WindowID) -> Void) {
    ask(X_GetSelectionOwner, selection.rawValue, for: xGetSelectionOwnerReply.self) {
      receive($0.map { WindowID(rawValue: $0.head.owner) } ?? .none)
    }
  }
}
