/// A representation by the contents of a file. They are transferred part by part, so that large content is never in
/// memory as a whole. The counterpart of Core Transferable's `FileRepresentation`.
///
/// Only the contents are transferred. To drag the file itself, drag a ``FileList``.
public struct FileRepresentation<Item: Sendable>: TransferRepresentation {
  /// The types of the representation, with their conversions.
  public let forms: TransferForms<Item>

  /// Creates a representation for export and import.
  ///
  /// - Parameters:
  ///   - contentType: The type of the file's contents.
  ///   - exporting: Returns the path of the file. Called for each request. An error refuses the request.
  ///   - importing: Creates a value from a temporary file, which is removed when the closure returns. After an error,
  ///     the load continues with the next representation.
  public init(
    contentType: ContentType, exporting: @escaping @Sendable (Item) throws -> String,
    importing: @escaping @Sendable (_ path: String) throws -> Item
  ) {
    forms = .joining([
      FileRepresentation(exportedContentType: contentType, exporting: exporting).forms,
      FileRepresentation(importedContentType: contentType, importing: importing).forms,
    ])
  }

  /// Creates a representation for export only.
  public init(exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) throws -> String) {
    forms = .exporting(as: type) { item, request in
      guard let path = try? exporting(item) else { return request.refuse() }
      request.fulfill(contentsOfFile: path)
    }
  }

  /// Creates a representation for import only.
  public init(
    importedContentType type: ContentType, importing: @escaping @Sendable (_ path: String) throws -> Item
  ) {
    forms = TransferForms(imports: [.init(type: type, make: .file { path, _ in try importing(path) })])
  }
}
