import Foundation
import XDnD
import XDnDFoundation

struct Recipe {
  let title: String
  let steps: [String]

  func itemProvider() -> DragItem {
    var provider = DragItem()
    provider.registerDataRepresentation(for: .html, visibility: .all) { completion in
      completion(Data(html.utf8), nil)
      return nil
    }
    provider.registerDataRepresentation(for: .plainText, visibility: .all) { completion in
      completion(Data(text.utf8), nil)
      return nil
    }
    return provider
  }

  private var html: String {
    "<h1>\(title)</h1><ol>" + steps.map { "<li>\($0)</li>" }.joined() + "</ol>"
  }

  private var text: String {
    ([title] + steps).joined(separator: "\n")
  }
}

// MARK: The view

func show(_ recipe: Recipe, _ dragAndDrop: DragAndDrop, in window: WindowID) {
  dragAndDrop.onDrag(in: window) { _ in [recipe.itemProvider()] }
}
