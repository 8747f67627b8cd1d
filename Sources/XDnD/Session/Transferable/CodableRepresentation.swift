import FoundationEssentials

/// A representation as JSON.
public struct CodableRepresentation<Item: Codable & Sendable>: TransferRepresentation {
  /// What it comes to.
  public let forms: TransferForms<Item>

  /// Both ways.
  ///
  /// - Parameter contentType: A type of your own; `application/json` says nothing about what is in it.
  public init(contentType: ContentType) {
    forms = .joining([
      .exporting(as: contentType) { try Array(JSONEncoder().encode($0)) },
      .importing(from: contentType) { try JSONDecoder().decode(Item.self, from: Data($0)) },
    ])
  }
}
