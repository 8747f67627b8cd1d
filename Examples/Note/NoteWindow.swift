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
  /// The extent of a line, from the baseline.
  private let line: XRectangle
  private var size: (width: UInt32, height: UInt32) = (480, 240) { didSet { layOut() } }
  /// The frame of the character after each place; the last frame is at the end of the text.
  private(set) var frames: [Rect] = []
  private var lastPress: (place: Int, time: Time) = (-1, 0)
  private static let margin = 16

  init(_ text: String, on display: OpaquePointer) {
    (self.display, self.text) = (display, NoteText(text))
    window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, size.width, size.height, 0, 0, 0)
    XStoreName(display, window, "Note")
    XDefineCursor(display, window, XCreateFontCursor(display, UInt32(XC_xterm)))
    var protocols = XInternAtom(display, "WM_DELETE_WINDOW", False)
    XSetWMProtocols(display, window, &protocols, 1)
    let buttons = ButtonPressMask | ButtonReleaseMask | Button1MotionMask
    XSelectInput(display, window, StructureNotifyMask | KeyPressMask | buttons)
    context = XCreateGC(display, window, 0, nil)
    var missing: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var (count, fallback) = (Int32(), UnsafeMutablePointer<CChar>?.none)
    let names = "-*-helvetica-medium-r-normal--20-*-*-*-p-*-*-*,-*-*-medium-r-normal--20-*,fixed"
    font = XCreateFontSet(display, names, &missing, &count, &fallback)
    line = XExtentsOfFontSet(font).pointee.max_logical_extent
    layOut()
  }

  // MARK: Places

  /// Finds the frame of each character.
  private func layOut() {
    var frame = Rect(x: Self.margin, y: Self.margin, width: 0, height: Int(line.height))
    func width(of text: String) -> Int { Int(Xutf8TextEscapement(font, text, Int32(text.utf8.count))) }
    func beginLine() { frame.origin = Point(x: Self.margin, y: frame.maxY) }
    frames = []
    for (place, character) in (text.characters + ["\n"]).enumerated() {
      // A word that does not fit begins a line, and a letter of a word that is longer than a line.
      let isFirst = text.characters[..<place].last?.isWhitespace ?? true
      let part = String(text.characters[place...].prefix(isFirst ? .max : 1).prefix { !$0.isWhitespace })
      frame.width = width(of: part)
      if !part.isEmpty, frame.origin.x > Self.margin, frame.maxX > Int(size.width) - Self.margin { beginLine() }
      frame.width = character == "\n" ? 8 : width(of: character == "\t" ? "    " : String(character))
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
    let frame = frames[min(place, frames.count - 1)]
    return Rect(x: frame.origin.x - 1, y: frame.origin.y, width: 2, height: frame.height)
  }

  private func draw() {
    let depth = UInt32(XDefaultDepth(display, XDefaultScreen(display)))
    let picture = XCreatePixmap(display, window, size.width, size.height, depth)
    func fill(_ frame: Rect, _ color: UInt) {
      XSetForeground(display, context, color)
      let (x, y) = (Int32(frame.origin.x), Int32(frame.origin.y))
      XFillRectangle(display, picture, context, x, y, UInt32(frame.width), UInt32(frame.height))
    }
    fill(Rect(x: 0, y: 0, width: Int(size.width), height: Int(size.height)), 0xFF_F8_D6)
    for frame in frames[text.selection] { fill(frame, 0xBF_D9_F5) }
    if let place = insertionPoint ?? (text.selection.isEmpty ? text.caret : nil) {
      fill(caretFrame(at: place), 0x1A_5F_B4)
    }
    XSetForeground(display, context, 0x20_20_20)
    for (character, frame) in zip(text.characters, frames) where !character.isWhitespace {
      let (x, y, count) = (Int32(frame.origin.x), Int32(frame.origin.y - Int(line.y)), Int32(character.utf8.count))
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
    case ConfigureNotify: size = (UInt32(event.xconfigure.width), UInt32(event.xconfigure.height))
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
    func go(to place: Int) { text.select(from: isShift ? text.anchor : place, to: place) }
    switch Int32(truncatingIfNeeded: symbol) {
    case XK_Left: go(to: isShift || text.selection.isEmpty ? text.caret - 1 : text.selection.lowerBound)
    case XK_Right: go(to: isShift || text.selection.isEmpty ? text.caret + 1 : text.selection.upperBound)
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
