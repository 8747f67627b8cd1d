/// The unfinished drags of this program: at most one before its drop, and the drops that await Finished.
final class Drags {
  /// The content and settings of a drag besides its offer.
  struct Content {
    /// Types that are served without being offered.
    var unlisted: [AtomName] = []
    /// The texts of `XdndActionDescription`.
    var descriptions: [DragOperation: String] = [:]
    /// The file that is offered by direct save.
    var file: DirectSaveOffer.File?
    /// Types whose bytes are not content: the answer to a direct save, and a list of promised files.
    var uncounted: Set<AtomName> = []
    /// How many bytes the content holds in memory.
    var byteCount = 0
    /// Whether only windows that are registered here can be targets. Fixed when the drag begins.
    var isRestricted = false
  }

  private let environment: Drag.Environment
  private let grab = PointerGrab()
  /// Oldest first.
  private var drags: [Drag] = []
  /// The newest drag, which may have ended.
  private(set) var current: DragID?

  init(_ environment: Drag.Environment) {
    self.environment = environment
  }

  private var context: DriverContext { environment.context }

  var isEmpty: Bool { drags.isEmpty }

  /// A drag that has not ended.
  subscript(id: DragID) -> Drag? { drags.first { $0.drag == id } }

  private var currentDrag: Drag? { current.flatMap { self[$0] } }

  /// A drop that ended without Finished, which its target may still send. Finished names no drop, so it could end a
  /// later one.
  private struct GivenUp {
    let drag: DragID
    let target: DropTarget
    let until: LoopTime
  }

  /// How long a target may take to give up a stalled transfer. GTK waits for 30 seconds.
  private static let lateFinished = Duration.seconds(40)

  /// Oldest first.
  private var givenUp: [GivenUp] = []

  /// The drag that the user holds.
  var held: DragID? { drags.first(where: \.isHeld)?.drag }

  // MARK: Begin

  /// Begins a drag that follows the user's pointer. Notices with its id report its progress and its end.
  ///
  /// - Parameters:
  ///   - container: The container that the content is dragged from.
  ///   - appearance: `nil` for a drag without an image.
  func begin(
    _ drag: DragID, of half: AnyObject? = nil, _ offer: SourceMachine.Offer, _ content: Content = Content(),
    from container: DragContainer? = nil, appearance: DragAppearance? = nil
  ) {
    begin(drag, of: half, offer, content, PointerHand(grab, context), from: container, appearance: appearance)
  }

  /// Begins a drag to a given window, along a path and without a pointer.
  ///
  /// - Parameters:
  ///   - point: Where to drop, in the window's coordinates; `nil` for its middle.
  ///   - path: The places to visit before, in the window's coordinates.
  func begin(
    _ drag: DragID, of half: AnyObject? = nil, _ offer: SourceMachine.Offer, _ content: Content = Content(),
    on window: WindowID, at point: Point?, along path: [Point]
  ) {
    begin(drag, of: half, offer, content, ScriptedHand(to: window, at: point, along: path, context))
  }

  private func begin(
    _ drag: DragID, of half: AnyObject?, _ offer: SourceMachine.Offer, _ content: Content, _ hand: any DragHand,
    from container: DragContainer? = nil, appearance: DragAppearance? = nil
  ) {
    // The drag window, as a source, can be over one target only, so an earlier drag ends unless it has been dropped.
    let earlier = currentDrag.flatMap { $0.machine.hasDropped ? nil : $0 }
    let served = environment.offers.add(drag, of: half, offer, content)
    served.setFile(content.file)
    let begun = Drag(
      drag, SourceMachine(offer: offer, timing: context.timing.source), hand, served, from: container,
      descriptions: content.descriptions, isRestricted: content.isRestricted, appearance: appearance, environment,
      in: self)
    served.drag = begun
    drags.append(begun)
    current = drag
    // Both before any notice: when notified of the earlier drag's end, the application may begin another one.
    earlier?.receive(.cancel(.application))
    begun.receive(.begin)
  }

  // MARK: Events

  /// Moves the drag image for an event whose turn has not come yet.
  func anticipate(_ event: ServerEvent) {
    let image = environment.image
    if let drag = image.shownDrag.flatMap({ self[$0] }) { image.anticipate(event, drag.drag, drag.machine) }
  }

  /// Takes the selection back if another client has released it during the current drag.
  ///
  /// - Returns: Whether this program owns the selection again.
  func reclaimSelection() -> Bool { currentDrag?.reclaimSelection() ?? false }

  /// Removes a drag that has ended.
  func remove(_ drag: Drag) { drags.removeAll { $0 === drag } }

  /// Notes a drop that is given up before its target has finished.
  func giveUp(_ drag: DragID, on target: DropTarget) {
    let now = context.now
    givenUp.removeAll { $0.until <= now }
    givenUp.append(GivenUp(drag: drag, target: target, until: now + Self.lateFinished))
  }

  /// Passes the user's input to the current drag, unless that is scripted. Input that is read during a scripted drag
  /// was meant for an earlier drag.
  func receiveFromUser(_ input: SourceMachine.Input) {
    if let drag = currentDrag, drag.isUsers { drag.receive(input) }
  }

  /// Passes an input to the newest drag, also to a scripted one.
  func receiveForCurrent(_ input: SourceMachine.Input) { currentDrag?.receive(input) }

  /// Passes a message of a target to the drag that waits for it: a Finished to the drop, others to the current drag.
  func receive(_ message: XdndMessage) {
    guard case .finished(let finished) = message else { return receiveForCurrent(.message(message)) }
    let drag = drags.first { $0.machine.awaitsFinished(from: finished.target) }
    let late = givenUp.firstIndex { $0.target.answers(as: finished.target) && context.now < $0.until }
    // A target that has fetched the content of the later drop is most probably finishing that one.
    if let late, drag.map({ givenUp[late].drag < $0.drag && !$0.machine.hasDelivered }) ?? true {
      givenUp.remove(at: late)
      if drag != nil { return }
    }
    (drag ?? currentDrag)?.receive(.message(message))
  }

  /// Handles the destruction of a window.
  func windowVanished(_ window: WindowID) {
    for drag in drags { drag.receive(.windowVanished(window)) }
  }

  /// Ends all drags.
  func serverLost() {
    for drag in drags { drag.receive(.serverLost) }
  }
}

extension SourceMachine {
  /// Whether only the target's Finished is missing.
  var hasDropped: Bool {
    if case .dropped = state { true } else { false }
  }
}
