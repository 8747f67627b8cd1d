extension CandidateLoad where Content: Transferable {
  /// Requests one representation after another until one arrives and can be decoded.
  func begin(with offered: [ContentType]) {
    let steps = Self.steps(for: offered, database: provider.loads?.typeDatabase ?? .builtIn)
    let candidates = steps.map { type, form in
      let form: Form =
        switch form.make {
        case .bytes(let make):
          .bytes { [self] content throws(XDnDError) in
            let (bytes, encoding) = readable(content)
            return try Self.value(of: type) { try make(bytes, encoding) }
          }
        case .file(let make):
          .file { path throws(XDnDError) in try Self.value(of: type) { try make(path, type) } }
        }
      return Candidate(type: type, form: form)
    }
    request(
      candidates[...],
      ifNone: XDnDError(.transferRefused, "nothing that is offered can be made into \(Content.self)"))
  }

  static func steps(
    for offered: [ContentType], database: TypeDatabase
  ) -> [(offered: ContentType, form: TransferForms<Content>.Import)] {
    let imports = Content.transferForms.imports
    let candidates = Negotiation(wanted: imports.map(\.type), offered: offered, database: database).candidates
    // HTML conforms to text, but a value that reads both types reads it better as HTML. Types that only conform come
    // last, and are read as what they are.
    let (exact, conforming) = (
      candidates.filter { $0.relation != .conformance }, candidates.filter { $0.relation == .conformance }
    )
    return (exact + conforming).flatMap { candidate in
      let own = candidate.relation == .conformance ? imports.filter { $0.type == candidate.offered } : []
      return (own.isEmpty ? imports.filter { $0.type == candidate.wanted } : own).map { (candidate.offered, $0) }
    }
  }

  private static func value(of type: ContentType, _ make: () throws -> Content) throws(XDnDError) -> Content {
    do {
      return try make()
    } catch {
      throw XDnDError(.transferFailed, "what came of \(type) cannot be read: \(error)")
    }
  }

  /// The bytes in an encoding that the value can decode, and the type to decode them as.
  ///
  /// For `TEXT`, the property's type names the encoding. For other types the requested type counts: tkdnd delivers a
  /// list of URIs with the property type `UTF8_STRING`.
  private func readable(_ content: LoadedContent) -> ([UInt8], ContentType) {
    let isText = PlainText.isForm(content.requestedType)
    let type = isText && PlainText.reads(content.type) ? content.type : content.requestedType
    // Full compound text needs Xlib's tables.
    guard type == "COMPOUND_TEXT", let system = provider.loads?.reactor.system,
      let text = system.text(fromCompoundText: content.bytes)
    else { return (content.bytes, type) }
    return (Array(text.utf8), .utf8String)
  }
}
