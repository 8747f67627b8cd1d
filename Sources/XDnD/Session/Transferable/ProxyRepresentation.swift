/// A representation as another value, in all representations of that value. The counterpart of Core Transferable's
/// `ProxyRepresentation`.
public struct ProxyRepresentation<Item: Sendable, Proxy: Transferable>: TransferRepresentation {
  /// The types of the representation, with their conversions.
  public let forms: TransferForms<Item>

  /// Creates a representation for export and import.
  ///
  /// - Parameters:
  ///   - exporting: Returns the other value. Called when the ``DragItem`` is created.
  ///   - importing: Creates the value from the other one. After an error, the load continues with the next
  ///     representation.
  public init(
    exporting: @escaping @Sendable (Item) -> Proxy, importing: @escaping @Sendable (Proxy) throws -> Item
  ) {
    forms = .joining([Self(exporting: exporting).forms, Self(importing: importing).forms])
  }

  /// Creates a representation for export only.
  public init(exporting: @escaping @Sendable (Item) -> Proxy) {
    let proxy = Proxy.transferForms
    forms = TransferForms(exports: { proxy.exports(exporting($0)) })
  }

  /// Creates a representation for import only.
  public init(importing: @escaping @Sendable (Proxy) throws -> Item) {
    forms = TransferForms(
      imports: Proxy.transferForms.imports.map { form in
        switch form.make {
        case .bytes(let make): .init(type: form.type, make: .bytes { try importing(make($0, $1)) })
        case .file(let make): .init(type: form.type, make: .file { try importing(make($0, $1)) })
        }
      })
  }
}
