import CX11

/// Reading and writing properties of any window, however long, on a server that may have lost it.
final class Properties {
  private let display: DisplayHandle
  private let atoms: AtomTable

  init(_ display: DisplayHandle, _ atoms: AtomTable) {
    self.display = display
    self.atoms = atoms
  }

  /// How much one round trip reads: few trips, and no more memory than this at a time.
  private static let pageBytes = 1 << 20

  /// Reads a page; see ``WindowSystem/readPage(_:of:from:delete:part:)``.
  func readPage(
    _ property: AtomName, of window: WindowID, from offset: Int, delete: Bool,
    part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> (header: PropertyHeader, left: Int)? {
    // The server deletes only with the page that leaves nothing after it.
    let answer = page(
      of: atoms.atom(property), window, type: CX11.Atom(AnyPropertyType), offset: offset / 4,
      count: Self.pageBytes / 4, delete: delete)
    guard let answer else { return nil }
    defer { answer.free() }
    guard answer.format != 0, let type = atoms.name(answer.type) else { return nil }
    // More to come and nothing given would go on for ever.
    guard answer.items > 0 || answer.bytesAfter == 0 else { return nil }
    let header = PropertyHeader(
      type: type, format: answer.format, byteCount: offset + answer.wireByteCount + answer.bytesAfter)
    answer.withWireBytes { if !$0.isEmpty { part(header, $0) } }
    return (header, answer.bytesAfter)
  }

  /// The words of a short format-32 property; `nil` if it is missing, of another type, or the window is gone.
  func words(in property: AtomName, of window: WindowID, type: AtomName, limit: Int) -> [UInt32]? {
    let wanted = atoms.atom(type)
    let page = page(
      of: atoms.atom(property), window, type: CX11.Atom(wanted.rawValue), offset: 0, count: limit, delete: false)
    guard let page else { return nil }
    defer { page.free() }
    guard page.type == wanted, page.format == 32 else { return nil }
    return page.withWireBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  /// Reads a list of atoms; see ``WindowSystem/atoms(in:of:type:)``.
  func atoms(in property: AtomName, of window: WindowID, type: AtomName) -> [AtomName?]? {
    guard let words = words(in: property, of: window, type: type, limit: 65_536) else { return nil }
    let list = words.map(Atom.init(rawValue:))
    atoms.lookUp(list)
    return list.map { $0 == .none ? nil : atoms.name($0) }
  }

  func write(_ value: PropertyValue, to property: AtomName, of window: WindowID) {
    switch value.contents {
    case .units(let bytes, of: .word):
      let words = bytes.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
      }
      write(words, type: value.type, to: property, of: window)
    case .units(let bytes, let unit):
      bytes.withUnsafeBufferPointer {
        change(
          property, of: window, type: value.type, format: Int32(unit.format), data: $0.baseAddress,
          count: $0.count / unit.byteCount)
      }
    case .words(let words):
      write(words, type: value.type, to: property, of: window)
    case .atoms(let names):
      atoms.intern(names.compactMap { $0 })
      write(names.map { $0.map(atoms.atom)?.rawValue ?? 0 }, type: value.type, to: property, of: window)
    }
  }

  func delete(_ property: AtomName, of window: WindowID) {
    let name = atoms.atom(property)
    display.request(onError: .report) { XDeleteProperty($0, window.xid, CX11.Atom(name.rawValue)) }
  }

  /// A request less its header: 24 bytes, and four more that a length beyond 16 bits takes (BIG-REQUESTS).
  var maximumWriteSize: Int {
    let units = display.roundTrip { display in
      let extended = XExtendedMaxRequestSize(display)
      return extended > 0 ? extended : XMaxRequestSize(display)
    }
    return (units ?? 0) * 4 - 28
  }

  private func write(_ words: [UInt32], type: AtomName, to property: AtomName, of window: WindowID) {
    words.map(Format32.long).withUnsafeBytes {
      change(
        property, of: window, type: type, format: 32, data: $0.bindMemory(to: UInt8.self).baseAddress,
        count: words.count)
    }
  }

  private func change(
    _ property: AtomName, of window: WindowID, type: AtomName, format: Int32, data: UnsafePointer<UInt8>?, count: Int
  ) {
    atoms.intern([property, type])
    let name = CX11.Atom(atoms.atom(property).rawValue)
    let type = CX11.Atom(atoms.atom(type).rawValue)
    display.request(onError: .report) {
      XChangeProperty($0, window.xid, name, type, format, PropModeReplace, data, Int32(clamping: count))
    }
  }

  private func page(
    of property: Atom, _ window: WindowID, type: CX11.Atom, offset: Int, count: Int, delete: Bool
  ) -> PropertyPage? {
    display.roundTrip { display in
      var actualType: CX11.Atom = 0
      var format: Int32 = 0
      var items: UInt = 0
      var bytesAfter: UInt = 0
      var data: UnsafeMutablePointer<UInt8>?
      let status = XGetWindowProperty(
        display, window.xid, CX11.Atom(property.rawValue), offset, count, delete ? True : False, type,
        &actualType, &format, &items, &bytesAfter, &data)
      guard status == Success else { return nil }
      return PropertyPage(
        type: Atom(rawValue: UInt32(truncatingIfNeeded: actualType)), format: Int(format), items: Int(items),
        bytesAfter: Int(bytesAfter), data: data)
    }
  }
}
