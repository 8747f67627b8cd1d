import CBareX11
import Glibc
import XDnD

/// A program with one window, out of which text can be dragged or onto which it can be dropped. It measures for how long at
/// most the library keeps its event loop.
///
/// `latency-host source|target WIDTHxHEIGHT+X+Y`, for `scripts/bench latency`. It prints JSON lines: `ready` when the window
/// is mapped, and `drag-end`, with the longest turn since then, how long it kept the processor, what the library called the
/// program for in it, and the longest time that a turn has slept. All times are in milliseconds. It runs until it is killed.
@main
enum LatencyHost {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let geometry = arguments.last.map { $0.split { "x+".contains($0) }.compactMap { CInt($0) } } ?? []
    guard arguments.count == 2, ["source", "target"].contains(arguments[0]), geometry.count == 4 else {
      print("latency-host source|target WIDTHxHEIGHT+X+Y")
      exit(64)
    }
    let (width, height, x, y) = (geometry[0], geometry[1], geometry[2], geometry[3])
    let driver = try DragAndDrop()
    guard let display = driver.display else { fatalError("no display") }
    let window = XCreateSimpleWindow(
      display, XDefaultRootWindow(display), x, y, UInt32(width), UInt32(height), 0, 0, 0xE0E0E0)
    var hints = XSizeHints()
    hints.flags = USPosition | USSize
    XSetWMNormalHints(display, window, &hints)
    XSelectInput(display, window, StructureNotifyMask)

    let turns = Turns()
    var isMapped = false
    driver.onOtherEvent = { event in
      if event.assumingMemoryBound(to: XEvent.self).pointee.type == MapNotify { isMapped = true }
    }
    let receiver = Receiver(turns)
    // The library does not retain it.
    defer { withExtendedLifetime(receiver) {} }
    let id = WindowID(rawValue: UInt32(window))
    if arguments[0] == "source" {
      driver.onDrag(in: id) { _ in
        turns.note("begin of the drag")
        return [DragItem("Hello")]
      } ended: { _, outcome in
        turns.note("end of the drag")
        if case .dropped = outcome { turns.isSuccess = true } else { turns.isSuccess = false }
      }
    } else {
      driver.registerDropTarget(id, accepting: DropOffer([.plainText]), delegate: receiver)
    }
    XMapWindow(display, window)

    var isReady = false
    while true {
      try turns.measure { try driver.process() }
      if isMapped, !isReady {
        isReady = true
        turns.reset()
        report(#"{"event": "ready", "x": \#(x), "y": \#(y), "width": \#(width), "height": \#(height)}"#)
      }
      if let isSuccess = turns.isSuccess {
        turns.isSuccess = nil
        let longest = turns.longest
        report(
          #"{"event": "drag-end", "success": \#(isSuccess), "milliseconds": \#(longest.milliseconds), "#
            + #""processor": \#(longest.processor), "slept": \#(turns.longestSleep), "during": "\#(longest.occasion)"}"#
        )
      }
      var descriptor = pollfd(fd: driver.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let wait = driver.nextDeadline.map { max(0, ContinuousClock.now.duration(to: $0) / .milliseconds(1)) }
      poll(&descriptor, 1, wait.map { CInt($0.rounded(.up)) } ?? -1)
    }
  }

  private static func report(_ line: String) {
    print(line)
    fflush(nil)
  }
}

/// Accepts text, and asks at each position where it is in the window.
private final class Receiver: DropDelegate {
  private let turns: Turns

  init(_ turns: Turns) {
    self.turns = turns
  }

  func dropEntered(_ drop: DropSession) { turns.note("begin of the visit") }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    turns.note("position")
    return drop.location == nil ? .forbidden : drop.suggestedProposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { turns.note("end of the visit") }

  func performDrop(_ drop: DropSession) {
    turns.note("drop")
    drop.load(String.self) { [turns] result in
      turns.note("content")
      if case .success = result { drop.finish(drop.droppedOperation ?? .copy) } else { drop.reject() }
    }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) {
    turns.note("end of the drop")
    if case .finished = result { turns.isSuccess = true } else { turns.isSuccess = false }
  }
}

/// Measures the turns of the event loop, in which the library works.
private final class Turns {
  private(set) var longest = (milliseconds: 0.0, processor: 0.0, occasion: "nothing")
  /// The longest time without the processor, of the turns that have given it up themselves: those that have waited for
  /// something. Others may have lost it to other programs.
  private(set) var longestSleep = 0.0
  /// Set at the end of the drag or the drop.
  var isSuccess: Bool?
  /// What the library has called the program for in the present turn.
  private var notes: [String] = []
  private var lastNote = "start"

  func note(_ callback: String) {
    if notes.last != callback { notes.append(callback) }
    lastNote = callback
  }

  func measure(_ turn: () throws -> Void) rethrows {
    notes = []
    let before = lastNote
    let (begin, beginOfUse) = (ContinuousClock.now, Use.now)
    try turn()
    let milliseconds = (ContinuousClock.now - begin) / .milliseconds(1)
    let use = Use.now
    let processor = use.milliseconds - beginOfUse.milliseconds
    if use.sleeps > beginOfUse.sleeps { longestSleep = max(longestSleep, milliseconds - processor) }
    guard milliseconds > longest.milliseconds else { return }
    longest = (milliseconds, processor, notes.isEmpty ? "after \(before)" : notes.joined(separator: ", "))
  }

  func reset() {
    longest = (0, 0, "nothing")
    longestSleep = 0
  }
}

/// What this thread has used so far.
private struct Use {
  let milliseconds: Double
  /// How often it has given up the processor.
  let sleeps: Int

  static var now: Use {
    var (time, usage) = (timespec(), rusage())
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    getrusage(1, &usage)  // `RUSAGE_THREAD`, which Swift's module of the C library leaves out
    return Use(milliseconds: Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6, sleeps: usage.ru_nvcsw)
  }
}
