/// Decides what a ``DragInteraction`` drags, and follows its drags. The counterpart of `UIDragInteractionDelegate`.
public protocol DragInteractionDelegate: DragDelegate {
  /// Returns the items that a press drags. Called when the press has become a drag.
  ///
  /// - Returns: The items; an empty array if there is nothing to drag at that place. No drag begins then.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem]

  /// Returns the drag image. Called right after the items.
  ///
  /// - Returns: The preview; `nil` for the images of the items, with a drawn one for each item without an image.
  func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview?

  /// Tells the delegate that the press has become a drag. The delegate is also the drag's delegate:
  /// ``DragDelegate/dragBegan(_:)`` follows when the pointer is grabbed.
  func dragInteraction(_ interaction: DragInteraction, began drag: DragSession)

  /// Tells the delegate that the press has rested long enough to lift the item. Show the item lifted off its place. See
  /// ``DragTrigger/hold(_:)``.
  func dragInteraction(_ interaction: DragInteraction, liftedItemAt press: DragPress)

  /// Tells the delegate that the lifted item has settled again: no drag begins.
  func dragInteraction(_ interaction: DragInteraction, settledItemAt press: DragPress)

  /// Tells the delegate that the button was released within the drag threshold: a click.
  func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress)
}

extension DragInteractionDelegate {
  /// Returns `nil`, for the images of the items.
  public func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview? { nil }
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, began drag: DragSession) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, liftedItemAt press: DragPress) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, settledItemAt press: DragPress) {}
  /// Does nothing.
  public func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress) {}
}

/// Recognizes the drag gesture: begins a drag when the user presses and moves, and distinguishes it from a click. The
/// counterpart of `UIDragInteraction`.
///
/// It receives its input in one of two ways:
///
/// - From the library, for windows of its connection: ``DragAndDrop/add(_:to:frame:)``. The library understands core
///   events, and the events that the host has selected by XInput 2 and passes to ``DragAndDrop/filter(xEvent:)``: buttons
///   of pointers and pens, and touches.
/// - From the host, which has its own events or a toolkit's events: call ``press(_:)``, ``move(to:)`` and
///   ``release(_:)``.
///
/// Once a drag has begun, it grabs the pointer and the keyboard and needs no more input. A finger is not grabbed: the
/// drag follows the events of its touch, which the host continues to pass to ``DragAndDrop/filter(xEvent:)``. The library
/// consumes them.
public final class DragInteraction {
  /// The gesture that turns a press into a drag.
  public var trigger = DragTrigger.motion
  /// The gesture that turns the press of a finger into a drag (``DragPress/device`` is a touch). A tap is a click. A
  /// finger that moves before the trigger's hold is over scrolls, and a second finger pinches: these gestures are left
  /// to the host, and no drag begins.
  public var touchTrigger = DragTrigger.touch
  /// The button that drags. Other buttons are ignored.
  public var button = PointerButton.primary
  /// How far the pointer has to move before a drag begins, in device pixels. `nil` for the desktop's setting, by
  /// default three points. If the trigger requires a hold, the default is at least ten points.
  public var threshold: Int?
  /// The container that the items are dragged from: see ``DragSession/container``. `nil` for the container at the place
  /// of the press, if the library observes the presses (``DragAndDrop/add(_:to:frame:)``): the
  /// ``DropRegion/containerName`` of the drop region there, or else the window. A drop in the same container is then
  /// ``DragRelation/sameContainer``, and ``policy`` makes it a move, if the items and the target permit that.
  public var container: DragContainer?
  /// Which operation is the default when the user holds no modifier key.
  public var policy = OperationPolicy.standard
  /// Whether presses are recognized. A change does not affect a press that is held already.
  public var isEnabled = true
  /// The last drag, which may be over.
  public private(set) var session: DragSession?

  /// The press that is not yet a drag or a click; otherwise `nil`.
  package var currentPress: DragPress? { gesture.press }

  private weak var context: SessionContext?
  private weak var delegate: (any DragInteractionDelegate)?
  /// The delegate, if this object retains it.
  private var keptDelegate: (any DragInteractionDelegate)?
  private var gesture = DragGesture() {
    didSet { alarm?.time = gesture.nextDeadline }
  }
  private var alarm: Alarm?
  /// The container at the place of the held press; `nil` if the host has reported the press.
  private(set) var pressedContainer: DragContainer?

  /// Creates an interaction that begins drags with `driver`.
  ///
  /// - Parameters:
  ///   - driver: Not retained.
  ///   - delegate: Not retained. It is also the delegate of the drags.
  public init(_ driver: DragAndDrop, delegate: any DragInteractionDelegate) {
    context = driver.context
    self.delegate = delegate
    alarm = driver.reactor.alarm { [unowned self] in receive(.deadlineReached) }
  }

  /// Creates an interaction that retains its delegate.
  package convenience init(_ driver: DragAndDrop, retaining delegate: any DragInteractionDelegate) {
    self.init(driver, delegate: delegate)
    keptDelegate = delegate
  }

  /// Reports that a button, a finger or a pen went down.
  public func press(_ press: DragPress) { receive(.pressed(press)) }

  /// Reports that the pointer has moved. Ignored without a press.
  ///
  /// - Parameter rootLocation: The position in root coordinates, in device pixels.
  public func move(to rootLocation: Point) { receive(.moved(to: rootLocation)) }

  /// Reports that a button was released.
  public func release(_ button: PointerButton = .primary) { receive(.released(button)) }

  /// Discards the press, which then becomes neither a drag nor a click, for example because the host scrolls with it.
  public func cancel() { receive(.cancelled) }

  /// Whether a press is held that began in the given window, or that the host has reported.
  func isPressed(in window: WindowID) -> Bool {
    currentPress != nil && (pressedContainer == nil || pressedContainer?.window == window)
  }

  /// - Parameter place: The container at the place of a press; `nil` if it is not known.
  func receive(_ input: DragGesture.Input, in place: DragContainer? = nil) {
    guard let context else { return }
    if case .pressed(let press) = input {
      guard isEnabled else { return }
      let trigger = press.device.isTouch ? touchTrigger : trigger
      let threshold = threshold ?? defaultThreshold(for: trigger, context.reactor.system.settings)
      let settings = DragGesture.Settings(button: button, trigger: trigger, threshold: threshold)
      _ = gesture.receive(.configured(settings), at: context.reactor.now)
    }
    let effects = gesture.receive(input, at: context.reactor.now)
    if case .pressed(let press) = input, gesture.press == press { pressedContainer = place }
    for effect in effects { perform(effect, context) }
  }

  private func defaultThreshold(for trigger: DragTrigger, _ settings: DesktopSettings) -> Int {
    DragGesture.Settings.threshold(for: trigger, desktop: settings.dragThreshold, scale: settings.scale)
  }

  private func perform(_ effect: DragGesture.Effect, _ context: SessionContext) {
    guard let delegate else { return }
    switch effect {
    case .lifted(let press): delegate.dragInteraction(self, liftedItemAt: press)
    case .settled(let press): delegate.dragInteraction(self, settledItemAt: press)
    case .clicked(let press): delegate.dragInteraction(self, clickedAt: press)
    case .began(let press):
      let items = delegate.dragInteraction(self, itemsForBeginningAt: press)
      guard !items.isEmpty else { break }
      let drag = context.beginDrag(
        items, preview: delegate.dragInteraction(self, previewForDragAt: press), button: press.button,
        of: press.device, at: press.time, from: container ?? pressedContainer, policy: policy, delegate: delegate)
      // This object may be gone before the drag ends.
      if let keptDelegate { drag.retain(keptDelegate) }
      session = drag
      delegate.dragInteraction(self, began: drag)
    }
  }
}

@available(*, unavailable)
extension DragInteraction: Sendable {}
