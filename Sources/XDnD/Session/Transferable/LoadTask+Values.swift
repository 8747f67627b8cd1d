/// Loads of ``Transferable`` values.
extension LoadTask {
  /// Loads a value from the best representation that arrives and can be decoded.
  func value<Value: Transferable>(
    of offered: [ContentType], from origin: ContentProvider, limit: Int?,
    then: @escaping (Result<Value, XDnDError>) -> Void
  ) {
    let candidates = Value.candidates(among: offered, database: origin.typeDatabase).map { type, form in
      let form: Candidate<Value>.Form =
        switch form.make {
        case .bytes(let make):
          .bytes { content throws(XDnDError) in
            let (bytes, encoding) = origin.readable(content)
            return try Value.made(of: type) { try make(bytes, encoding) }
          }
        case .file(let make): .file { path throws(XDnDError) in try Value.made(of: type) { try make(path, type) } }
        }
      return Candidate(type: type, form: form)
    }
    first(
      of: candidates[...], from: origin, limit: limit,
      orElse: XDnDError(.transferRefused, "nothing that is offered can be made into \(Value.self)"), then: then)
  }

  /// Loads a value from each of several items, one after another, up to the first failure.
  func values<Value: Transferable>(
    of items: [ContentProvider], limit: Int?, then: @escaping (Result<[Value], XDnDError>) -> Void
  ) {
    var (values, rest): ([Value], ArraySlice<ContentProvider>) = ([], items[...])
    func next() {
      guard let item = rest.popFirst() else { return then(.success(values)) }
      value(of: item.offeredTypes ?? [], from: item, limit: limit) { [self] (result: Result<Value, XDnDError>) in
        switch result {
        case .success(let value):
          endItem()
          values.append(value)
          next()
        case .failure(let error): then(.failure(error))
        }
      }
    }
    next()
  }
}

extension Transferable {
  /// The offered types from which a value can be created, best first.
  static func candidates(
    among offered: [ContentType], database: TypeDatabase
  ) -> [(offered: ContentType, form: TransferForms<Self>.Import)] {
    let imports = transferForms.imports
    let candidates = Negotiation(wanted: imports.map(\.type), offered: offered, database: database).candidates
    // Types that only conform come last. HTML conforms to text, but a value that imports both types reads it as HTML.
    let (exact, conforming) = (
      candidates.filter { $0.relation != .conformance }, candidates.filter { $0.relation == .conformance }
    )
    return (exact + conforming).flatMap { candidate in
      let own = candidate.relation == .conformance ? imports.filter { $0.type == candidate.offered } : []
      return (own.isEmpty ? imports.filter { $0.type == candidate.wanted } : own).map { (candidate.offered, $0) }
    }
  }

  fileprivate static func made(of type: ContentType, _ make: () throws -> Self) throws(XDnDError) -> Self {
    do {
      return try make()
    } catch {
      throw XDnDError(.transferFailed, "cannot read the received \(type): \(error)")
    }
  }
}

extension ContentProvider {
  /// The bytes in an encoding that a value can decode, and the type to decode them as.
  ///
  /// For text, the property's type names the encoding if it is a text type. Otherwise the requested type is used:
  /// tkdnd delivers a list of URIs with the property type `UTF8_STRING`.
  fileprivate func readable(_ content: LoadedContent) -> ([UInt8], ContentType) {
    let isText = PlainText.isForm(content.requestedType)
    let type = isText && PlainText.reads(content.type) ? content.type : content.requestedType
    // Full compound text needs Xlib's tables.
    guard type == "COMPOUND_TEXT", let system = context?.reactor.system,
      let text = system.text(fromCompoundText: content.bytes)
    else { return (content.bytes, type) }
    return (Array(text.utf8), .utf8String)
  }
}
