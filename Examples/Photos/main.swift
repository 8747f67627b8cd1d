// A window with photos that can be dragged, alone or together. It shows the drag images, and makes the documentation's
// pictures.
//
//   Photos [--formation automatic|pile|stack|list|none] [--count N] [--scale S] [--slow FACTOR]
//          [--outside plain|disappearing] [--bare]
//
// A press on a photo drags it; a press beside the photos drags all. --count is the number of items, of which the first
// nine are shown. --outside is the cursor where nothing takes drops. --bare shows the cursor without a drag image.
import XDnDX11
import Glibc
import XDnD

var formation = DragFormation.automatic
var count = 3
var scale = 1.0
var slowness = 1.0
var outside = DragSession.CursorOutside.notAllowed
var configuration = Configuration()

var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  // The only option without a value.
  if option == "--bare" {
    configuration.showsDragImages = false
    continue
  }
  switch (option, arguments.popFirst() ?? "") {
  case ("--formation", let name):
    guard let known = DragFormation.allCases.first(where: { "\($0)" == name }) else { usage() }
    formation = known
  case ("--count", let value): count = max(1, Int(value) ?? 1)
  case ("--scale", let value): scale = Double(value) ?? 1
  case ("--slow", let value): slowness = max(1, Double(value) ?? 1)
  case ("--outside", let name): outside = DragSession.CursorOutside.allCases.first { "\($0)" == name } ?? outside
  default: usage()
  }
}

func usage() -> Never {
  print("usage: see the first lines of Examples/Photos/main.swift")
  exit(64)
}

configuration.animationSpeed = 1 / slowness
let dnd = try DragAndDrop(connectingTo: nil, configuration: configuration)
guard let display = dnd.display else { fatalError("no display") }

let photos = (0..<min(count, 9)).map { Photo(number: $0, scale: scale) }
let table = Table(photos: photos, columns: min(photos.count, 3), scale: scale, on: display)
let window = WindowID(table.window)

let interaction = dnd.onDrag(in: window) { press in
  let chosen = table.photo(at: press.location).map { [$0] } ?? Array(photos.indices)
  return chosen.map { index in
    var item = DragItem(files: ["/tmp/photo-\(index + 1).png"])
    item.operations = [.copy, .move, .link, .ask]
    // The drag image is what the window shows.
    item.preview = dnd.image(ofWindow: window, area: table.frames[index])
    item.origin = DragOrigin(table.frames[index], in: window)
    return item
  }
} preview: { press in
  let isOne = table.photo(at: press.location) != nil
  let chosen = table.photo(at: press.location).map { [$0] } ?? Array(photos.indices)
  return DragPreview(
    images: chosen.compactMap { dnd.image(ofWindow: window, area: table.frames[$0]) },
    formation: formation, badge: isOne ? .none : .count(count), scale: scale, maximumSize: 160)
}

XMapWindow(display, table.window)
try dnd.run {
  interaction.session?.setCursorOutside(outside)
  return true
}
