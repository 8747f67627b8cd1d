import XDnDX11
import XDnDXlibint
import Glibc

/// Requests that are sent together. Their replies take one round trip, however slow the connection is.
///
/// Add requests, each with what to do with its reply. Then ``run()`` the batch, which waits, or ``send(then:)`` it. The
/// reply of a missing window is `nil`.
struct RequestBatch {
  private let display: DisplayHandle
  private var requests: [Request] = []

  private struct Request {
    /// Writes the request to the display of the responses. Returns its reply; `nil` for a request without one.
    var send: (_ responses: OpaquePointer) -> OpaquePointer?
    var receive: (Reply?) -> Void
  }

  init(_ display: DisplayHandle) {
    self.display = display
  }

  var isEmpty: Bool { requests.isEmpty }

  /// Sends all requests in the order of their addition, waits, and passes on the replies in the same order.
  func run() {
    guard !requests.isEmpty else { return }
    var sent: Sent?
    display.request(onError: .swallow) { _ in sent = Sent(self) }
    display.roundTrip { _ in XDnDResponsesAwait(display.responses) }
    // After the requests, because an observer of the traffic may run now.
    guard let sent else { return }
    // Earlier replies have arrived, too, and are older.
    display.openBatches.passOn()
    sent.passOn()
    sent.free()
  }

  /// Sends all requests. The replies are passed on with the events of the display, in their order: before an event that
  /// the server has sent after them. If the connection is lost, they never are.
  ///
  /// - Parameter completion: Called after the last reply, as an event of its own; at once without requests.
  func send(then completion: @escaping () -> Void) {
    guard !requests.isEmpty else { return completion() }
    display.send { opaque in
      display.openBatches.add(Sent(self), completion, on: opaque)
    }
    display.flush()
  }

  /// A batch on its way.
  fileprivate final class Sent {
    private let responses: OpaquePointer
    private let receivers: [(reply: OpaquePointer, receive: (Reply?) -> Void)]
    /// The serial number of the last request with a reply.
    private let last: UInt
    /// The number of replies that have been passed on, and are freed.
    private var passedOn = 0
    private var isPassingOn = false

    init(_ batch: RequestBatch) {
      let (display, responses) = (batch.display, batch.display.responses)
      self.responses = responses
      // The rest of a long batch would fill Xlib's output buffer once more.
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
    /// - Parameter serial: The serial number of the event: the last request that the server had processed.
    func precedes(eventWith serial: UInt) -> Bool { last <= serial }

    /// Passes on the replies that have arrived.
    ///
    /// - Parameters:
    ///   - limit: How many of them at most.
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
        receive(Reply(reply))
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

  private mutating func add(
    _ send: @escaping (OpaquePointer) -> OpaquePointer?, _ receive: @escaping (Reply?) -> Void
  ) {
    requests.append(Request(send: send, receive: receive))
  }

  /// A reply, encoded as in Appendix B of the X11 protocol.
  private struct Reply {
    private let reply: OpaquePointer
    private let bytes: UnsafeRawBufferPointer

    /// The size of a reply without its variable part.
    private static let headSize = 32

    /// Returns `nil` for an error.
    init?(_ reply: OpaquePointer) {
      var size = 0
      guard let start = XDnDReplyBytes(reply, &size), size >= Self.headSize else { return nil }
      self.reply = reply
      bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    /// The serial number of the request.
    var serial: UInt { XDnDReplySerial(reply) }

    /// The number at an offset; 0 beyond the end.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Int {
      let end = offset + MemoryLayout<Number>.size
      return end <= bytes.count ? Int(bytes.loadUnaligned(fromByteOffset: offset, as: type)) : 0
    }

    /// Takes the first bytes after the head out of the reply, without a copy: they may be a page of a megabyte. Read all
    /// else before.
    consuming func takeBody(upTo count: Int) -> PropertyBytes {
      let end = min(Self.headSize + count, bytes.count)
      guard let block = XDnDReplyTakeBytes(reply) else { return PropertyBytes([]) }
      return PropertyBytes(taking: block, Self.headSize..<end) { free($0) }
    }

    /// What follows the head, in units of some size; an incomplete unit is left out.
    func units<Unit: BitwiseCopyable>(of type: Unit.Type) -> [Unit] {
      let size = MemoryLayout<Unit>.size
      return (0..<(bytes.count - Self.headSize) / size).map {
        bytes.loadUnaligned(fromByteOffset: Self.headSize + $0 * size, as: type)
      }
    }
  }
}

/// The batches that have been sent without waiting. Their receivers get the replies with the events of the display.
///
/// On a borrowed display, a property of the drag window changes after each of them. So the loop of a host wakes up that
/// waits for an event in Xlib, which reads replies without returning. And a reply that Xlib reads while other code waits
/// for another one is not forgotten, although the connection's descriptor is quiet.
///
/// Events of an owned display are read by the library only, which looks for replies as well: see ``isAnswered``.
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

  /// Passes on the replies that the server has sent before an event, or all that have arrived. Call this before an event
  /// is processed: replies that precede it must not come after it.
  ///
  /// - Parameter serial: The serial number of the event.
  func passOn(before serial: UInt = .max) {
    for batch in batches { guard batch.sent.passOn(before: serial) else { return } }
  }

  /// Completes the batches whose replies have all arrived. Call this when the property has changed.
  func complete() { while completeFirst(before: nil) == .batch {} }

  /// Completes the first batch if all its replies have arrived, and passes on at most a slice of them. On an owned
  /// display, call this before each event.
  ///
  /// - Parameter serial: The serial number of the next event, which may have been sent before the replies; `nil` if there
  ///   is none.
  func completeFirst(before serial: UInt?, slice: Int = .max) -> Completion {
    guard let first = batches.first, serial.map(first.sent.precedes) ?? true else { return .nothing }
    guard first.sent.passOn(atMost: slice) else { return first.sent.isAnswered ? .slice : .nothing }
    batches.removeFirst()
    first.completion()
    return .batch
  }

  /// What ``completeFirst(before:slice:)`` has done.
  enum Completion {
    /// It has completed a batch. Then another event may be the next.
    case batch
    /// It has passed on a part of the replies. The others come before the next event.
    case slice
    case nothing
  }

  /// Gives up the batches, at the end of the use of a display.
  func removeAll() {
    for batch in batches { batch.sent.free() }
    batches.removeAll()
  }
}

// MARK: Requests

extension RequestBatch {
  /// A window's place, and the events that this client has selected on it.
  struct Attributes {
    /// The outer frame, border included, relative to the inside of the parent's border.
    var frame: Rect
    var border: Int
    var isMapped: Bool
    var isInputOnly: Bool
    var eventMask: Int
    /// The serial number of the request: the reply includes all changes that earlier events report.
    var serial: UInt
  }

  /// Adds two requests for a window's attributes and geometry.
  mutating func attributes(of window: WindowID, _ receive: @escaping (Attributes?) -> Void) {
    let xid = window.xid
    var state: (class: Int, map: Int, eventMask: Int, serial: UInt)?
    add {
      XDnDAskWindowAttributes($0, xid)
    } _: { reply in
      state = reply.map {
        (
          $0.number(at: 12, as: UInt16.self), $0.number(at: 26, as: UInt8.self), $0.number(at: 36, as: UInt32.self),
          $0.serial
        )
      }
    }
    add {
      XDnDAskGeometry($0, xid)
    } _: { reply in
      guard let state, let reply else { return receive(nil) }
      let border = reply.number(at: 20, as: UInt16.self)
      let frame = Rect(
        x: reply.number(at: 12, as: Int16.self), y: reply.number(at: 14, as: Int16.self),
        width: reply.number(at: 16, as: UInt16.self) + 2 * border,
        height: reply.number(at: 18, as: UInt16.self) + 2 * border)
      receive(
        Attributes(
          frame: frame, border: border, isMapped: state.map != Int(IsUnmapped),
          isInputOnly: state.class == Int(InputOnly), eventMask: state.eventMask, serial: state.serial))
    }
  }

  /// Adds a request for a window's children, bottom-most first. Their serial number is that of the request.
  mutating func children(of window: WindowID, _ receive: @escaping ((windows: [WindowID], serial: UInt)?) -> Void) {
    let xid = window.xid
    add {
      XDnDAskTree($0, xid)
    } _: { reply in
      receive(reply.map { ($0.units(of: UInt32.self).map { WindowID(rawValue: $0) }, $0.serial) })
    }
  }

  /// Adds a request for a window's parent; `.none` for a root window.
  mutating func parent(of window: WindowID, _ receive: @escaping (WindowID?) -> Void) {
    let xid = window.xid
    add {
      XDnDAskTree($0, xid)
    } _: { reply in
      receive(reply.map { WindowID(rawValue: UInt32($0.number(at: 12, as: UInt32.self))) })
    }
  }

  /// The beginning of a property of format 32.
  struct Words {
    /// `.none` if there is no such property.
    var type: Atom
    var format: Int
    /// Empty if the property has another type or format than was asked for.
    var words: [UInt32]
  }

  /// Adds a request for the first words of a property.
  mutating func words(
    in property: Atom, of window: WindowID, type: Atom, limit: Int, _ receive: @escaping (Words?) -> Void
  ) {
    let (xid, name, wanted) = (window.xid, UInt(property.rawValue), UInt(type.rawValue))
    add {
      XDnDAskProperty($0, xid, name, wanted, 0, UInt32(limit), false)
    } _: { reply in
      receive(
        reply.map { reply in
          let format = reply.number(at: 1, as: UInt8.self)
          return Words(
            type: Atom(rawValue: UInt32(reply.number(at: 8, as: UInt32.self))), format: format,
            words: format == 32 ? Array(reply.units(of: UInt32.self).prefix(reply.number(at: 16, as: UInt32.self))) : []
          )
        })
    }
  }

  /// A part of a property of format 8, 16 or 32.
  struct Value {
    /// `.none` if there is no such property.
    var type: Atom
    var format: Int
    /// In the byte order of this machine.
    var bytes: PropertyBytes
    /// The number of bytes that follow these.
    var left: Int
  }

  /// Adds a request for a part of a property, whatever its type.
  ///
  /// - Parameters:
  ///   - offset: The start of the part in bytes, a multiple of four.
  ///   - limit: The maximum length of the part in bytes.
  ///   - deletes: Whether the server deletes the property if nothing follows this part.
  mutating func value(
    of property: Atom, on window: WindowID, from offset: Int = 0, limit: Int, deleting deletes: Bool = false,
    _ receive: @escaping (Value?) -> Void
  ) {
    let (xid, name) = (window.xid, UInt(property.rawValue))
    add {
      XDnDAskProperty(
        $0, xid, name, UInt(AnyPropertyType), UInt32(clamping: offset / 4), UInt32(limit / 4), deletes)
    } _: { reply in
      receive(
        reply.map { reply in
          let format = reply.number(at: 1, as: UInt8.self)
          let count = reply.number(at: 16, as: UInt32.self) * format / 8
          let left = reply.number(at: 12, as: UInt32.self)
          return Value(
            type: Atom(rawValue: UInt32(reply.number(at: 8, as: UInt32.self))), format: format,
            bytes: reply.takeBody(upTo: count), left: left)
        })
    }
  }

  /// Adds a grab of the pointer. The result is that of `XGrabPointer`.
  mutating func grabPointer(
    _ window: WindowID, _ events: Int, _ cursor: Cursor, _ time: Timestamp, _ receive: @escaping (Int?) -> Void
  ) {
    let xid = window.xid
    add {
      XDnDAskPointerGrab($0, xid, UInt32(events), cursor, time.xTime)
    } _: {
      receive($0?.number(at: 1, as: UInt8.self))
    }
  }

  /// Adds a grab of the keyboard. The result is that of `XGrabKeyboard`.
  mutating func grabKeyboard(_ window: WindowID, _ time: Timestamp, _ receive: @escaping (Int?) -> Void) {
    let xid = window.xid
    add {
      XDnDAskKeyboardGrab($0, xid, time.xTime)
    } _: {
      receive($0?.number(at: 1, as: UInt8.self))
    }
  }

  /// The keys of a keyboard, by their key codes.
  struct KeyState {
    /// The keys of each of the eight modifiers.
    var modifiers: [[UInt32]] = []
    /// The Alt keys.
    var altKeys: Set<UInt32> = []
    /// The keys that are down.
    var down: Set<UInt32> = []
  }

  /// Adds requests for the modifier keys and for the keys that are down.
  mutating func keys(_ receive: @escaping (KeyState) -> Void) {
    var state = KeyState()
    let (first, last) = display.keyCodes
    add {
      XDnDAskKeyboardMapping($0, first, last)
    } _: { reply in
      guard let reply else { return }
      let width = reply.number(at: 1, as: UInt8.self)
      let symbols = reply.units(of: UInt32.self)
      guard width > 0 else { return }
      for (offset, start) in stride(from: 0, to: symbols.count, by: width).enumerated() {
        // Alt may be on the first or the second level of its key: Alt_L is often Meta_L with Shift.
        let levels = symbols[start...].prefix(min(width, 2))
        let isAlt = levels.contains { $0 == UInt32(XK_Alt_L) || $0 == UInt32(XK_Alt_R) }
        if isAlt { state.altKeys.insert(UInt32(first) + UInt32(offset)) }
      }
    }
    add {
      XDnDAskModifierMapping($0)
    } _: { reply in
      guard let reply else { return }
      let width = reply.number(at: 1, as: UInt8.self)
      let codes = reply.units(of: UInt8.self).map(UInt32.init)
      guard codes.count >= 8 * width else { return }
      state.modifiers = (0..<8).map { row in codes[row * width..<(row + 1) * width].filter { $0 != 0 } }
    }
    add {
      XDnDAskKeymap($0)
    } _: { reply in
      // The vector of 32 bytes begins in the head.
      if let reply {
        state.down = Set((0..<256).filter { reply.number(at: 8 + Int($0) / 8, as: UInt8.self) & 1 << ($0 % 8) != 0 })
      }
      receive(state)
    }
  }

  /// Adds a request for the pointer's state. The serial number is that of the request.
  mutating func pointer(over root: WindowID, _ receive: @escaping (PointerState?, _ serial: UInt) -> Void) {
    let xid = root.xid
    add {
      XDnDAskPointer($0, xid)
    } _: { reply in
      receive(
        reply.map {
          PointerState(
            point: Point(x: $0.number(at: 16, as: Int16.self), y: $0.number(at: 18, as: Int16.self)),
            mask: UInt32($0.number(at: 24, as: UInt16.self)))
        }, reply?.serial ?? 0)
    }
  }

  /// Adds a request for the owner of a selection; `.none` if it has none.
  mutating func owner(of selection: Atom, _ receive: @escaping (WindowID) -> Void) {
    let atom = UInt(selection.rawValue)
    add {
      XDnDAskSelectionOwner($0, atom)
    } _: {
      receive(WindowID(rawValue: UInt32($0?.number(at: 8, as: UInt32.self) ?? 0)))
    }
  }

  /// Adds a request for an atom's name. `nil` if there is no such atom.
  mutating func name(of atom: Atom, _ receive: @escaping (AtomName?) -> Void) {
    let number = UInt(atom.rawValue)
    add {
      XDnDAskAtomName($0, number)
    } _: { reply in
      receive(reply.map { AtomName(bytes: $0.units(of: UInt8.self).prefix($0.number(at: 8, as: UInt16.self))) })
    }
  }

  /// Adds a request for the atom of a name that ``AtomName/isValid``. `nil` if the server has no memory.
  mutating func atom(named name: AtomName, _ receive: @escaping (Atom?) -> Void) {
    let bytes = name.bytes
    add { responses in
      bytes.withUnsafeBytes { XDnDAskAtom(responses, $0.baseAddress, $0.count) }
    } _: { reply in
      receive(reply.map { Atom(rawValue: UInt32($0.number(at: 8, as: UInt32.self))) })
    }
  }

  /// Adds a request whether this client has selected `ShapeNotify` of a window.
  ///
  /// - Parameter opcode: The major opcode of the SHAPE extension.
  mutating func selectsShape(of window: WindowID, _ opcode: Int32, _ receive: @escaping (Bool?) -> Void) {
    let xid = window.xid
    add {
      XDnDAskShapeInputSelected($0, opcode, xid)
    } _: {
      receive(($0?.number(at: 1, as: UInt8.self)).map { $0 != 0 })
    }
  }

  /// Adds a request for a shape of a window, relative to the inside of its border.
  ///
  /// - Parameters:
  ///   - kind: `ShapeBounding` or `ShapeInput`.
  ///   - opcode: The major opcode of the SHAPE extension.
  mutating func shape(_ kind: Int32, of window: WindowID, _ opcode: Int32, _ receive: @escaping ([Rect]?) -> Void) {
    let xid = window.xid
    add {
      XDnDAskShapeRectangles($0, opcode, xid, kind)
    } _: { reply in
      receive(
        reply.map { reply in
          reply.units(of: XRectangle.self).prefix(reply.number(at: 8, as: UInt32.self)).map {
            Rect(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height))
          }
        })
    }
  }

  /// Adds a request for the major opcode of an extension; `nil` if the server lacks it.
  mutating func opcode(ofExtension name: StaticString, _ receive: @escaping (Int32?) -> Void) {
    add { responses in
      name.withUTF8Buffer { XDnDAskExtension(responses, $0.baseAddress, $0.count) }
    } _: { reply in
      let isPresent = reply?.number(at: 8, as: UInt8.self) == 1
      receive(isPresent ? reply.map { Int32($0.number(at: 9, as: UInt8.self)) } : nil)
    }
  }

  // MARK: XInput 2

  /// Adds a request for a version of XInput 2.
  ///
  /// - Parameter opcode: The major opcode of the X Input Extension, as in the requests below.
  mutating func inputVersion(_ opcode: Int32, major: Int32, minor: Int32) {
    add {
      XDnDAskInputVersion($0, opcode, major, minor)
    } _: { _ in
    }
  }

  /// An input device, as `XIQueryDevice` reports it.
  struct DeviceInfo: Hashable {
    var id: Int32
    var use: Int32
    /// Of a master: the other half of the pair. Of a slave: its master.
    var attachment: Int32
  }

  /// Adds a request for the input devices; `nil` if the server has no XInput 2.
  mutating func inputDevices(_ opcode: Int32, _ receive: @escaping ([DeviceInfo]?) -> Void) {
    add {
      XDnDAskInputDevices($0, opcode)
    } _: { reply in
      receive(
        reply.map { reply in
          var devices: [DeviceInfo] = []
          // Each has a head of 12 bytes, its name, which is padded, and classes, which begin with their type and length.
          var offset = 32
          for _ in 0..<reply.number(at: 8, as: UInt16.self) {
            devices.append(
              DeviceInfo(
                id: Int32(reply.number(at: offset, as: UInt16.self)),
                use: Int32(reply.number(at: offset + 2, as: UInt16.self)),
                attachment: Int32(reply.number(at: offset + 4, as: UInt16.self))))
            let classes = reply.number(at: offset + 6, as: UInt16.self)
            offset += 12 + (reply.number(at: offset + 8, as: UInt16.self) + 3) & ~3
            for _ in 0..<classes { offset += 4 * reply.number(at: offset + 2, as: UInt16.self) }
          }
          return devices
        })
    }
  }

  /// Adds a request whether this client has selected an event of a master pointer on a window.
  ///
  /// - Parameter event: The event's number, such as `XI_ButtonPress`.
  mutating func selectsInput(
    _ event: Int32, of pointer: Int32, on window: WindowID, _ opcode: Int32, _ receive: @escaping (Bool) -> Void
  ) {
    let xid = window.xid
    add {
      XDnDAskInputSelection($0, opcode, xid)
    } _: { reply in
      guard let reply else { return receive(false) }
      // Each mask has a head of four bytes: the device, and the length in units of four bytes.
      var offset = 32
      for _ in 0..<reply.number(at: 8, as: UInt16.self) {
        let device = Int32(reply.number(at: offset, as: UInt16.self))
        let length = 4 * reply.number(at: offset + 2, as: UInt16.self)
        let byte = Int(event) / 8
        let mask = byte < length ? reply.number(at: offset + 4 + byte, as: UInt8.self) : 0
        if [XIAllDevices, XIAllMasterDevices, pointer].contains(device), mask & 1 << (event % 8) != 0 {
          return receive(true)
        }
        offset += 4 + length
      }
      receive(false)
    }
  }

  /// Adds a grab of a device. The result is that of `XIGrabDevice`.
  ///
  /// - Parameter events: The numbers of the events that are reported.
  mutating func grabDevice(
    _ device: Int32, _ opcode: Int32, _ window: WindowID, _ events: [Int32], _ cursor: Cursor?, _ time: Timestamp,
    _ receive: @escaping (Int?) -> Void
  ) {
    let xid = window.xid
    let mask = events.reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
    add {
      XDnDAskInputGrab($0, opcode, device, xid, mask, cursor ?? 0, time.xTime)
    } _: {
      receive($0?.number(at: 8, as: UInt8.self))
    }
  }

  /// Adds a request for the state of a master pointer, as ``pointer(over:_:)`` does.
  mutating func pointer(
    _ device: Int32, _ opcode: Int32, over root: WindowID, _ receive: @escaping (PointerState?, _ serial: UInt) -> Void
  ) {
    let xid = root.xid
    add {
      XDnDAskInputPointer($0, opcode, device, xid)
    } _: { reply in
      receive(
        reply.map { reply in
          // Coordinates are fixed-point numbers; the buttons follow the head as a bit field.
          let modifiers = reply.number(at: 48, as: UInt32.self) & 0xff
          let hasButtons = reply.number(at: 34, as: UInt16.self) > 0
          let buttons = hasButtons ? reply.number(at: 56, as: UInt8.self) & 0x3e : 0
          return PointerState(
            point: Point(
              x: reply.number(at: 16, as: Int32.self) >> 16, y: reply.number(at: 20, as: Int32.self) >> 16),
            mask: UInt32(modifiers | buttons << 7))
        }, reply?.serial ?? 0)
    }
  }
}
