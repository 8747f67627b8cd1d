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
  /// The frame of the character after each place; the last one is that of the end.
  private(set) var frames: [Rect] = []
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

  /// Finds the frame of each character.
  private func layOut() {
    var frame = Rect(x: Self.margin, y: Self.margin, width: 0, height: lineHeight)
    func beginLine() { frame.origin = Point(x: Self.margin, y: frame.maxY) }
    frames = []
    for character in text.characters + ["\n"] {
      let letter = character == "\t" ? "    " : String(character)
      frame.width = character == "\n" ? 8 : Int(Xutf8TextEscapement(font, letter, Int32(letter.utf8.count)))
      if character != "\n", frame.maxX > size.width - Self.margin { beginLine() }
      frames.append(frame)
      if character == "\n" { beginLine() } else { frame.origin.x = frame.maxX }
    }
    draw()
  }

  /// The place that is nearest to a point, in the line that is nearest.
  func place(at point: Point) -> Int {
    func distance(_ frame: Rect) -> (Int, Int) { (abs(frame.middle.y - point.y), abs(frame.origin.x - point.x)) }
    return frames.indices.min { distance(frames[$0]) < distance(frames[$1]) } ?? 0
  }

  /// The frame around the selection.
  var selectionFrame: Rect {
    let selected = frames[text.selection]
    let (left, right) = (selected.map(\.origin.x).min() ?? 0, selected.map(\.maxX).max() ?? 0)
    let (top, bottom) = (selected.first?.origin.y ?? 0, selected.last?.maxY ?? 0)
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The frame of the insertion point at a place.
  func caretFrame(at place: Int) -> Rect {
    let point = frames[min(place, frames.count - 1)].origin
    return Rect(x: point.x - 1, y: point.y, width: 2, height: lineHeight)
  }

  private func draw() {
    let depth = UInt32(XDefaultDepth(display, XDefaultScreen(display)))
    let picture = XCreatePixmap(display, window, UInt32(size.width), UInt32(size.height), depth)
    func fill(_ frame: Rect, _ color: UInt) {
      XSetForeground(display, context, color)
      let (x, y) = (Int32(frame.origin.x), Int32(frame.origin.y))
      XFillRectangle(display, picture, context, x, y, UInt32(frame.width), UInt32(frame.height))
    }
    fill(Rect(x: 0, y: 0, width: size.width, height: size.height), 0xFF_F8_D6)
    for frame in frames[text.selection] { fill(frame, 0xBF_D9_F5) }
    if let place = insertionPoint ?? (text.selection.isEmpty ? text.caret : nil) {
      fill(caretFrame(at: place), 0x1A_5F_B4)
    }
    XSetForeground(display, context, 0x20_20_20)
    for (character, frame) in zip(text.characters, frames) where !character.isWhitespace {
      let (x, y, count) = (Int32(frame.origin.x), Int32(frame.origin.y + ascent), Int32(character.utf8.count))
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
      press = frames[text.selection].contains { $0.contains(point) } ? .dragging : .selecting
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
