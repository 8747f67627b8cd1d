import Foundation
import Observation
import XDnD
import XDnDFoundation

extension UTType {
  static var todo: UTType { UTType(exportedAs: "com.example.todo") }
}

struct Todo: Codable, Equatable, Identifiable {
  let id: Int
  let title: String

  func itemProvider() -> NSItemProvider {
    let provider = NSItemProvider()
    provider.registerDataRepresentation(for: .todo, visibility: .all) { completion in
      do {
        completion(try JSONEncoder().encode(self), nil)
      } catch {
        completion(nil, error)
      }
      return nil
    }
    provider.registerDataRepresentation(for: .plainText, visibility: .all) { completion in
      completion(Data(title.utf8), nil)
      return nil
    }
    return provider
  }
}

@Observable
final class TodoList {
  private(set) var todos: [Todo]
  var isTargeted = false

  init(_ todos: [Todo]) {
    self.todos = todos
  }

  func take(_ todo: Todo, from other: TodoList) {
    other.todos.removeAll { $0.id == todo.id }
    todos.append(todo)
  }
}

struct TodoDropDelegate: DropDelegate {
  let list: TodoList
  let other: TodoList

  func validateDrop(info: DropInfo) -> Bool {
    info.hasItemsConforming(to: [.todo])
  }

  func dropEntered(info: DropInfo) {
    list.isTargeted = true
  }

  func dropUpdated(info: DropInfo) -> DropProposal? {
    DropProposal(operation: .move)
  }

  func dropExited(info: DropInfo) {
    list.isTargeted = false
  }

  func performDrop(info: DropInfo) -> Bool {
    list.isTargeted = false
    guard let provider = info.itemProviders(for: [.todo]).first else { return false }
    _ = provider.loadDataRepresentation(for: .todo) { data, error in
      guard let data, let todo = try? JSONDecoder().decode(Todo.self, from: data) else { return }
      list.take(todo, from: other)
    }
    return true
  }
}

// MARK: The view

func show(_ list: TodoList, other: TodoList, _ dragAndDrop: DragAndDrop, in window: WindowID, frame: Rect) {
  let rowHeight = 20
  for row in 0..<frame.height / rowHeight {
    let place = Rect(x: frame.origin.x, y: frame.origin.y + row * rowHeight, width: frame.width, height: rowHeight)
    dragAndDrop.onDrag(operations: [.copy, .move], in: window, frame: place) {
      list.todos.dropFirst(row).first?.itemProvider() ?? NSItemProvider()
    }
  }
  dragAndDrop.onDrop(
    of: [.todo], operations: [.copy, .move], in: window, frame: frame,
    delegate: TodoDropDelegate(list: list, other: other))
}
