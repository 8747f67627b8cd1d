/// A representation as the content of a file, which is read part by part when somebody asks, and written part by part
/// when it arrives: for content that shall never be in memory as a whole.
///
/// It is the content that travels. To drag the file itself, drag a ``FileList``.
public struct FileRepresentation<Item: Sendable>: TransferRepresentation {
  /// What it comes to.
  public let forms: TransferForms<Item>

  /// Both ways.
  ///
  /// - Parameters:
  ///   - contentType: What the file contains.
  ///   - exporting: The path of the file; called each time that somebody asks.
  ///   - importing: Gets the path of a temporary file, which is removed when it returns.
  public init(
    contentType: ContentType, exporting: @escaping @Sendable (Item) throws -> String,
    importing: @escaping @Sendable (_ path: String) throws -> Item
  ) {
    forms = .joining([
      FileRepresentation(exportedContentType: contentType, exporting: exporting).forms,
      FileRepresentation(importedContentType: contentType, importing: importing).forms,
    ])
  }

  /// Out only.
  public init(exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) throws -> String) {
    forms = TransferForms(exports: { item in
      [
        .init(type: type) { request in
          guard let path = try? exporting(item) else { return request.refuse() }
          request.fulfill(contentsOfFile: path)
        }
      ]
    })
  }

  /// In only.
  public init(
    importedContentType type: ContentType, importing: @escaping @Sendable (_ path: String) throws -> Item
  ) {
    forms = TransferForms(imports: [.init(type: type, make: .file { path, _ in try importing(path) })])
  }
}
