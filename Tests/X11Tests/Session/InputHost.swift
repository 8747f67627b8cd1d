import XDnDX11
import CXTest
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// A host with a display of its own, whose window at 100,100 has a size of 100x100, and a driver that borrows it.
final class InputHost: DragInteractionDelegate {
  let driver: DragAndDrop
  /// Released after the driver, which uses its display.
  let peer: XlibPeer
  let window: WindowID
  private(set) var told: [String] = []
  private(set) var drag: DragSession?
  /// The events by XInput 2 that the driver has left to the host, and whether their data was still there.
  private(set) var input: [(kind: InputEventKind?, hasData: Bool)] = []
  /// The last press among them, of a button or of a finger.
  private(set) var pressed: Press?
  var onGrabNeeded: (() -> Void)?

  struct Press {
    var device: InputDevice
    var time: Timestamp
    var window: WindowID
    /// In the window's coordinates.
    var location: Point

    fileprivate init(_ device: InputDevice, _ event: XIDeviceEvent) {
      self.device = device
      time = Timestamp(event.time)
      window = WindowID(event.event)
      location = Point(x: Int(event.event_x), y: Int(event.event_y))
    }
  }

  /// - Parameter prepare: What the host does before it has a driver.
  init(
    _ server: XServer, patience: Duration = .seconds(20), prepare: (XlibPeer, WindowID) throws -> Void = { _, _ in }
  ) throws {
    peer = try XlibPeer(server)
    window = peer.makeWindow(Rect(x: 100, y: 100, width: 100, height: 100))
    try prepare(peer, window)
    var configuration = Configuration()
    configuration.grabTimeout = patience
    driver = try DragAndDrop(borrowing: peer.display, configuration: configuration)
  }

  /// Reads what has arrived.
  func process() throws {
    while XPending(peer.display) > 0 {
      var event = XEvent()
      XNextEvent(peer.display, &event)
      guard !driver.filter(xEvent: &event), event.type == GenericEvent else { continue }
      let hasData = XGetEventData(peer.display, &event.xcookie) != False
      let kind = InputEventKind(rawValue: event.xcookie.evtype)
      input.append((kind, hasData))
      if let data = event.xcookie.data { note(kind, data.assumingMemoryBound(to: XIDeviceEvent.self).pointee) }
      XFreeEventData(peer.display, &event.xcookie)
    }
    try driver.process()
  }

  private func note(_ kind: InputEventKind?, _ event: XIDeviceEvent) {
    let device = Int(event.deviceid)
    switch kind {
    case .press: pressed = Press(.device(device), event)
    case .touchBegin: pressed = Press(.touch(device, sequence: UInt32(bitPattern: event.detail)), event)
    default: break
    }
  }

  func run(at place: SourceLocation = #_sourceLocation, until condition: () -> Bool) throws {
    let limit = ContinuousClock.now + .seconds(20)
    while !condition(), .now < limit {
      try process()
      usleep(1000)
    }
    #expect(condition(), "\(told) \(input.map(\.kind))", sourceLocation: place)
  }

  func begin(_ device: InputDevice, at time: Timestamp) {
    drag = driver.beginDrag(DragItem("x"), of: device, at: time, delegate: self)
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    if !press.device.isTouch { told.append("items at \(press.location)") }
    return [DragItem("x")]
  }

  func dragInteraction(_ interaction: DragInteraction, liftedItemAt press: DragPress) { told.append("lifted") }
  func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress) { told.append("clicked") }

  func dragNeedsGrab(_ drag: DragSession) {
    told.append("needs grab")
    onGrabNeeded?()
  }
  func dragBegan(_ drag: DragSession) { told.append("began") }
  func drag(_ drag: DragSession, ended outcome: DragOutcome) { told.append("\(outcome)") }
}

/// A window that takes text, at 400,100.
final class TextTarget: DropDelegate {
  let driver: DragAndDrop
  let inside = Point(x: 450, y: 150)
  private(set) var positions: [Point] = []
  private(set) var texts: [String] = []

  init(_ server: XServer) throws {
    driver = try DragAndDrop(connectingTo: server.displayName)
    let display = try #require(driver.display)
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 400, 100, 100, 100, 0, 0, 0)
    XMapWindow(display, window)
    XSync(display, False)
    driver.registerDropTarget(WindowID(window), accepting: DropOffer([.plainText]), delegate: self)
  }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    if let place = drop.location { positions.append(Point(x: place.x + 400, y: place.y + 100)) }
    return drop.suggestedProposal
  }

  func performDrop(_ drop: DropSession) {
    drop.load(String.self) { text in
      self.texts.append((try? text.get()) ?? "")
      drop.finish(.copy)
    }
  }
}

extension XlibPeer {
  /// Whether pointer and keyboard of the core protocol are free.
  var canGrab: Bool {
    let time = Time(CurrentTime)
    let pointer = XGrabPointer(display, root, False, 0, GrabModeAsync, GrabModeAsync, 0, 0, time)
    let keyboard = XGrabKeyboard(display, root, False, GrabModeAsync, GrabModeAsync, time)
    XUngrabPointer(display, time)
    XUngrabKeyboard(display, time)
    sync()
    return pointer == GrabSuccess && keyboard == GrabSuccess
  }
}
