/// What can be dragged, for a ``DragInteraction``, and what becomes of it.
public protocol DragInteractionDelegate: DragDelegate {
  /// The gesture asks for a drag: what does the press drag?
  ///
  /// - Returns: Nothing if there is nothing to drag at that place. Then no drag begins.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem]

  /// What the user sees at the pointer.
  ///
  /// - Returns: `nil` for the images of the items, and where an item has none, one that the library draws.
  func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview?

  /// A drag was begun. It goes on by itself; what comes of it is told to the same delegate.
  func dragInteraction(_ interaction: DragInteraction, began drag: DragSession)

  /// The press has rested for long enough: show that the item comes off its place. See ``DragTrigger/hold(_:)``.
  func dragInteraction(_ interaction: DragInteraction, liftedItemAt press: DragPress)

  /// What was lifted stays where it is. A drag does not begin after all.
  func dragInteraction(_ interaction: DragInteraction, settledItemAt press: DragPress)

  /// The button went up where it went down, or near it: it was a click.
  func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress)
}

extension DragInteractionDelegate {
  /// The images of the items.
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

/// Begins a drag when the user presses and moves, and tells that from a click.
///
/// It is fed in one of two ways:
///
/// - by the library, for windows of its connection: ``DragAndDrop/add(_:to:frame:)``;
/// - by the host, which has the events anyway, or has them from a toolkit, from XInput 2, a touchscreen or a pen: call
///   ``press(_:)``, ``move(to:)`` and ``release(_:)``.
///
/// Once a drag has begun nothing more needs to be fed: it holds pointer and keyboard by itself.
public final class DragInteraction {
  /// What makes a drag of a press.
  public var trigger = DragTrigger.motion
  /// The button that drags. Others are left alone.
  public var button = PointerButton.primary
  /// How far the pointer has to move, in device pixels; `nil` for what the desktop's settings say, or else three points.
  public var threshold: Int?
  /// What the items are taken out of, see ``DragSession/container``.
  public var container: DragContainer?
  /// What a drop does when no modifier key says otherwise.
  public var policy = OperationPolicy.standard
  /// Whether presses are looked at. Nothing changes for one that is held already.
  public var isEnabled = true
  /// The drag that the last press has begun; it may be over.
  public private(set) var session: DragSession?

  /// What is held and has not become anything yet.
  public var currentPress: DragPress? { gesture.press }

  private weak var owner: DragAndDrop?
  private weak var delegate: (any DragInteractionDelegate)?
  /// Where nobody else keeps the delegate.
  private var keptDelegate: (any DragInteractionDelegate)?
  private var gesture = DragGesture()

  /// An interaction that begins drags with `driver`.
  ///
  /// - Parameters:
  ///   - driver: Not retained.
  ///   - delegate: Not retained. It is the delegate of the drags too.
  public init(_ driver: DragAndDrop, delegate: any DragInteractionDelegate) {
    owner = driver
    self.delegate = delegate
    driver.interactions.watch(self)
  }

  /// The same with a delegate that lives as long as this does.
  convenience init(_ driver: DragAndDrop, retaining delegate: any DragInteractionDelegate) {
    self.init(driver, delegate: delegate)
    keptDelegate = delegate
  }

  /// A button went down, or a finger or a pen.
  public func press(_ press: DragPress) { receive(.pressed(press)) }

  /// The pointer is at another place, in root coordinates in device pixels. Without a press that is nothing.
  public func move(to rootLocation: Point) { receive(.moved(to: rootLocation)) }

  /// A button went up.
  public func release(_ button: PointerButton = .primary) { receive(.released(button)) }

  /// Whatever is held becomes neither a drag nor a click: the host scrolls with it, for example.
  public func cancel() { receive(.cancelled) }

  var nextDeadline: LoopTime? { gesture.nextDeadline }

  func receive(_ input: DragGesture.Input) {
    guard let owner else { return }
    if case .pressed = input {
      guard isEnabled else { return }
      gesture.settings = DragGesture.Settings(
        button: button, trigger: trigger, threshold: threshold ?? owner.dragThreshold(for: trigger))
    }
    for effect in gesture.receive(input, at: owner.reactor.now) { perform(effect, owner) }
  }

  private func perform(_ effect: DragGesture.Effect, _ owner: DragAndDrop) {
    guard let delegate else { return }
    switch effect {
    case .lifted(let press): delegate.dragInteraction(self, liftedItemAt: press)
    case .settled(let press): delegate.dragInteraction(self, settledItemAt: press)
    case .clicked(let press): delegate.dragInteraction(self, clickedAt: press)
    case .began(let press):
      let items = delegate.dragInteraction(self, itemsForBeginningAt: press)
      guard !items.isEmpty else { break }
      let drag = owner.beginDrag(
        items, preview: delegate.dragInteraction(self, previewForDragAt: press), button: press.button, at: press.time,
        from: container, policy: policy, delegate: delegate)
      session = drag
      delegate.dragInteraction(self, began: drag)
    }
  }
}

@available(*, unavailable)
extension DragInteraction: Sendable {}

/// All interactions of a ``DragAndDrop``, and the places that some of them are attached to.
struct DragInteractions {
  private var all: [Reference] = []
  private var places: [Place] = []

  private struct Reference {
    weak var interaction: DragInteraction?
  }

  private struct Place {
    var window: WindowID
    /// In the window; `nil` for all of it.
    var frame: Rect?
    var interaction: DragInteraction
  }

  mutating func watch(_ interaction: DragInteraction) {
    all.removeAll { $0.interaction == nil }
    all.append(Reference(interaction: interaction))
  }

  mutating func attach(_ interaction: DragInteraction, to window: WindowID, frame: Rect?) {
    places.append(Place(window: window, frame: frame, interaction: interaction))
  }

  /// - Returns: The windows that it was attached to, one for each time.
  mutating func detach(_ interaction: DragInteraction) -> [WindowID] {
    let windows = places.filter { $0.interaction === interaction }.map(\.window)
    places.removeAll { $0.interaction === interaction }
    return windows
  }

  /// The window is gone, and its id may come back as another one.
  mutating func forget(_ window: WindowID) { places.removeAll { $0.window == window } }

  var nextDeadline: LoopTime? { all.compactMap { $0.interaction?.nextDeadline }.min() }

  /// Does what is due.
  func advance() {
    for reference in all where reference.interaction?.nextDeadline != nil {
      reference.interaction?.receive(.deadlineReached)
    }
  }

  /// A press is for the newest of those that are attached at its place; what follows it is for those that have one.
  func receive(_ input: DragGesture.Input, in window: WindowID) {
    let here = places.filter { $0.window == window }
    guard case .pressed(let press) = input else {
      for place in here where place.interaction.currentPress != nil { place.interaction.receive(input) }
      return
    }
    here.last { $0.interaction.isEnabled && ($0.frame?.contains(press.location) ?? true) }?.interaction.receive(input)
  }
}
