/// A file whose contents are transferred. The counterpart of Core Transferable's type of the same name.
///
/// There is no `allowAccessingOriginalFile`: the receiver gets the contents, and never the file.
public struct SentTransferredFile: Hashable, Sendable {
  /// The path of the file, which must exist until its contents have been read: perhaps long after the drop.
  public let path: String

  /// Creates a value for the file at a path.
  public init(_ path: String) { self.path = path }
}

/// A temporary file with received contents. The counterpart of Core Transferable's type of the same name.
public struct ReceivedTransferredFile: Hashable, Sendable {
  /// The path of the file, which is removed when the closure that receives it returns.
  public let path: String
}

/// A representation as the contents of a file, which are transferred part by part: large content is never in memory as
/// a whole. The counterpart of Core Transferable's `FileRepresentation`.
///
/// Only the contents are transferred. To drag the file itself, drag a ``FileList``.
public struct FileRepresentation<Item: Sendable>: TransferRepresentation {
  /// The types of the representation, with their conversions.
  public let forms: TransferForms<Item>

  /// Creates a representation for export and import.
  ///
  /// - Parameters:
  ///   - contentType: The type of the file's contents.
  ///   - exporting: Returns the file. Called for each request. An error refuses the request.
  ///   - importing: Creates a value from a temporary file. After an error, the load continues with the next
  ///     representation.
  public init(
    contentType: ContentType, exporting: @escaping @Sendable (Item) throws -> SentTransferredFile,
    importing: @escaping @Sendable (ReceivedTransferredFile) throws -> Item
  ) {
    forms = .joining([
      FileRepresentation(exportedContentType: contentType, exporting: exporting).forms,
      FileRepresentation(importedContentType: contentType, importing: importing).forms,
    ])
  }

  /// Creates a representation for export only.
  public init(
    exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) throws -> SentTransferredFile
  ) {
    forms = .exporting(as: type) { item, request in
      guard let file = try? exporting(item) else { return request.refuse() }
      request.fulfill(contentsOfFile: file.path)
    }
  }

  /// Creates a representation for import only.
  public init(
    importedContentType type: ContentType, importing: @escaping @Sendable (ReceivedTransferredFile) throws -> Item
  ) {
    forms = TransferForms(imports: [
      .init(type: type, make: .file { path, _ in try importing(ReceivedTransferredFile(path: path)) })
    ])
  }
}
