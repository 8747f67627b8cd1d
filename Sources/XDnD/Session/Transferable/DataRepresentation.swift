/// A representation as bytes in memory, or as a stream of chunks. The counterpart of Core Transferable's
/// `DataRepresentation`.
public struct DataRepresentation<Item: Sendable>: TransferRepresentation {
  /// The types of the representation, with their conversions.
  public let forms: TransferForms<Item>

  /// Creates a representation for export and import.
  ///
  /// - Parameters:
  ///   - contentType: The type of the bytes.
  ///   - exporting: Returns the bytes. Called for each request, not in advance. An error refuses the request.
  ///   - importing: Creates a value from bytes. After an error, the load continues with the next representation.
  public init(
    contentType: ContentType, exporting: @escaping @Sendable (Item) throws -> [UInt8],
    importing: @escaping @Sendable ([UInt8]) throws -> Item
  ) {
    forms = .joining([.exporting(as: contentType, exporting), .importing(from: contentType, importing)])
  }

  /// Creates a representation for export only.
  public init(exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) throws -> [UInt8]) {
    forms = .exporting(as: type, exporting)
  }

  /// Creates a representation for export only, with an asynchronous closure: it runs in a new task for each request.
  public init(
    exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) async throws -> [UInt8]
  ) {
    forms = .exporting(as: type) { item, request in request.fulfill { try await exporting(item) } }
  }

  /// Creates a representation for export only, chunk by chunk, for content that should not be in memory as a whole.
  ///
  /// - Parameters:
  ///   - type: The type of the bytes.
  ///   - chunks: Returns the chunks. Called for each request. An error that the sequence throws fails the transfer.
  public init<Chunks: AsyncSequence & Sendable>(
    exportedContentType type: ContentType, exportingChunks chunks: @escaping @Sendable (Item) -> Chunks
  ) where Chunks.Element == [UInt8], Chunks.Failure == any Error {
    forms = .exporting(as: type) { item, request in request.fulfill(chunks: chunks(item)) }
  }

  /// Creates a representation for import only.
  public init(importedContentType type: ContentType, importing: @escaping @Sendable ([UInt8]) throws -> Item) {
    forms = .importing(from: type, importing)
  }
}

extension TransferForms {
  static func exporting(
    as type: ContentType, _ provide: @escaping @Sendable (Item, DataRequest) -> Void
  ) -> TransferForms<Item> {
    TransferForms(exports: { item in [TransferExport(type: type) { provide(item, $0) }] })
  }

  static func exporting(
    as type: ContentType, _ bytes: @escaping @Sendable (Item) throws -> [UInt8]
  ) -> TransferForms<Item> {
    exporting(as: type) { item, request in
      guard let bytes = try? bytes(item) else { return request.refuse() }
      request.fulfill(bytes)
    }
  }

  static func importing(
    from type: ContentType, _ importing: @escaping @Sendable ([UInt8]) throws -> Item
  ) -> TransferForms<Item> {
    TransferForms(imports: [Import(type: type, make: .bytes { bytes, _ in try importing(bytes) })])
  }
}
