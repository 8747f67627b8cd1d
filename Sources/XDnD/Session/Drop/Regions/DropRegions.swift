/// The regions of one window. Acts as the window's delegate, and dispatches to the regions and to the registered
/// delegate.
final class DropRegions: DropDelegate {
  /// Lowest first.
  private(set) var regions: [DropRegion]
  /// Receives each visit of the window, and handles drags where no region accepts the content.
  private(set) weak var delegate: (any DropDelegate)?
  let offer: DropOffer
  private unowned let reactor: Reactor
  /// Whether regions open without blinking; `nil` for the desktop's setting.
  private let reducesMotion: Bool?
  private weak var hovering: DropSession?
  /// The regions that the visit has reached, and whether their delegates handle the drag.
  private var validations: [ObjectIdentifier: (region: DropRegion, isValid: Bool)] = [:]
  private var spring: (region: DropRegion, machine: SpringLoading)? {
    didSet { springAlarm.time = spring?.machine.nextDeadline }
  }
  private var scroll: (region: DropRegion, machine: AutoScroll)? {
    didSet { scrollAlarm.time = scroll?.machine.nextDeadline }
  }
  private lazy var springAlarm = reactor.alarm { [unowned self] in sendSpring(.tick) }
  private lazy var scrollAlarm = reactor.alarm { [unowned self] in scrollOn() }

  init(
    _ regions: [DropRegion], offer: DropOffer, delegate: (any DropDelegate)?, reactor: Reactor, reducesMotion: Bool?
  ) {
    self.regions = regions
    self.offer = offer
    self.delegate = delegate
    self.reactor = reactor
    self.reducesMotion = reducesMotion
  }

  func add(_ region: DropRegion) { regions.append(region) }

  /// Whether a region may accept the content of files.
  func mayReadFiles(among types: [ContentType]) -> Bool {
    func mayRead(_ region: DropRegion) -> Bool {
      offer(of: region).mayReadFiles(among: types) || region.children.contains(where: mayRead)
    }
    return regions.contains(where: mayRead)
  }

  /// The frames of the enabled outermost regions; `nil` if one of them is the whole window.
  var frames: [Rect]? {
    let enabled = regions.filter(\.isEnabled)
    let frames = enabled.compactMap(\.frame)
    return frames.count == enabled.count ? frames : nil
  }

  private func scrollOn() {
    guard let delta = sendScroll(.tick), let scroll else { return }
    // A region without a handler cannot scroll.
    let hasMoved = scroll.region.onAutoScroll?(delta.dx, delta.dy) ?? false
    if hasMoved { reconsider() } else { _ = sendScroll(.reachedEnd) }
  }

  func end() {
    guard let drop = hovering else { return }
    stopHovering(drop)
    leave(drop, .unregistered)
  }

  /// The name of the container at a place in root coordinates; `nil` for the window as a whole.
  func containerName(at root: Point, in window: WindowID) -> String? {
    reactor.system.translate(root, to: window).flatMap { containerName(atLocation: $0) }
  }

  /// The name of the container at a place in the window's coordinates; `nil` for the window as a whole.
  func containerName(atLocation location: Point) -> String? {
    Places(regions, at: location).path.lazy.compactMap(\.containerName).first
  }

  // MARK: The window's delegate

  func dropEntered(_ drop: DropSession) {
    hovering = drop
    validations = [:]
    drop.validate(by: delegate)
    windowDelegate(for: drop)?.dropEntered(drop)
  }

  /// The window's delegate; `nil` if it has refused the drag.
  private func windowDelegate(for drop: DropSession) -> (any DropDelegate)? { drop.isRefused ? nil : delegate }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    hovering = drop
    guard let location = drop.location else { return .forbidden }
    let places = Places(regions, at: location)
    followSpring(places, at: location)
    followScroll(places, at: location)
    return propose(drop, places)
  }

  func dropScrolled(_ drop: DropSession, _ scroll: WheelScroll) {
    guard let location = drop.location else { return }
    let places = Places(regions, at: location)
    if let onWheel = places.path.first(where: { $0.onWheel != nil })?.onWheel {
      onWheel(scroll)
    } else {
      // The pointer may have reached another region since the last position. That region's delegate does not know the
      // drag yet.
      let region = drop.region.flatMap { region in places.path.contains { $0 === region } ? region : nil }
      (region == nil ? windowDelegate(for: drop) : region?.delegate)?.dropScrolled(drop, scroll)
    }
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) {
    stopHovering(drop)
    leave(drop, reason)
    windowDelegate(for: drop)?.dropExited(drop, reason)
  }

  /// Ends the hover at the drop. ``performDrop(_:)`` may come later, after the list of files is read, and while another
  /// drag hovers.
  func dropped(_ drop: DropSession) { stopHovering(drop) }

  private func stopHovering(_ drop: DropSession) {
    guard hovering === drop else { return }
    hovering = nil
    endTimers()
    validations = [:]
    // The session keeps its region until the end of the drop.
    drop.region?.setTargeted(false)
  }

  func performDrop(_ drop: DropSession) {
    if let taker = drop.region == nil ? windowDelegate(for: drop) : drop.region?.delegate {
      taker.performDrop(drop)
    } else if let onDrop = drop.region?.onDrop {
      onDrop(drop)
    } else {
      drop.reject()
    }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) {
    (drop.region == nil ? windowDelegate(for: drop) : drop.region?.delegate)?.dropEnded(drop, result)
  }

  // MARK: Hit testing and proposals

  private func propose(_ drop: DropSession, _ places: Places) -> DropProposal {
    let region = places.path.first {
      $0.isTaken && drop.isAccepted(by: offer(of: $0)) && isValid(drop, for: $0)
    }
    let isNew = region !== drop.region
    if isNew {
      leave(drop, .left)
      drop.setRegion(region)
    }
    drop.setOffer(region.map { offer(of: $0) } ?? offer)
    if isNew { region?.delegate?.dropEntered(drop) }
    drop.updateSuggestion()
    guard let region else { return windowDelegate(for: drop)?.dropUpdated(drop) ?? .forbidden }
    // A region with closures names no quiet region: without positions, a drop would report an old location.
    var proposal = region.delegate?.dropUpdated(drop) ?? drop.suggestedProposal
    if proposal.markedRegion.isEmpty { proposal.markedRegion = markedRegion(places) }
    region.setTargeted(proposal.operation != nil)
    return proposal
  }

  /// Whether a region's delegate handles a drag that the region accepts. Asked once for each visit of the window.
  private func isValid(_ drop: DropSession, for region: DropRegion) -> Bool {
    guard let delegate = region.delegate else { return true }
    if let known = validations[ObjectIdentifier(region)] { return known.isValid }
    drop.setOffer(offer(of: region))
    let isValid = drop.isValid(for: delegate)
    validations[ObjectIdentifier(region)] = (region, isValid)
    return isValid
  }

  private func leave(_ drop: DropSession, _ reason: DropExit) {
    guard let region = drop.region else { return }
    if hovering === drop { region.setTargeted(false) }
    region.delegate?.dropExited(drop, reason)
    drop.setRegion(nil)
  }

  /// Updates the answer to the source, because the content under the resting pointer may have changed.
  private func reconsider() {
    guard let drop = hovering, drop.droppedOperation == nil, let location = drop.location else { return }
    let proposal = propose(drop, Places(regions, at: location))
    drop.showTaken(by: proposal)
    reactor.perform { $0.targets[drop.window]?.receive(.reconsidered(drop.id, drop.onRoot(proposal))) }
  }

  private func offer(of region: DropRegion) -> DropOffer { region.offer.using(offer.database) }

  /// The frame of the region under the pointer that would open; empty if there is none.
  private func markedRegion(_ places: Places) -> Rect {
    places.path.first { $0.springLoading != nil }.flatMap(places.frame) ?? Rect(x: 0, y: 0, width: 0, height: 0)
  }

  // MARK: Spring loading and scrolling

  private var isMotionReduced: Bool { reducesMotion ?? reactor.system.settings.appearance.reducesMotion }

  private func followSpring(_ places: Places, at location: Point) {
    let region = places.path.first { $0.springLoading != nil }
    let behavior = region?.springLoading.map { isMotionReduced ? $0.withoutBlinks : $0 }
    if spring?.region !== region || spring?.machine.behavior != behavior {
      sendSpring(.left)
      spring = region.flatMap { region in behavior.map { (region, SpringLoading($0)) } }
      sendSpring(.entered(location))
    } else {
      sendSpring(.moved(location))
    }
  }

  private func followScroll(_ places: Places, at location: Point) {
    let region = places.path.first { $0.autoScroll != nil }
    guard let region, let behavior = region.autoScroll, let view = places.frame(of: region) else {
      scroll = nil
      return
    }
    if scroll?.region !== region || scroll?.machine.behavior != behavior {
      scroll = (region, AutoScroll(behavior))
    }
    _ = sendScroll(.moved(location, in: view))
  }

  private func endTimers() {
    sendSpring(.left)
    spring = nil
    scroll = nil
  }

  private func sendSpring(_ input: SpringLoading.Input) {
    guard let effects = spring?.machine.receive(input, at: reactor.now), let region = spring?.region else {
      return
    }
    for effect in effects {
      switch effect {
      case .highlight(let highlight): region.onSpringLoadingHighlight?(highlight)
      case .activate:
        guard let drop = hovering else { break }
        region.onSpringLoad?(drop)
        reconsider()
      }
    }
  }

  private func sendScroll(_ input: AutoScroll.Input) -> ScrollDelta? {
    scroll?.machine.receive(input, at: reactor.now)
  }
}

/// The hit test of a position in a window.
private struct Places {
  /// The enabled regions at the position, innermost first.
  let path: [DropRegion]

  init(_ regions: [DropRegion], at location: Point) {
    var path: [DropRegion] = []
    var level = regions
    // The last of several is on top, and covers the others even if it is disabled. It disables its children, too.
    while let region = level.last(where: { $0.frame?.contains(location) ?? true }), region.isEnabled {
      path.append(region)
      level = region.children
    }
    self.path = path.reversed()
  }

  /// The frame of a region of the path: its own, or else the frame of the nearest enclosing region that has one.
  func frame(of region: DropRegion) -> Rect? {
    path.firstIndex { $0 === region }.flatMap { index in path[index...].lazy.compactMap(\.frame).first }
  }
}
