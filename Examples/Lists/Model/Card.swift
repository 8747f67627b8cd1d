import XDnD
import XDnDFoundation

/// A card of a list. Between lists it keeps its colour; for other programs it is a line of text.
struct Card: Codable, Hashable, Transferable {
  enum Color: String, Codable { case blue, green, amber, red, grey }

  var title: String
  var color = Color.grey

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .card)
    ProxyRepresentation(exporting: \.title)
  }
}

extension ContentType {
  static let card: ContentType = "application/x-lists-card"
}

/// The cards that one item of a drop becomes: the dragged card, a card for each file, or a card for each line of text.
struct Deck: Transferable {
  var cards: [Card]

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(importing: { (card: Card) in Deck(cards: [card]) })
    ProxyRepresentation(importing: { (files: FileList) in Deck(uris: files.uris) })
    ProxyRepresentation(importing: { (text: String) in Deck(text: text) })
  }
}

extension Deck {
  init(uris: [String]) {
    cards = uris.map { uri in
      let path = FileList.localPath(of: uri) ?? uri
      return Card(title: path.split(separator: "/").last.map(String.init) ?? path)
    }
  }

  init(text: String) {
    cards = text.split(whereSeparator: \.isNewline).map { Card(title: String($0)) }
  }
}
