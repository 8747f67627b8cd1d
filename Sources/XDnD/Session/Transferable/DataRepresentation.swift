/// A representation as bytes.
public struct DataRepresentation<Item: Sendable>: TransferRepresentation {
  /// What it comes to.
  public let forms: TransferForms<Item>

  /// Both ways.
  ///
  /// - Parameters:
  ///   - contentType: What the bytes are.
  ///   - exporting: Called each time that somebody asks, never before. What it throws refuses that one request.
  ///   - importing: What it throws makes the load go on with the next representation.
  public init(
    contentType: ContentType, exporting: @escaping @Sendable (Item) throws -> [UInt8],
    importing: @escaping @Sendable ([UInt8]) throws -> Item
  ) {
    forms = .joining([.exporting(as: contentType, exporting), .importing(from: contentType, importing)])
  }

  /// Out only.
  public init(exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) throws -> [UInt8]) {
    forms = .exporting(as: type, exporting)
  }

  /// Out only, by a computation that takes its time.
  public init(
    exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) async throws -> [UInt8]
  ) {
    forms = TransferForms(exports: { item in
      [.init(type: type) { $0.fulfill { try await exporting(item) } }]
    })
  }

  /// Out only, chunk by chunk, for what shall never be in memory as a whole.
  ///
  /// - Parameters:
  ///   - type: What the bytes are.
  ///   - chunks: Called each time that somebody asks. A sequence that throws fails that one transfer.
  public init<Chunks: AsyncSequence & Sendable>(
    exportedContentType type: ContentType, exportingChunks chunks: @escaping @Sendable (Item) -> Chunks
  ) where Chunks.Element == [UInt8], Chunks.Failure == any Error {
    forms = TransferForms(exports: { item in [.init(type: type) { $0.fulfill(chunks: chunks(item)) }] })
  }

  /// In only.
  public init(importedContentType type: ContentType, importing: @escaping @Sendable ([UInt8]) throws -> Item) {
    forms = .importing(from: type, importing)
  }
}

extension TransferForms {
  static func exporting(
    as type: ContentType, _ exporting: @escaping @Sendable (Item) throws -> [UInt8]
  ) -> TransferForms<Item> {
    TransferForms(exports: { item in
      [
        Export(type: type) { request in
          guard let bytes = try? exporting(item) else { return request.refuse() }
          request.fulfill(bytes)
        }
      ]
    })
  }

  static func importing(
    from type: ContentType, _ importing: @escaping @Sendable ([UInt8]) throws -> Item
  ) -> TransferForms<Item> {
    TransferForms(imports: [Import(type: type, make: .bytes { bytes, _ in try importing(bytes) })])
  }
}
