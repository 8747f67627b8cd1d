/// Reads what the source of a drag offers, without waiting: one round trip, and another one if atoms have unknown names.
struct OfferReader {
  private let display: DisplayHandle
  private let atoms: AtomTable
  private let properties: Properties

  init(_ display: DisplayHandle, _ atoms: AtomTable, _ properties: Properties) {
    self.display = display
    self.atoms = atoms
    self.properties = properties
  }

  /// - Parameter typeList: Whether to read the type list, too.
  func read(of source: WindowID, typeList: Bool, _ receive: @escaping (SourceOffer) -> Void) {
    var (types, operations): ([Atom]?, [Atom]?)
    var descriptions: [UInt8] = []
    var batch = RequestBatch(display)
    if typeList { askList(.xdndTypeList, of: source, in: &batch) { types = $0 } }
    askList(.xdndActionList, of: source, in: &batch) { operations = $0 }
    properties.ask(for: .xdndActionDescription, of: source, limit: SourceOffer.descriptionLimit, in: &batch) { value in
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
    properties.askWords(in: property, of: source, type: .atom, limit: SourceOffer.listLimit, in: &batch) { words in
      receive(words?.map(Atom.init(rawValue:)).filter { $0 != .none })
    }
  }
}
