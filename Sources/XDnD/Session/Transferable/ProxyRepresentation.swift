/// A representation by another value, in all of that one's forms.
public struct ProxyRepresentation<Item: Sendable, Proxy: Transferable>: TransferRepresentation {
  /// What it comes to.
  public let forms: TransferForms<Item>

  /// Both ways.
  ///
  /// - Parameters:
  ///   - exporting: What stands for the value; called when the drag begins.
  ///   - importing: What it throws makes the load go on with the next representation.
  public init(
    exporting: @escaping @Sendable (Item) -> Proxy, importing: @escaping @Sendable (Proxy) throws -> Item
  ) {
    forms = .joining([Self(exporting: exporting).forms, Self(importing: importing).forms])
  }

  /// Out only.
  public init(exporting: @escaping @Sendable (Item) -> Proxy) {
    let proxy = Proxy.transferRepresentation.forms
    forms = TransferForms(exports: { item in
      proxy.exports(exporting(item)).map { .init(type: $0.type, provide: $0.provide) }
    })
  }

  /// In only.
  public init(importing: @escaping @Sendable (Proxy) throws -> Item) {
    forms = TransferForms(
      imports: Proxy.transferRepresentation.forms.imports.map { form in
        switch form.make {
        case .bytes(let make): .init(type: form.type, make: .bytes { try importing(make($0, $1)) })
        case .file(let make): .init(type: form.type, make: .file { try importing(make($0, $1)) })
        }
      })
  }
}
