import CBareX11
import CProfile
import Glibc
import XDnD

/// Runs one step of the library after a warm-up, with the coverage counters set to zero before it and written after it:
/// `walk press|position|part|load FILE`. `scripts/walk` builds it with counters, and counts.
final class Walk: DropDelegate {
  private let library: DragAndDrop
  private let window: Window
  private let peer: Peer
  private let file: String
  /// What a drop does.
  private var drop: (DropSession) -> Void = { $0.reject() }

  /// The library's window is at the left, and the peer's at its right.
  init(writingTo file: String) throws {
    self.file = file
    library = try DragAndDrop(connectingTo: nil)
    guard let display = library.display else { fatalError("the display is closed") }
    window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 200, 200, 0, 0, 0)
    XMapWindow(display, window)
    XSync(display, False)
    peer = Peer(x: 200, y: 0, width: 200, height: 200)
  }

  private var id: WindowID { WindowID(rawValue: UInt32(window)) }

  // MARK: Steps

  /// A motion makes a press a drag, until the target under the pointer is entered.
  func press() throws {
    var offered = false
    library.onDrag(
      in: id, items: { _ in [DragItem("text")] },
      preview: { _ in
        offered = true
        return DragPreview(images: [])
      })
    for isMeasured in [false, true] {
      offered = false
      movePointer(to: 190)
      XTestFakeButtonEvent(peer.display, 1, 1, 0)
      XSync(peer.display, False)
      try settle()
      if isMeasured { beginMeasuring() }
      movePointer(to: 210)
      try run { self.peer.take("XdndEnter") }
      if isMeasured { endMeasuring() }
      guard offered else { fatalError("no drag has begun") }
      try refuse()
    }
  }

  /// Ends the drag: the peer refuses it, and the button is released.
  private func refuse() throws {
    var source: Window?
    try run {
      source = self.peer.takeSender(of: "XdndPosition")
      return source != nil
    }
    peer.send("XdndStatus", [], to: source ?? 0)
    try settle()
    XTestFakeButtonEvent(peer.display, 1, 0, 0)
    XSync(peer.display, False)
    try run { self.peer.take("XdndLeave") }
    try settle()
  }

  /// A position is answered.
  func position() throws {
    accept()
    enter()
    for x in 10..<20 { try answerPosition(x) }
    beginMeasuring()
    try answerPosition(20)
    endMeasuring()
  }

  /// A part of content that comes by INCR is read.
  func part() throws {
    accept()
    var received = 0
    drop = { drop in
      drop.load(ContentType("text/plain"), limit: 1 << 20) {
        received += $0.count
        return true
      } completion: { _ in
        drop.finish(.copy)
      }
    }
    let request = try dropAndAwaitRequest()
    let part = [UInt8](repeating: 0x41, count: 4096)
    peer.answer(request, with: part, incremental: true)
    try run { self.peer.takeDeletion(by: request) }
    for index in 1...10 {
      if index == 10 { beginMeasuring() }
      peer.write(part, for: request)
      var isDeleted = false
      // The server deletes the property before the library has its bytes.
      try run {
        isDeleted = isDeleted || self.peer.takeDeletion(by: request)
        return isDeleted && received >= index * part.count
      }
    }
    endMeasuring()
  }

  /// A load is begun, until the selection is asked for.
  func load() throws {
    accept()
    for isMeasured in [false, true] {
      var text: String?
      drop = { drop in
        if isMeasured { self.beginMeasuring() }
        drop.load(String.self) {
          text = try? $0.get()
          drop.finish(.copy)
        }
      }
      let request = try dropAndAwaitRequest()
      if isMeasured { endMeasuring() }
      peer.answer(request, with: Array("text".utf8))
      try run { self.peer.take("XdndFinished") }
      guard text == "text" else { fatalError("\(text ?? "nothing") was loaded") }
    }
  }

  // MARK: The drag of the peer

  private func accept() {
    library.registerDropTarget(id, accepting: DropOffer([.plainText]), delegate: self)
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal { drop.suggestedProposal }

  func performDrop(_ drop: DropSession) { self.drop(drop) }

  private func enter() {
    peer.ownSelection()
    peer.send("XdndEnter", [5 << 24, Int(peer.atom("text/plain"))], to: window)
  }

  private func answerPosition(_ x: Int) throws {
    peer.send("XdndPosition", [0, x << 16 | 100, 0, Int(peer.atom("XdndActionCopy"))], to: window)
    try run { self.peer.take("XdndStatus") }
  }

  private func dropAndAwaitRequest() throws -> XSelectionRequestEvent {
    enter()
    try answerPosition(50)
    peer.send("XdndDrop", [], to: window)
    var request: XSelectionRequestEvent?
    try run {
      request = self.peer.takeRequest()
      return request != nil
    }
    guard let request else { fatalError("nothing was asked for") }
    return request
  }

  private func movePointer(to x: Int32) {
    XTestFakeMotionEvent(peer.display, 0, x, 100, 0)
    XSync(peer.display, False)
  }

  // MARK: Running the library

  /// Processes events until the peer has its answer, and then the events that arrived meanwhile.
  private func run(until isDone: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !isDone() {
      guard .now < deadline else { fatalError("the library has not answered") }
      wait(milliseconds: 100)
      // What arrives together is processed together, so that each run counts the same.
      usleep(20_000)
      try library.process()
    }
    usleep(20_000)
    try library.process()
  }

  /// Processes events until none comes any more.
  private func settle() throws {
    while wait(milliseconds: 200) { try library.process() }
    try library.process()
  }

  @discardableResult
  private func wait(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: library.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }

  // MARK: The counters

  private func beginMeasuring() { __llvm_profile_reset_counters() }

  private func endMeasuring() {
    __llvm_profile_set_filename(file)
    guard __llvm_profile_write_file() == 0 else { fatalError("cannot write \(file)") }
    // The runtime writes the counters once more at exit.
    __llvm_profile_set_filename("/dev/null")
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: walk press|position|part|load FILE")
  exit(64)
}
let walk = try Walk(writingTo: arguments[2])
switch arguments[1] {
case "press": try walk.press()
case "position": try walk.position()
case "part": try walk.part()
case "load": try walk.load()
default: exit(64)
}
