/// A first-in, first-out queue. Removes the first element in amortized constant time.
struct Queue<Element> {
  /// The first elements in reverse order.
  private var front: [Element] = []
  private var back: [Element] = []

  var isEmpty: Bool { front.isEmpty && back.isEmpty }

  var first: Element? { front.last ?? back.first }

  mutating func append(_ element: Element) { back.append(element) }

  mutating func popFirst() -> Element? {
    if front.isEmpty { (front, back) = (back.reversed(), []) }
    return front.popLast()
  }

  func contains(where isMatch: (Element) -> Bool) -> Bool {
    front.contains(where: isMatch) || back.contains(where: isMatch)
  }

  mutating func removeAll(where isMatch: (Element) -> Bool) {
    front.removeAll(where: isMatch)
    back.removeAll(where: isMatch)
  }

  /// Replaces each element; `nil` removes it.
  mutating func replaceAll(_ replacement: (Element) -> Element?) {
    front = front.reversed().compactMap(replacement).reversed()
    back = back.compactMap(replacement)
  }
}
