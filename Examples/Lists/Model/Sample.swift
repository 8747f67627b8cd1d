extension CardBoard {
  /// What the program begins with.
  static var sample: CardBoard {
    CardBoard([
      (
        "Kitchen",
        [
          (
            "To buy",
            cards(
              "Apples", "Bread", "Butter", "Carrots", "Cheese", "Coffee", "Eggs", "Honey", "Lemons", "Milk", "Olives",
              "Peppers", "Rice", "Tomatoes")
          ),
          ("In the basket", cards("Onions", "Tea")),
        ]
      ),
      ("Journey", [("To pack", cards("Camera", "Map", "Raincoat")), ("In the bag", cards("Passport"))]),
      ("Garden", [("To plant", cards("Beans", "Sunflowers")), ("Planted", cards("Pumpkins", "Mint"))]),
    ])
  }

  private static func cards(_ titles: String...) -> [Card] {
    let colors: [Card.Color] = [.red, .amber, .blue, .green]
    return titles.enumerated().map { Card(title: $1, color: colors[$0 % colors.count]) }
  }
}
