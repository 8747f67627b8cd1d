public import FoundationEssentials
public import XDnD

extension LoadedContent {
  /// The content as `Data`: a copy of `bytes`.
  public var data: Data { Data(bytes) }
}

extension DragItem {
  /// Adds a representation of lower fidelity than the existing ones. Does nothing if the type is already there.
  ///
  /// - Parameters:
  ///   - type: The type of the content.
  ///   - data: The content. A copy is kept in memory until the drag is released.
  public mutating func promise(_ type: ContentType, data: Data) {
    promise(type, bytes: Array(data))
  }
}

extension DataRequest {
  /// Answers the request.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - propertyType: The type of the property, if it differs from the requested type.
  public func fulfill(_ data: Data, as propertyType: ContentType? = nil) {
    fulfill(Array(data), as: propertyType)
  }
}

// Disfavored: a closure that fits both overloads returns bytes, as it does without this module.
extension DataRepresentation {
  /// Creates a representation for export and import.
  ///
  /// - Parameters:
  ///   - contentType: The type of the data.
  ///   - exporting: Returns the data. Called for each request, not in advance. An error refuses the request.
  ///   - importing: Creates a value from data. After an error, the load continues with the next representation.
  @_disfavoredOverload
  public init(
    contentType: ContentType, exporting: @escaping @Sendable (Item) throws -> Data,
    importing: @escaping @Sendable (Data) throws -> Item
  ) {
    self.init(
      contentType: contentType, exporting: { (item: Item) throws -> [UInt8] in Array(try exporting(item)) },
      importing: { (bytes: [UInt8]) in try importing(Data(bytes)) })
  }

  /// Creates a representation for export only.
  @_disfavoredOverload
  public init(exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) throws -> Data) {
    self.init(exportedContentType: type) { (item: Item) throws -> [UInt8] in Array(try exporting(item)) }
  }

  /// Creates a representation for export only, with an asynchronous closure: it runs in a new task for each request.
  @_disfavoredOverload
  public init(exportedContentType type: ContentType, exporting: @escaping @Sendable (Item) async throws -> Data) {
    self.init(exportedContentType: type) { (item: Item) async throws -> [UInt8] in Array(try await exporting(item)) }
  }

  /// Creates a representation for import only.
  @_disfavoredOverload
  public init(importedContentType type: ContentType, importing: @escaping @Sendable (Data) throws -> Item) {
    self.init(importedContentType: type) { (bytes: [UInt8]) in try importing(Data(bytes)) }
  }
}
