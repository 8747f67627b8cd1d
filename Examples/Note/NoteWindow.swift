import XDnDX11
import XDnD

/// The window of the note: where it shows the text, and what presses and keys do.
final class NoteWindow {
  let window: Window
  var text: NoteText { didSet { layOut() } }
  /// Where a drop would insert text; `nil` if no drag is over the window.
  var insertionPoint: Int? { didSet { if insertionPoint != oldValue { draw() } } }
  private(set) var isOpen = true
  /// What the held button does when the pointer moves.
  var press = Press.none
  enum Press { case dragging, selecting, none }

  private let display: OpaquePointer
  private let context: GC
  private let font: XFontSet
  private let (lineHeight, ascent): (Int, Int)
  private var size = (width: 480, height: 240)
  /// The upper end of the caret at each place.
  private var places: [Point] = []
  private var lastPress: (place: Int, time: Time) = (-1, 0)
  private static let margin = 16

  init(_ text: String, on display: OpaquePointer) {
    (self.display, self.text) = (display, NoteText(text))
    let (width, height) = (UInt32(size.width), UInt32(size.height))
    window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, width, height, 0, 0, 0)
    XStoreName(display, window, "Note")
    var protocols = XInternAtom(display, "WM_DELETE_WINDOW", False)
    XSetWMProtocols(display, window, &protocols, 1)
    let buttons = ButtonPressMask | ButtonReleaseMask | Button1MotionMask
    XSelectInput(display, window, StructureNotifyMask | KeyPressMask | buttons)
    context = XCreateGC(display, window, 0, nil)
    var missing: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var (count, fallback) = (Int32(), UnsafeMutablePointer<CChar>?.none)
    let names = "-*-helvetica-medium-r-normal--20-*-*-*-p-*-*-*,-*-*-medium-r-normal--20-*,fixed"
    font = XCreateFontSet(display, names, &missing, &count, &fallback)
    let line = XExtentsOfFontSet(font).pointee.max_logical_extent
    (lineHeight, ascent) = (Int(line.height), -Int(line.y))
    layOut()
  }

  // MARK: Places

  /// Finds the place of each character.
  private func layOut() {
    var point = Point(x: Self.margin, y: Self.margin)
    places = []
    for character in text.characters {
      let letter = character == "\t" ? "    " : String(character)
      let width = character == "\n" ? 0 : Int(Xutf8TextEscapement(font, letter, Int32(letter.utf8.count)))
      if point.x + width > size.width - Self.margin { point = Point(x: Self.margin, y: point.y + lineHeight) }
      places.append(point)
      point = character == "\n" ? Point(x: Self.margin, y: point.y + lineHeight) : Point(x: point.x + width, y: point.y)
    }
    places.append(point)
    draw()
  }

  /// The place between two letters that is nearest to a point.
  func place(at point: Point) -> Int {
    let line = min(max(0, point.y - Self.margin), places[places.count - 1].y - Self.margin) / lineHeight
    return places.indices.filter { (places[$0].y - Self.margin) / lineHeight == line }
      .min { abs(places[$0].x - point.x) < abs(places[$1].x - point.x) } ?? 0
  }

  /// The frame of the character after a place.
  func frame(of place: Int) -> Rect {
    let (start, end) = (places[place], places[place + 1])
    return Rect(x: start.x, y: start.y, width: start.y == end.y ? end.x - start.x : 8, height: lineHeight)
  }

  /// The frame around the selection; `nil` if nothing is selected.
  var selectionFrame: Rect? {
    let frames = text.selection.map(frame)
    guard let left = frames.map(\.origin.x).min(), let right = frames.map(\.maxX).max() else { return nil }
    let (top, bottom) = (frames[0].origin.y, frames[frames.count - 1].maxY)
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private func draw() {
    let depth = UInt32(XDefaultDepth(display, XDefaultScreen(display)))
    let picture = XCreatePixmap(display, window, UInt32(size.width), UInt32(size.height), depth)
    func fill(_ frame: Rect, _ color: UInt) {
      let (x, y) = (Int32(frame.origin.x), Int32(frame.origin.y))
      XSetForeground(display, context, color)
      XFillRectangle(display, picture, context, x, y, UInt32(frame.width), UInt32(frame.height))
    }
    fill(Rect(x: 0, y: 0, width: size.width, height: size.height), 0xFF_F8_D6)
    for place in text.selection where places[place].y < size.height { fill(frame(of: place), 0xBF_D9_F5) }
    if let place = insertionPoint ?? (text.selection.isEmpty ? text.caret : nil) {
      let point = places[min(place, places.count - 1)]
      fill(Rect(x: point.x - 1, y: point.y, width: 2, height: lineHeight), 0x1A_5F_B4)
    }
    XSetForeground(display, context, 0x20_20_20)
    for (character, point) in zip(text.characters, places) where !character.isWhitespace && point.y < size.height {
      let (x, y, count) = (Int32(point.x), Int32(point.y + ascent), Int32(character.utf8.count))
      Xutf8DrawString(display, picture, font, context, x, y, String(character), count)
    }
    // The server paints the background by itself when the window is exposed.
    XSetWindowBackgroundPixmap(display, window, picture)
    XClearWindow(display, window)
    XFreePixmap(display, picture)
  }

  // MARK: Events

  func handle(_ event: XEvent) {
    switch event.type {
    case ConfigureNotify:
      size = (Int(event.xconfigure.width), Int(event.xconfigure.height))
      layOut()
    case ButtonPress where event.xbutton.button == 1: buttonPressed(event.xbutton)
    case MotionNotify where press == .selecting:
      text.select(from: text.anchor, to: place(at: Point(x: Int(event.xmotion.x), y: Int(event.xmotion.y))))
    // The press on the selection was a click.
    case ButtonRelease where press == .dragging: text.select(from: lastPress.place, to: lastPress.place)
    case KeyPress: keyPressed(event.xkey)
    case ClientMessage where event.xclient.message_type == XInternAtom(display, "WM_PROTOCOLS", False): isOpen = false
    default: break
    }
  }

  private func buttonPressed(_ event: XButtonEvent) {
    let point = Point(x: Int(event.x), y: Int(event.y))
    let place = place(at: point)
    if place == lastPress.place, event.time &- lastPress.time < 400 {
      text.selectWord(at: place)
      (press, lastPress.place) = (.none, -1)
    } else {
      lastPress = (place, event.time)
      press = text.selection.contains { frame(of: $0).contains(point) } ? .dragging : .selecting
      if press == .selecting { text.select(from: place, to: place) }
    }
  }

  private func keyPressed(_ event: XKeyEvent) {
    var (key, symbol) = (event, KeySym())
    XLookupString(&key, nil, 0, &symbol, nil)
    let (isShift, isControl) = (Int32(key.state) & ShiftMask != 0, Int32(key.state) & ControlMask != 0)
    let (caret, selection) = (text.caret, text.selection)
    func go(to place: Int) { text.select(from: isShift ? text.anchor : place, to: place) }
    switch Int32(truncatingIfNeeded: symbol) {
    case XK_Left: go(to: isShift || selection.isEmpty ? caret - 1 : selection.lowerBound)
    case XK_Right: go(to: isShift || selection.isEmpty ? caret + 1 : selection.upperBound)
    case XK_BackSpace: text.delete(-1)
    case XK_Delete: text.delete(1)
    case XK_Return: text.type("\n")
    case XK_a where isControl: text.select(from: 0, to: text.characters.count)
    case XK_z where isControl: text.undo()
    case XK_Z where isControl: text.redo()
    // The keysym of a Latin-1 letter is its code; other letters are Unicode plus 0x0100_0000, or need an input method.
    case 0x20...0xFF where !isControl, 0x0100_0100...0x0110_FFFF where !isControl:
      if let letter = Unicode.Scalar(UInt32(symbol & 0xFF_FFFF)) { text.type(String(letter)) }
    default: break
    }
  }
}
