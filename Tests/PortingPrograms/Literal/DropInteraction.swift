import XDnD
import XDnDFoundation

typealias UIDropInteraction = DropInteraction
typealias UIDropSession = DropSession
typealias UIDropProposal = DropProposal

final class QuoteDropDelegate: DropInteractionDelegate {
  private(set) var quotes: [String] = []
  private(set) var isHighlighted = false
  private let capacity = 2

  private var isFull: Bool {
    quotes.count >= capacity
  }

  func dropInteraction(_ interaction: UIDropInteraction, canHandle session: UIDropSession) -> Bool {
    !isFull && session.canLoadObjects(ofClass: String.self)
  }

  func dropInteraction(_ interaction: UIDropInteraction, sessionDidEnter session: UIDropSession) {
    isHighlighted = true
  }

  func dropInteraction(_ interaction: UIDropInteraction, sessionDidUpdate session: UIDropSession) -> UIDropProposal {
    UIDropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: UIDropInteraction, sessionDidExit session: UIDropSession) {
    isHighlighted = false
  }

  func dropInteraction(_ interaction: UIDropInteraction, performDrop session: UIDropSession) {
    _ = session.loadObjects(ofClass: String.self) { quotes in
      self.quotes += quotes
    }
  }

  func dropInteraction(_ interaction: UIDropInteraction, sessionDidEnd session: UIDropSession) {
    isHighlighted = false
  }
}

// MARK: The view

func acceptQuotes(in window: WindowID, _ dragAndDrop: DragAndDrop, delegate: QuoteDropDelegate) {
  dragAndDrop.add(DropInteraction(delegate: delegate), to: window)
}
