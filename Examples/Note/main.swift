// A note: a few lines of text, which can be selected, typed and undone, dragged, and dropped on between letters.
//
// Double click or draw over text to select it, and drag the selection. Within the note it is moved, with Ctrl copied; to
// other programs it is copied, with Shift moved, and from them copied. Ctrl+Z and Ctrl+Shift+Z undo and redo.
import XDnDX11
import Glibc
import XDnD

/// What a drop inserts: text, in the style of the note, or the part of other content that has a place in it.
struct DroppedText: Transferable {
  var text: String

  static var transferRepresentation: some TransferRepresentation {
    // The name and the mail address.
    ProxyRepresentation(importing: { (contact: ContactCard) in DroppedText(text: contact.text) })
    // The paths of files, and the URLs of links.
    ProxyRepresentation(importing: { (files: FileList) in
      DroppedText(text: files.uris.map { FileList.localPath(of: $0) ?? $0 }.joined(separator: "\n"))
    })
    ProxyRepresentation(importing: { (text: String) in DroppedText(text: text) })
  }
}

extension NoteWindow: DropDelegate {
  /// Lets the selected text be dragged, and text be dropped.
  func enable(_ dragAndDrop: DragAndDrop) {
    let id = WindowID(rawValue: UInt32(window))
    let offer = DropOffer(for: DroppedText.self, operations: [.copy, .move])
    dragAndDrop.registerDropTarget(id, accepting: offer, delegate: self)
    dragAndDrop.onDrag(in: id) { [unowned self, unowned dragAndDrop] _ in
      guard press == .dragging else { return [] }
      press = .none
      var item = DragItem(String(text.characters[text.selection]))
      item.operations = [.copy, .move]
      item.localContext = text
      item.preview = dragAndDrop.image(ofWindow: id, area: selectionFrame)
      return [item]
    } ended: { [unowned self] drag, outcome in
      // A drop in the note has moved the text already.
      guard outcome == .dropped(.move), drag.relation == .otherApplication, let part = part(of: drag) else { return }
      text.replace(part, with: "")
    }
  }

  /// The dragged part of the note; `nil` for other content, and if the note has changed since the drag began.
  private func part(of drag: DragSession?) -> Range<Int>? {
    guard let start = drag?.items[0].localContext as? NoteText, start.characters == text.characters else { return nil }
    return start.selection
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    guard drop.bestType != nil, let location = drop.location else { return .forbidden }
    let place = place(at: location)
    insertionPoint = place
    // Some programs request a move without any key, and of a file or a contact the note takes only a part.
    var proposal = drop.localDrag == nil ? .accept(.copy) : drop.suggestedProposal
    // The drag image makes way for the insertion point.
    let (root, caret) = (drop.rootLocation, caretFrame(at: place))
    proposal.markedRegion = Rect(
      x: root.x - location.x + caret.origin.x, y: root.y - location.y + caret.origin.y, width: caret.width,
      height: caret.height)
    return proposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { insertionPoint = nil }

  func performDrop(_ drop: DropSession) {
    let place = insertionPoint ?? text.caret
    insertionPoint = nil
    if drop.droppedOperation == .move, let part = part(of: drop.localDrag) {
      text.move(part, to: place)
      return drop.finish(.move)
    }
    drop.load(DroppedText.self, limit: 1 << 16) { [self] result in
      guard case .success(let dropped) = result else { return drop.reject() }
      // Meanwhile the note may have become shorter.
      let place = min(place, text.characters.count)
      text.replace(place..<place, with: dropped.text)
      drop.finish(drop.droppedOperation ?? .copy)
    }
  }
}

setlocale(LC_CTYPE, "")  // The fonts depend on it.
let dragAndDrop = try DragAndDrop(connectingTo: nil)
guard let display = dragAndDrop.display else { fatalError("no display") }
let note = NoteWindow("Drag words from here,\nand drop others between these letters.\n\nLast line", on: display)
note.enable(dragAndDrop)
dragAndDrop.onOtherEvent = { note.handle($0.load(as: XEvent.self)) }
XMapWindow(display, note.window)
try dragAndDrop.run { note.isOpen }
