import CX11
import CXlibint

/// Requests about windows that are sent together and take one round trip, however slow the connection is.
///
/// Add requests, each with what to do with its reply, and then ``run()`` the batch. The reply of a missing window is `nil`.
struct RequestBatch {
  private let display: DisplayHandle
  private var requests: [Request] = []

  private struct Request {
    /// Writes the request. Returns the index of its reply in the batch; `nil` for a request without one.
    var send: (OpaquePointer) -> Int32?
    var receive: (Reply?) -> Void
  }

  init(_ display: DisplayHandle) {
    self.display = display
  }

  /// Sends all requests in the order of their addition, waits, and passes on the replies in the same order.
  func run() {
    guard !requests.isEmpty else { return }
    display.roundTrip { display -> Void? in
      guard let batch = XDnDBatchCreate(display) else { return nil }
      defer { XDnDBatchFree(batch) }
      let indices = requests.map { $0.send(batch) }
      XDnDBatchAwait(batch)
      for (request, index) in zip(requests, indices) {
        guard let index else { continue }
        var size = 0
        let bytes = XDnDBatchReply(batch, index, &size)
        let buffer = UnsafeRawBufferPointer(start: bytes, count: size)
        request.receive(Reply(bytes: buffer, serial: XDnDBatchSerial(batch, index)))
      }
      return ()
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

  private mutating func add(_ send: @escaping (OpaquePointer) -> Int32, _ receive: @escaping (Reply?) -> Void) {
    requests.append(Request(send: send, receive: receive))
  }

  /// A reply, encoded as in Appendix B of the X11 protocol.
  private struct Reply {
    private let bytes: UnsafeRawBufferPointer
    /// The serial number of the request.
    let serial: UInt

    /// The size of a reply without its variable part.
    private static let headSize = 32

    /// Returns `nil` if the bytes are no reply.
    init?(bytes: UnsafeRawBufferPointer, serial: UInt) {
      guard bytes.count >= Self.headSize else { return nil }
      self.bytes = bytes
      self.serial = serial
    }

    /// The number at an offset; 0 beyond the end.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Int {
      let end = offset + MemoryLayout<Number>.size
      return end <= bytes.count ? Int(bytes.loadUnaligned(fromByteOffset: offset, as: type)) : 0
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

// MARK: Requests

extension RequestBatch {
  /// A window's place, and the events that this client has selected on it.
  struct Attributes {
    /// The outer frame, border included, relative to the inside of the parent's border.
    var frame: Rect
    var border: Int
    var isMapped: Bool
    var eventMask: Int
    /// The serial number of the request: the reply includes all changes that earlier events report.
    var serial: UInt
  }

  /// Adds two requests for a window's attributes and geometry.
  mutating func attributes(of window: WindowID, _ receive: @escaping (Attributes?) -> Void) {
    let xid = window.xid
    var state: (map: Int, eventMask: Int, serial: UInt)?
    add {
      XDnDBatchGetWindowAttributes($0, xid)
    } _: { reply in
      state = reply.map { ($0.number(at: 26, as: UInt8.self), $0.number(at: 36, as: UInt32.self), $0.serial) }
    }
    add {
      XDnDBatchGetGeometry($0, xid)
    } _: { reply in
      guard let state, let reply else { return receive(nil) }
      let border = reply.number(at: 20, as: UInt16.self)
      let frame = Rect(
        x: reply.number(at: 12, as: Int16.self), y: reply.number(at: 14, as: Int16.self),
        width: reply.number(at: 16, as: UInt16.self) + 2 * border,
        height: reply.number(at: 18, as: UInt16.self) + 2 * border)
      receive(
        Attributes(
          frame: frame, border: border, isMapped: state.map != Int(IsUnmapped), eventMask: state.eventMask,
          serial: state.serial))
    }
  }

  /// Adds a request for a window's children, bottom-most first. Their serial number is that of the request.
  mutating func children(of window: WindowID, _ receive: @escaping ((windows: [WindowID], serial: UInt)?) -> Void) {
    let xid = window.xid
    add {
      XDnDBatchQueryTree($0, xid)
    } _: { reply in
      receive(reply.map { ($0.units(of: UInt32.self).map { WindowID(rawValue: $0) }, $0.serial) })
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
      XDnDBatchGetProperty($0, xid, name, wanted, UInt32(limit))
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

  /// Adds a request whether this client has selected `ShapeNotify` of a window.
  ///
  /// - Parameter opcode: The major opcode of the SHAPE extension.
  mutating func selectsShape(of window: WindowID, _ opcode: Int32, _ receive: @escaping (Bool?) -> Void) {
    let xid = window.xid
    add {
      XDnDBatchShapeInputSelected($0, opcode, xid)
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
      XDnDBatchShapeGetRectangles($0, opcode, xid, kind)
    } _: { reply in
      receive(
        reply.map { reply in
          reply.units(of: XRectangle.self).prefix(reply.number(at: 8, as: UInt32.self)).map {
            Rect(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height))
          }
        })
    }
  }
}
