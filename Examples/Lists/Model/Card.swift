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
  static let deck: ContentType = "application/x-lists-deck"
}

/// The cards that one item of a drop becomes: the dragged card, all cards from another instance of this program, a card for
/// each file, or a card for each line of text.
struct Deck: Codable, Transferable {
  var cards: [Card]

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(importing: { (card: Card) in Deck(cards: [card]) })
    CodableRepresentation(contentType: .deck)
    ProxyRepresentation(importing: { (files: FileList) in Deck(uris: files.uris) })
    ProxyRepresentation(importing: { (text: String) in Deck(text: text) })
  }
}

extension Deck {
  /// The cards to drag, each as an item of its own. Other programs get one content of each type, and none of a type that
  /// several items have, except text. So the first of several items also stands for all cards.
  var items: [DragItem] {
    var items = cards.map { DragItem($0) }
    if items.count > 1 { items[0].promise(self) }
    return items
  }

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
