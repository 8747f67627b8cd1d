import XDnDX11
import XDnDXlibint

/// Reads window properties of any length, and writes up to ``maximumWriteSize``. A destroyed window is not an error.
package final class Properties {
  private let display: DisplayHandle
  private let atoms: AtomTable
  /// `nil` for properties that belong to the desktop rather than to a drag.
  private let tap: WireTap?

  package init(_ display: DisplayHandle, _ atoms: AtomTable, _ tap: WireTap? = nil) {
    self.display = display
    self.atoms = atoms
    self.tap = tap
  }

  /// The bytes that one round trip reads: a balance of memory and round trips.
  private static let pageBytes = 1 << 20

  /// Reads a page of a property of any type: one round trip, and another one if the name of the type is unknown. Holds
  /// only the page in memory.
  ///
  /// - Parameters:
  ///   - offset: The start of the page in bytes: the end of the previous page.
  ///   - delete: Whether to delete the property if this is its last page.
  ///   - part: Called with the header of the whole property and the bytes of the page, unless there are none.
  /// - Returns: The header of the whole property, and the number of bytes after this page; `nil` if the property or the
  ///   window does not exist.
  package func readPage(
    _ property: AtomName, of window: WindowID, from offset: Int, delete: Bool,
    part: (PropertyHeader, UnsafeRawBufferPointer) -> Void
  ) -> (header: PropertyHeader, left: Int)? {
    var page: RequestBatch.Value?
    var batch = RequestBatch(display)
    askPage(property, of: window, from: offset, deleting: delete, in: &batch) { page = $0 }
    batch.run()
    guard let page, let type = atoms.name(page.type) else { return nil }
    let header = Self.header(of: page, type, from: offset)
    page.bytes.withUnsafeBytes { if !$0.isEmpty { part(header, $0) } }
    return (header, page.left)
  }

  /// Reads a page, and deletes the property with its last page, without waiting: one round trip, and another one if the
  /// name of the property's type is unknown.
  ///
  /// - Parameters:
  ///   - offset: The start of the page in bytes.
  ///   - receive: Not called if the connection is lost.
  func requestPage(
    _ property: AtomName, of window: WindowID, from offset: Int, _ receive: @escaping (ContentPage?) -> Void
  ) {
    var page: RequestBatch.Value?
    var batch = RequestBatch(display)
    askPage(property, of: window, from: offset, deleting: true, in: &batch) { page = $0 }
    batch.send { [self] in
      guard let page else { return receive(nil) }
      var names = RequestBatch(display)
      atoms.ask(for: [page.type], in: &names)
      names.send { [self] in
        receive(
          atoms.knownName(page.type).map {
            ContentPage(header: Self.header(of: page, $0, from: offset), bytes: page.bytes, left: page.left)
          })
      }
    }
  }

  /// Adds the request for a page. The server deletes the property only with the last page.
  ///
  /// - Parameter receive: Called if there is such a page.
  private func askPage(
    _ property: AtomName, of window: WindowID, from offset: Int, deleting deletes: Bool, in batch: inout RequestBatch,
    _ receive: @escaping (RequestBatch.Value) -> Void
  ) {
    batch.value(
      of: atoms.atom(property), on: window, from: offset, limit: Self.pageBytes, deleting: deletes
    ) { [self] value in
      guard let value else { return }
      // Reported here, before the events that the server has sent after the reply.
      value.bytes.withUnsafeBytes {
        tell($0, value.type, format: value.format, property, of: window, offset: offset)
      }
      guard value.format != 0 else { return }
      if deletes, value.left == 0 { tellDeleted(property, of: window) }
      // After an empty page with bytes left, the reader would loop forever.
      if !value.bytes.isEmpty || value.left == 0 { receive(value) }
    }
  }

  private static func header(of page: RequestBatch.Value, _ type: AtomName, from offset: Int) -> PropertyHeader {
    PropertyHeader(type: type, format: page.format, byteCount: offset + page.bytes.count + page.left)
  }

  private func tellDeleted(_ property: AtomName, of window: WindowID) {
    tap?.did(.property(WireEvent.Property(.deleted, property, of: window)))
  }

  /// The first page of a property, which is the whole property up to 1 MiB; `nil` if the property or the window does
  /// not exist.
  package func value(of property: AtomName, on window: WindowID) -> (header: PropertyHeader, bytes: [UInt8])? {
    var bytes: [UInt8] = []
    return readPage(property, of: window, from: 0, delete: false) { bytes = Array($1) }.map { ($0.header, bytes) }
  }

  /// The elements of a short format-32 property; `nil` if it is missing or has another type or format, or if the window
  /// does not exist.
  ///
  /// - Parameter type: `nil` for any type.
  package func words(in property: AtomName, of window: WindowID, type: AtomName?, limit: Int) -> [UInt32]? {
    var words: [UInt32]?
    var batch = RequestBatch(display)
    askWords(in: property, of: window, type: type, limit: limit, in: &batch) { words = $0 }
    batch.run()
    return words
  }

  /// Adds the request of ``words(in:of:type:limit:)`` to a batch.
  func askWords(
    in property: AtomName, of window: WindowID, type: AtomName?, limit: Int, in batch: inout RequestBatch,
    _ receive: @escaping ([UInt32]?) -> Void
  ) {
    let wanted: Atom = type.map(atoms.atom) ?? .none
    ask(for: property, of: window, type: wanted, limit: 4 * limit, in: &batch) { value in
      guard let value, value.format == 32, wanted == .none || value.type == wanted else { return receive(nil) }
      receive(value.bytes.withUnsafeBytes(Format32.words))
    }
  }

  /// Adds a request for the first `limit` bytes of a property to a batch.
  ///
  /// - Parameter type: `.none` for any type.
  func ask(
    for property: AtomName, of window: WindowID, type: Atom = .none, limit: Int = 1 << 16, in batch: inout RequestBatch,
    _ receive: @escaping (RequestBatch.Value?) -> Void
  ) {
    batch.value(of: atoms.atom(property), on: window, type: type, limit: limit) { [self] value in
      if let value {
        value.bytes.withUnsafeBytes { tell($0, value.type, format: value.format, property, of: window) }
      }
      receive(value)
    }
  }

  /// Reads a list of atoms without waiting: one round trip, and another one if atoms have unknown names. See
  /// ``WindowSystem/requestAtoms(in:of:type:limit:then:)``.
  func requestAtoms(
    in property: AtomName, of window: WindowID, type: AtomName, limit: Int,
    then receive: @escaping ([AtomName?]?) -> Void
  ) {
    var list: [Atom]?
    var batch = RequestBatch(display)
    askWords(in: property, of: window, type: type, limit: limit, in: &batch) { list = $0?.map(Atom.init(rawValue:)) }
    batch.send { [self] in
      var names = RequestBatch(display)
      atoms.ask(for: list ?? [], in: &names)
      names.send { [self] in receive(list?.map(atoms.knownName)) }
    }
  }

  /// Reads the offer of a drag's source, without waiting: one round trip, and another one if atoms have unknown names.
  ///
  /// - Parameter typeList: Whether to read the type list, too.
  func requestOffer(of source: WindowID, typeList: Bool, _ receive: @escaping (SourceOffer) -> Void) {
    var (types, operations): ([Atom]?, [Atom]?)
    var descriptions: [UInt8] = []
    var batch = RequestBatch(display)
    if typeList { askList(.xdndTypeList, of: source, in: &batch) { types = $0 } }
    askList(.xdndActionList, of: source, in: &batch) { operations = $0 }
    ask(for: .xdndActionDescription, of: source, limit: SourceOffer.descriptionLimit, in: &batch) { value in
      if let value, value.format == 8, value.left == 0 { descriptions = value.bytes.array }
    }
    batch.send { [self] in
      var names = RequestBatch(display)
      atoms.ask(for: (types ?? []) + (operations ?? []), in: &names)
      names.send { [self] in
        receive(
          SourceOffer(
            types: types?.compactMap(atoms.knownName), operations: operations?.compactMap(atoms.knownName),
            descriptions: SourceOffer.strings(in: descriptions)))
      }
    }
  }

  private func askList(
    _ property: AtomName, of source: WindowID, in batch: inout RequestBatch, _ receive: @escaping ([Atom]?) -> Void
  ) {
    askWords(in: property, of: source, type: .atom, limit: SourceOffer.listLimit, in: &batch) { words in
      receive(words?.map(Atom.init(rawValue:)).filter { $0 != .none })
    }
  }

  package func write(_ value: PropertyValue, to property: AtomName, of window: WindowID) {
    switch value.contents {
    case .units(let bytes, let unit):
      bytes.withUnsafeBytes { change(property, of: window, type: value.type, format: unit.format, to: $0) }
    case .words(let words):
      write(words, type: value.type, to: property, of: window)
    case .atoms(let names):
      atoms.intern(names.compactMap { $0 })
      write(names.map { $0.map(atoms.atom)?.rawValue ?? 0 }, type: value.type, to: property, of: window)
    }
  }

  package func delete(_ property: AtomName, of window: WindowID) {
    let name = atoms.atom(property)
    display.request(onError: .report) { XDeleteProperty($0, window.xid, XDnDX11.Atom(name.rawValue)) }
    tellDeleted(property, of: window)
  }

  /// The maximum request size in bytes, without the header of `ChangeProperty`: 24 bytes, and 4 for the extended length
  /// field (BIG-REQUESTS). Negative if the connection is lost.
  var maximumWriteSize: Int {
    let units = display.roundTrip { display in
      let extended = XExtendedMaxRequestSize(display)
      return extended > 0 ? extended : XMaxRequestSize(display)
    }
    return (units ?? 0) * 4 - 28
  }

  private func write(_ words: [UInt32], type: AtomName, to property: AtomName, of window: WindowID) {
    words.withUnsafeBytes { change(property, of: window, type: type, format: 32, to: $0) }
  }

  /// Reports a read to the wire tap. A missing property is reported too, except `XdndAware` and `XdndProxy`, which hit
  /// testing reads from each window it visits.
  private func tell(
    _ bytes: UnsafeRawBufferPointer, _ type: Atom, format: Int, _ property: AtomName, of window: WindowID,
    offset: Int = 0
  ) {
    guard let tap, tap.isOpen else { return }
    if type == .none {
      guard property != .xdndAware, property != .xdndProxy else { return }
      return tap.did(.property(WireEvent.Property(.read, property, of: window)))
    }
    guard let type = atoms.name(type) else { return }
    tap.did(tap.property(.read, property, of: window, type: type, format: format, offset: offset, bytes: bytes))
  }

  private func change(
    _ property: AtomName, of window: WindowID, type: AtomName, format: Int, to bytes: UnsafeRawBufferPointer
  ) {
    atoms.intern([property, type])
    let name = XDnDX11.Atom(atoms.atom(property).rawValue)
    let typeAtom = XDnDX11.Atom(atoms.atom(type).rawValue)
    display.request(onError: .report) {
      XDnDChangeProperty(
        $0, window.xid, name, typeAtom, Int32(format), PropModeReplace, bytes.baseAddress, bytes.count / (format / 8))
    }
    guard let tap else { return }
    tap.did(tap.property(.written, property, of: window, type: type, format: format, bytes: bytes))
  }
}
