import CX11
public import XDnD

extension RawPeer {
  /// The content of a property.
  public struct Content: Hashable, Sendable {
    /// The property's type. It may differ from the requested target.
    public var type: AtomName
    /// The property's format: 8, 16 or 32 bits per unit.
    public var format: Int
    /// The data in the machine's byte order, with four bytes per unit of format 32.
    public var bytes: [UInt8]

    /// Creates content from bytes.
    public init(type: AtomName, format: Int = 8, bytes: [UInt8]) {
      self.type = type
      self.format = format
      self.bytes = bytes
    }

    /// Creates content of format 32.
    public init(type: AtomName, words: [UInt32]) {
      self.init(type: type, format: 32, bytes: words.flatMap { word in withUnsafeBytes(of: word, Array.init) })
    }

    /// The units of format 32; empty for other formats.
    public var words: [UInt32] {
      guard format == 32 else { return [] }
      return stride(from: 0, to: bytes.count - 3, by: 4).map { start in
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt32.self) }
      }
    }
  }

  /// The maximum number of bytes that ``onWireEvent`` receives of a property. The event always has the full byte count.
  public static let eventByteLimit = 65536

  /// Replaces a property of a window.
  public func setProperty(_ name: String, of window: WindowID, _ content: Content) {
    guard !isClosed else { return }
    tell(.sent, .property(event(.written, name, window, content, offset: 0)))
    // Xlib takes a `long` for each unit of format 32.
    let bytes =
      content.format == 32
      ? content.words.flatMap { word in withUnsafeBytes(of: Int(Int32(bitPattern: word)), Array.init) } : content.bytes
    XChangeProperty(
      display, window.xid, xatom(name), xatom(content.type.rawValue), Int32(content.format), PropModeReplace, bytes,
      Int32(content.bytes.count / (content.format / 8)))
    XFlush(display)
  }

  /// Replaces a property with a list of atoms, given by name.
  public func setProperty(_ name: String, of window: WindowID, atoms: [String]) {
    setProperty(name, of: window, Content(type: AtomName(rawValue: "ATOM"), words: atoms.map(atom)))
  }

  /// Deletes a property of a window.
  public func deleteProperty(_ name: String, of window: WindowID) {
    guard !isClosed else { return }
    tell(.sent, .property(WireEvent.Property(.deleted, AtomName(rawValue: name), of: window)))
    XDeleteProperty(display, window.xid, xatom(name))
    XFlush(display)
  }

  /// Reads a whole property; `nil` if the property or the window does not exist.
  ///
  /// - Parameter delete: Whether the server deletes the property with the read of its last part.
  public func readProperty(_ name: String, of window: WindowID, delete: Bool = false) -> Content? {
    var whole: Content?
    var offset = 0
    while !isClosed {
      var (type, format, count, left): (CX11.Atom, Int32, UInt, UInt) = (0, 0, 0, 0)
      var data: UnsafeMutablePointer<UInt8>?
      let status = XGetWindowProperty(
        display, window.xid, xatom(name), offset / 4, Self.pageBytes / 4, delete ? True : False, 0, &type, &format,
        &count, &left, &data)
      defer { if let data { XFree(data) } }
      guard status == 0, type != 0, format != 0, let data else {
        // A missing property is reported, too.
        if whole == nil { tell(.sent, .property(WireEvent.Property(.read, AtomName(rawValue: name), of: window))) }
        break
      }
      let page = Content(
        type: self.name(of: UInt32(type)) ?? AtomName(rawValue: ""), format: Int(format),
        bytes: Self.bytes(data, format: format, count: Int(count)))
      tell(.sent, .property(event(.read, name, window, page, offset: offset)))
      if whole == nil { whole = page } else { whole?.bytes += page.bytes }
      offset += page.bytes.count
      guard left > 0, !page.bytes.isEmpty else {
        if delete { tell(.sent, .property(WireEvent.Property(.deleted, AtomName(rawValue: name), of: window))) }
        break
      }
    }
    return whole
  }

  /// Xlib returns a `long` for each unit of format 32.
  private static func bytes(_ data: UnsafeMutablePointer<UInt8>, format: Int32, count: Int) -> [UInt8] {
    guard format == 32 else { return Array(UnsafeBufferPointer(start: data, count: count * Int(format) / 8)) }
    return UnsafeRawPointer(data).withMemoryRebound(to: Int.self, capacity: count) { longs in
      (0..<count).flatMap { index in withUnsafeBytes(of: UInt32(truncatingIfNeeded: longs[index]), Array.init) }
    }
  }

  private func event(
    _ change: WireEvent.Property.Change, _ name: String, _ window: WindowID, _ content: Content, offset: Int
  ) -> WireEvent.Property {
    let isList = content.format == 32 && (content.type.rawValue == "ATOM" || content.type.rawValue == "ATOM_PAIR")
    return WireEvent.Property(
      change, AtomName(rawValue: name), of: window, type: content.type, format: content.format, offset: offset,
      bytes: Array(content.bytes.prefix(Self.eventByteLimit)), byteCount: content.bytes.count,
      names: isList ? content.words.map { self.name(of: $0) } : [])
  }

  private static let pageBytes = 1 << 20
}
