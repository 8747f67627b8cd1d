public import XDnD

/// A simulated display with the program under test on it: a test needs no X server, no pointer and no real time.
///
/// ``dragAndDrop`` is a `DragAndDrop` with its whole API. Register drop targets with it, or begin drags. The other programs
/// are simulated: the `drag` methods drag content over a window of the program, and
/// ``makeTarget(frame:accepting:operations:)`` makes a window that the program's own drags can be dropped on. They speak
/// the protocol through the same library, and the server between them checks it.
///
/// ```swift
/// let desktop = SimulatedDesktop()
/// let window = desktop.makeWindow()
/// desktop.dragAndDrop.registerDropTarget(window, accepting: DropOffer([.plainText]), delegate: board)
/// let drag = desktop.drag(DragItem("Hello"), over: window)
/// #expect(drag.drop() == .dropped(.copy))
/// ```
///
/// Time is virtual. It stands still until an action of the simulation or ``advance(by:)`` moves it, so each run of a
/// test has the same result. Each action of the user takes ``reactionTime``, in which the programs process it. Content
/// from a task or a pipe needs real time: provide it from memory in a test.
///
/// All positions are in root coordinates, in pixels, unless stated otherwise. Not `Sendable`.
public final class SimulatedDesktop {
  /// How long each action of the user takes: 50 milliseconds of virtual time.
  public static let reactionTime = Duration.milliseconds(50)

  /// The configuration of programs on a simulated display: the defaults, but without drag images, and with the built-in
  /// type database instead of the system's, so that no file is read.
  public static var configuration: Configuration {
    var configuration = Configuration()
    configuration.typeDatabase = .builtIn
    configuration.showsDragImages = false
    return configuration
  }

  /// A place without windows.
  static let nowhere = Point(x: 30_000, y: 30_000)

  let simulation = Simulation()
  let program: Simulation.Program
  private var dragSource: Simulation.Program?
  /// Retained here, because the library does not retain delegates.
  private var targets: [SimulatedTarget] = []
  /// The window of a press that may become a drag.
  private var pressedWindow: WindowID?

  /// Makes a display with one program, which has no window yet.
  ///
  /// - Parameter configuration: The configuration of ``dragAndDrop``.
  public init(configuration: Configuration = SimulatedDesktop.configuration) {
    program = simulation.program(configuration)
    program.client.behavior.beginsLate = { true }
  }

  /// The library in the program under test.
  public var dragAndDrop: DragAndDrop { program.driver }

  /// Called with a message when a program makes a mistake that a display does not tolerate, such as `onDrag(in:)` for
  /// the window 0. If the closure is `nil`, the process ends with the message.
  public var onMistake: ((String) -> Void)? {
    get { server.onImpossible }
    set { server.onImpossible = newValue }
  }

  var server: FakeXServer { simulation.server }

  // MARK: Time

  /// The virtual time since the display was made.
  public var elapsed: Duration { simulation.now.sinceStart }

  /// Advances the virtual time, with spring loading, scrolling and timeouts.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time does not go back: advance(by: \(duration))")
    // In parts: the number of steps of a run is limited, to find programs that are never idle.
    var rest = duration
    while rest > .zero {
      let part = min(rest, .seconds(1))
      simulation.run(part)
      rest -= part
    }
  }

  /// Runs the programs for ``reactionTime``, so that they process the user's action.
  func react() { simulation.run(Self.reactionTime) }

  // MARK: Windows

  /// Makes a top-level window of the program under test, above all others, and maps it.
  ///
  /// - Parameter frame: In root coordinates.
  public func makeWindow(frame: Rect = Rect(x: 0, y: 0, width: 400, height: 300)) -> WindowID {
    precondition(!frame.isEmpty, "a window of \(frame) has no pixels")
    return server.createWindow(of: program.client, frame: frame)
  }

  /// Destroys a window.
  public func destroy(_ window: WindowID) {
    _ = frame(of: window)
    server.destroy(window)
    react()
  }

  /// The frame of a window, in root coordinates.
  public func frame(of window: WindowID) -> Rect {
    guard let frame = server.windows[window]?.frame else {
      preconditionFailure("\(window) is no window of this display, or it was destroyed")
    }
    return frame
  }

  /// Converts a point in a window to root coordinates; `nil` stands for the middle of the window.
  func root(_ point: Point?, in window: WindowID) -> Point {
    let frame = frame(of: window)
    guard let point else { return frame.middle }
    return Point(x: frame.origin.x + point.x, y: frame.origin.y + point.y)
  }

  // MARK: Other programs

  /// Drags items of another program over a window of the program under test. The button is held until
  /// ``SimulatedDrag/drop(within:)`` or ``SimulatedDrag/cancel()``.
  ///
  /// - Parameters:
  ///   - items: The items, such as `DragItem("text")` or `DragItem(files: ["/a"])`. The other program offers their
  ///     `operations`.
  ///   - window: The window.
  ///   - point: The position, in window coordinates; `nil` for the middle of the window.
  public func drag(_ items: [DragItem], over window: WindowID, at point: Point? = nil) -> SimulatedDrag {
    precondition(!items.isEmpty, "a drag needs an item")
    precondition(
      server.grab == nil && server.buttons.isEmpty, "a drag is under way, or a button is held: end that first")
    let place = root(point, in: window)
    if dragSource?.client.isClosed ?? true { dragSource = simulation.program(Self.configuration) }
    guard let source = dragSource else { preconditionFailure("there is no other program") }
    let drag = SimulatedDrag(self, source, over: window)
    drag.begin(items, movingTo: place)
    return drag
  }

  /// Drags one item of another program over a window. See the method for several items.
  public func drag(_ item: DragItem, over window: WindowID, at point: Point? = nil) -> SimulatedDrag {
    drag([item], over: window, at: point)
  }

  /// Drags content of another program over a window.
  ///
  /// - Parameters:
  ///   - types: The offered types, best first, each with its content.
  ///   - operations: The offered operations, best first.
  ///   - window: The window.
  ///   - point: The position, in window coordinates; `nil` for the middle of the window.
  public func drag(
    types: KeyValuePairs<ContentType, [UInt8]>, operations: [DragOperation] = [.copy], over window: WindowID,
    at point: Point? = nil
  ) -> SimulatedDrag {
    var item = DragItem()
    item.operations = operations
    for (type, bytes) in types { item.promise(type, bytes: bytes) }
    return drag(item, over: window, at: point)
  }

  /// Makes a window of another program that accepts drops, for drags of the program under test.
  ///
  /// - Parameters:
  ///   - frame: In root coordinates. By default beside the default frame of ``makeWindow(frame:)``.
  ///   - types: The accepted types, best first.
  ///   - operations: The supported operations, preferred ones first.
  /// - Returns: The target, which this object retains. Its properties set its behavior.
  public func makeTarget(
    frame: Rect = Rect(x: 500, y: 0, width: 400, height: 300), accepting types: [ContentType] = ["*/*"],
    operations: [DragOperation] = [.copy, .move, .link]
  ) -> SimulatedTarget {
    precondition(!frame.isEmpty, "a window of \(frame) has no pixels")
    let target = SimulatedTarget(
      simulation, Self.configuration, frame: frame, accepting: DropOffer(types, operations: operations))
    targets.append(target)
    react()
    return target
  }

  // MARK: The user

  /// Moves the pointer.
  public func movePointer(to point: Point) {
    server.movePointer(to: point)
    tellGesture(.moved(to: point))
    react()
  }

  /// Moves the pointer over a window.
  ///
  /// - Parameters:
  ///   - window: A window of any program.
  ///   - point: In window coordinates; `nil` for the middle of the window.
  public func movePointer(over window: WindowID, at point: Point? = nil) { movePointer(to: root(point, in: window)) }

  /// Presses a button, and holds it until ``release(_:)``.
  ///
  /// If the window at the pointer was passed to `onDrag(in:)` or `draggable(_:in:)`, the interaction receives the press
  /// and the motion after it.
  ///
  /// - Parameters:
  ///   - button: The button.
  ///   - point: Where to move the pointer first; `nil` to leave it where it is.
  /// - Returns: The timestamp of the press, for `beginDrag`.
  @discardableResult
  public func press(_ button: PointerButton = .primary, at point: Point? = nil) -> Timestamp {
    precondition(!server.buttons.contains(button), "button \(button.rawValue) is down already: release it first")
    if let point { server.movePointer(to: point) }
    let time = server.time
    server.press(button)
    if let window = server.windows.topLevel(at: server.pointer, ignoring: program.client.dragWindow) {
      let origin = frame(of: window).origin
      let place = Point(x: server.pointer.x - origin.x, y: server.pointer.y - origin.y)
      pressedWindow = window
      tellGesture(
        .pressed(
          DragPress(
            rootLocation: server.pointer, location: place, button: button, modifiers: server.modifiers, time: time)))
    }
    react()
    return time
  }

  /// Releases a button, which drops the program's drag.
  public func release(_ button: PointerButton = .primary) {
    precondition(server.buttons.contains(button), "button \(button.rawValue) is not down")
    tellGesture(.released(button))
    pressedWindow = nil
    server.release(button)
    react()
  }

  /// Holds modifier keys, until the next call.
  public func hold(_ modifiers: Modifiers) {
    server.hold(modifiers)
    react()
  }

  /// Presses Escape, which cancels a drag.
  public func pressEscape() {
    server.pressEscape()
    react()
  }

  /// Turns the wheel by one notch.
  public func turnWheel(_ direction: WheelScroll.Direction) {
    server.turnWheel(direction)
    react()
  }

  /// Reports input to the window in which a button went down, while no drag has grabbed the pointer.
  private func tellGesture(_ input: DragGesture.Input) {
    guard server.grab == nil, let pressedWindow, program.client.watches(pressedWindow, .gestures) else { return }
    server.deliver(.gesture(input, in: pressedWindow), to: program.client)
  }
}

@available(*, unavailable)
extension SimulatedDesktop: Sendable {}
