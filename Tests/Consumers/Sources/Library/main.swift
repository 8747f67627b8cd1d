// A program with its own module of Xlib. Without a display it builds an item only.
import CX11
import XDnD

struct Note: Transferable {
  var text: String

  static var transferRepresentation: some TransferRepresentation<Note> {
    DataRepresentation(
      contentType: "application/x-note", exporting: { Array($0.text.utf8) },
      importing: { Note(text: String(decoding: $0, as: UTF8.self)) })
    ProxyRepresentation(exporting: \.text, importing: Note.init(text:))
  }
}

let item = DragItem(Note(text: "note"))
print(item.types[0])

if let display = XOpenDisplay(nil) {
  let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 100, 100, 0, 0, 0)
  let dragAndDrop = try DragAndDrop(borrowing: display)
  let id = WindowID(window)
  dragAndDrop.onDrag(in: id) { _ in [item] }
  dragAndDrop.onDrop(of: [.plainText], in: id) { drop in
    drop.load(Note.self) { _ in drop.finish(.copy) }
  }
  XMapWindow(display, window)
  try dragAndDrop.process()
}
