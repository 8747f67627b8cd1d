// Six wishes of drag and drop, each in a file of its own. This file, `HostWindow` and `RowList` are the program around
// them: a window, an event loop and rows of text.
//
//   consumer-wishes WISH [WIDTHxHEIGHT+X+Y [MEBIBYTES]]
import Glibc
import XDnD

let arguments = CommandLine.arguments.dropFirst() + ["", "", ""]
let (wish, geometry, mebibytes) = (arguments[1], arguments[2], Int(arguments[3]) ?? 1024)

let host = try HostWindow(title: wish, geometry: geometry)
switch wish {
case "pictures": takePictures(host.dragAndDrop, in: host.id)
case "move-by-modifier": moveByModifier(host.dragAndDrop, in: host.id)
case "own-preview":
  dragWithOwnPreview(host.dragAndDrop, in: host.id, color: Color(red: 0, green: 0x8080, blue: 0x8080))
case "paste-as-text":
  pasteAsText(
    host.dragAndDrop.clipboard, in: host, copying: StyledText(html: "<b>bold</b>"), "/etc/hostname",
    Link(url: "https://www.x.org/"))
case "reorder": _ = Reordering(RowList(["one", "two", "three", "four"], in: host), host.dragAndDrop)
case "big-promise": promiseBigFile(host.dragAndDrop, in: host, mebibytes: mebibytes)
default:
  show("usage: consumer-wishes pictures|move-by-modifier|own-preview|paste-as-text|reorder|big-promise [GEOMETRY]")
  exit(64)
}
try host.run()
