import XDnD

/// A pin board: notes and files that are dropped on it become cards at the place of the drop.
final class Board: DropDelegate {
  struct Card: Equatable {
    var text: String
    var place: Point
  }

  private(set) var cards: [Card] = []
  private(set) var isHighlighted = false
  private(set) var isDrawerOpen = false

  static let capacity = 3
  /// The height of the upper part of the window, where nothing can be pinned.
  static let headerHeight = 40
  /// The handle of a drawer at the left edge, which opens under a resting drag.
  static let handle = Rect(x: 0, y: 100, width: 20, height: 100)

  init(_ dragAndDrop: DragAndDrop, in window: WindowID) {
    let handle = DropRegion(frame: Self.handle)
    handle.springLoading = SpringLoadingBehavior()
    handle.onSpringLoad = { [weak self] _ in self?.isDrawerOpen = true }
    dragAndDrop.registerDropTarget(
      window, accepting: DropOffer([.uriList, .plainText], operations: [.copy, .move]), delegate: self,
      regions: [handle])
  }

  func dropEntered(_ drop: DropSession) { isHighlighted = true }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    guard cards.count < Self.capacity, let place = drop.location, place.y >= Self.headerHeight else {
      return .forbidden
    }
    return drop.suggestedProposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { isHighlighted = false }

  func performDrop(_ drop: DropSession) {
    isHighlighted = false
    guard let place = drop.location else { return drop.reject() }
    if drop.types.contains(.uriList) {
      drop.load(FileList.self) { [weak self] result in
        let uris = (try? result.get())?.uris ?? []
        self?.pin(uris.compactMap { FileList.localPath(of: $0) }, at: place, from: drop)
      }
    } else {
      drop.load(String.self) { [weak self] result in
        let note = try? result.get()
        self?.pin(note.map { [$0] } ?? [], at: place, from: drop)
      }
    }
  }

  private func pin(_ texts: [String], at place: Point, from drop: DropSession) {
    let texts = texts.filter { text in !text.allSatisfy(\.isWhitespace) }
    guard !texts.isEmpty else { return drop.reject() }
    cards += texts.map { Card(text: $0, place: place) }
    drop.finish(drop.droppedOperation ?? .copy)
  }
}
