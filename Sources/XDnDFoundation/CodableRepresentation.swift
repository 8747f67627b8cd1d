import FoundationEssentials
public import XDnD

/// A representation as JSON. The counterpart of Core Transferable's `CodableRepresentation`.
public struct CodableRepresentation<Item: Codable & Sendable>: TransferRepresentation {
  /// The types of the representation, with their conversions.
  public let forms: TransferForms<Item>

  /// Creates a representation for export and import.
  ///
  /// - Parameter contentType: The application's own type. `application/json` would not tell what the JSON describes.
  public init(contentType: ContentType) {
    let representation = DataRepresentation<Item>(
      contentType: contentType, exporting: { try JSONEncoder().encode($0) },
      importing: { (data: Data) in try JSONDecoder().decode(Item.self, from: data) })
    forms = representation.forms
  }
}
