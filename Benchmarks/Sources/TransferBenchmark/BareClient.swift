import CBareX11

/// The baseline of the benchmark: a minimal Xlib client that sends or receives content by INCR. It has no error
/// handling, serves one requestor at a time, and would not survive a faulty peer.
struct BareClient {
  let display: OpaquePointer
  let window: Window
  private let selection: Atom
  private let target: Atom
  private let property: Atom
  private let incr: Atom

  init(selection name: String) {
    guard let display = XOpenDisplay(nil) else { fatalError("cannot open the display") }
    self.display = display
    window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)
    XSelectInput(display, window, PropertyChangeMask)
    selection = XInternAtom(display, name, False)
    target = XInternAtom(display, Benchmark.type, False)
    property = XInternAtom(display, "BENCHMARK", False)
    incr = XInternAtom(display, "INCR", False)
  }

  /// Serves `count` bytes in parts of `part` bytes, any number of times.
  func serve(_ count: Int, part: Int, whenReady ready: () -> Void) -> Never {
    XSetSelectionOwner(display, selection, window, Time(CurrentTime))
    XSync(display, False)
    ready()
    let content = [UInt8](repeating: 0x5A, count: count)
    var sent = 0
    var requestor = Window(0)
    var requestorProperty = Atom(0)
    var event = XEvent()
    while true {
      XNextEvent(display, &event)
      switch event.type {
      case SelectionRequest:
        let request = event.xselectionrequest
        (requestor, requestorProperty, sent) = (request.requestor, request.property, 0)
        XSelectInput(display, requestor, PropertyChangeMask)
        var size = count
        withUnsafeBytes(of: &size) {
          _ = XChangeProperty(
            display, requestor, requestorProperty, incr, 32, PropModeReplace,
            $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
        }
        var answer = XEvent()
        answer.xselection.type = SelectionNotify
        answer.xselection.requestor = requestor
        answer.xselection.selection = request.selection
        answer.xselection.target = request.target
        answer.xselection.property = requestorProperty
        answer.xselection.time = request.time
        XSendEvent(display, requestor, False, 0, &answer)
      case PropertyNotify
      where event.xproperty.window == requestor && event.xproperty.state == PropertyDelete && sent <= count:
        let length = min(part, count - sent)
        content.withUnsafeBufferPointer {
          _ = XChangeProperty(
            display, requestor, requestorProperty, target, 8, PropModeReplace, $0.baseAddress.map { $0 + sent },
            CInt(length))
        }
        sent += length == 0 ? 1 : length
      default: break
      }
      XFlush(display)
    }
  }

  /// Receives the content once. Returns the number of bytes.
  func take() -> Int {
    XConvertSelection(display, selection, target, property, window, Time(CurrentTime))
    var received = 0
    var isIncremental = false
    var event = XEvent()
    while true {
      XNextEvent(display, &event)
      let isAnswer = event.type == SelectionNotify
      let isPart = event.type == PropertyNotify && event.xproperty.state == PropertyNewValue && isIncremental
      guard isAnswer || isPart else { continue }
      var type = Atom(0)
      var format: CInt = 0
      var count: UInt = 0
      var left: UInt = 0
      var data: UnsafeMutablePointer<UInt8>?
      XGetWindowProperty(
        display, window, property, 0, 1 << 28, True, Atom(AnyPropertyType), &type, &format, &count, &left, &data)
      if let data { XFree(data) }
      if isAnswer, type == incr {
        isIncremental = true
        continue
      }
      received += Int(count)
      if count == 0 || !isIncremental { return received }
    }
  }
}
