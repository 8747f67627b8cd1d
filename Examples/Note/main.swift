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
    let id = WindowID(window)
    let offer = DropOffer(for: DroppedText.self, operations: [.copy, .move])
    dragAndDrop.registerDropTarget(id, accepting: offer, delegate: self)
    dragAndDrop.onDrag(in: id) { [unowned self, unowned dragAndDrop] _ in
      guard press == .dragging else { return [] }
      press = .none
      var item = DragItem(String(text.characters[text.selection]))
      item.operations = [.copy, .move]
      item.localContext = text
      item.preview = dragAndDrop.image(ofWindow: id, area: selectionFrame, hotspot: Point(x: -10, y: -16))
      return [item]
    } ended: { [unowned self] drag, outcome in
      // A drop in the note has moved the text already.
      guard outcome == .dropped(.move), drag.relation == .otherApplication, let part = part(of: drag) else { return }
      text.replace(part, with: "")
    }
  }

  /// The dragged part of the note; `nil` for other content, and if the note has changed since the drag began.
  private func part(of drag: DragSession?) -> Range<Int>? {
    (drag?.items[0].localContext as? NoteText).flatMap { $0.characters == text.characters ? $0.selection : nil }
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    guard drop.bestType != nil, let location = drop.location else { return .forbidden }
    let place = place(at: location)
    // Some programs request a move without any key, and of a file or a contact the note takes only a part.
    var proposal = drop.localDrag == nil ? .accept(.copy) : drop.suggestedProposal
    // A drop in the text that it would move does nothing.
    let moved = proposal.operation == .move ? part(of: drop.localDrag) : nil
    insertionPoint = moved.map { $0.lowerBound...$0.upperBound ~= place } == true ? nil : place
    // The drag image makes way for the insertion point.
    proposal.markedRegion = caretFrame(at: place)
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
      text.replace((place..<place).clamped(to: text.characters.indices), with: dropped.text)
      drop.finish(drop.droppedOperation ?? .copy)
    }
  }
}

func exit(_ status: Int32, _ message: String) -> Never {
  write(status == EX_OK ? STDOUT_FILENO : STDERR_FILENO, message, message.utf8.count)
  exit(status)
}

if let argument = CommandLine.arguments.dropFirst().first {
  if ["-h", "--help"].contains(argument) { exit(EX_OK, "Shows a note to drag text from and to.\n\nUsage: Note\n") }
  exit(EX_USAGE, "Note: unknown argument \(argument); see --help\n")
}
setlocale(LC_CTYPE, "")  // The fonts depend on it.
guard let dragAndDrop = try? DragAndDrop(connectingTo: nil), let display = dragAndDrop.display else {
  exit(EX_UNAVAILABLE, "Note: cannot connect to the X server; DISPLAY may be wrong\n")
}
let note = NoteWindow("Drag words from here,\nand drop others between these letters.\n\nLast line", on: display)
note.enable(dragAndDrop)
dragAndDrop.onOtherEvent = { note.handle($0.load(as: XEvent.self)) }
XMapWindow(display, note.window)
try dragAndDrop.run { note.isOpen }
