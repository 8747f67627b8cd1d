@testable import XDnD
@testable import XDnDTesting

/// A client without our library that may own a selection. Left alone it serves ``content``, each in one property.
class SelectionPeer: SimulatedPeer {
  var content: [AtomName: PropertyValue] = [:]
  /// Instead of serving ``content``.
  var onRequest: ((SelectionRequest) -> Void)?
  private(set) var requests: [SelectionRequest] = []

  init(
    _ simulation: Simulation, frame: Rect = Rect(x: 0, y: 0, width: 1, height: 1), owning selection: AtomName? = nil
  ) {
    super.init(simulation, frame: frame)
    if let selection { take(selection) }
  }

  func take(_ selection: AtomName) { server.setOwner(window, of: selection, at: server.time) }

  /// Adds to ``content``.
  func give(_ bytes: [UInt8], as type: AtomName) {
    content[type] = PropertyValue(type: type, contents: .bytes(bytes[...]))
  }

  override func handle(_ event: ServerEvent) {
    guard case .selectionRequest(let request) = event else { return super.handle(event) }
    requests.append(request)
    if let onRequest { onRequest(request) } else { serve(request) }
  }

  /// Writes a value to the property of a request; `nil` refuses.
  func serve(_ request: SelectionRequest, _ value: PropertyValue?) {
    guard let property = request.property, let value else { return answer(request, with: nil) }
    client.write(value, to: property, of: request.requestor)
    answer(request, with: property)
  }

  func serve(_ request: SelectionRequest) { serve(request, content[request.target]) }

  /// Gives content in one property.
  func serve(_ request: SelectionRequest, _ bytes: [UInt8]) {
    serve(request, PropertyValue(type: request.target, contents: .bytes(bytes[...])))
  }

  func answer(_ request: SelectionRequest, with property: AtomName?) {
    client.send(
      SelectionNotify(
        requestor: request.requestor, selection: request.selection, target: request.target, property: property,
        time: request.time))
  }
}

/// A clipboard manager as those of GNOME, MATE and Xfce are: it asks for all targets at once, with `MULTIPLE`, takes the
/// clipboard when that is answered, and says that it has done so when all parts of all of them are there.
final class ModelClipboardManager: SelectionPeer {
  private(set) var isDone = false
  /// Whether the answer has a value, as the specification wants it.
  var writesNull = true
  var takesClipboard = true
  private var order: SelectionRequest?
  private var types: [AtomName] = []
  private var contents: [AtomName: TransferredContent] = [:]

  init(_ simulation: Simulation) { super.init(simulation, owning: .clipboardManager) }

  override func handle(_ event: ServerEvent) {
    switch event {
    case .selectionRequest(let request) where onRequest == nil && request.target == .saveTargets: save(request)
    case .selectionNotify:
      for index in types.indices { take(index) }
      if takesClipboard { server.setOwner(window, of: .clipboard, at: server.time) }
    case .propertyChanged(let property, window):
      if let index = types.indices.first(where: { Self.property($0) == property }), order != nil { take(index) }
    default: super.handle(event)
    }
  }

  var saved: [AtomName: [UInt8]] { contents.compactMapValues(\.value) }

  private static func property(_ index: Int) -> AtomName { AtomName("SAVED_\(index)") }

  private func save(_ request: SelectionRequest) {
    order = request
    let list = request.property.flatMap { client.atoms(in: $0, of: request.requestor, type: .atom) }
    types = list?.compactMap { $0 } ?? []
    let pairs = types.enumerated().flatMap { [$1, Self.property($0)] }
    client.write(PropertyValue(type: .atomPair, contents: .atoms(pairs)), to: .multiple, of: window)
    client.convert(.clipboard, to: .multiple, property: .multiple, requestor: window, time: server.time)
    client.watch(window, for: .properties)
  }

  private func take(_ index: Int) {
    contents[types[index], default: TransferredContent()].take(Self.property(index), of: window, by: client)
    guard types.allSatisfy({ contents[$0]?.isComplete == true }), !isDone, let order else { return }
    isDone = true
    if writesNull, let property = order.property {
      client.write(PropertyValue(type: .null, contents: .words([])), to: property, of: order.requestor)
    }
    answer(order, with: order.property)
    for (type, bytes) in saved { give(bytes, as: type) }
  }
}
