// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

/// The callbacks of `xdnd_target_options`. A drop keeps the callbacks that were registered when its drag entered.
final class TargetCallbacks {
  let options: xdnd_target_options

  init(_ options: xdnd_target_options) { self.options = options }

  deinit { options.destroyed?(options.user) }
}

/// A registered window, and the drags over it.
final class Target: DropDelegate {
  /// The callbacks for the next drag.
  var callbacks: TargetCallbacks
  /// The part of the window that takes drops; `nil` for the whole window.
  private(set) var region: DropRegion?
  private weak var context: Context?
  fileprivate var drops: [ObjectIdentifier: Drop] = [:]

  init(_ callbacks: TargetCallbacks, of context: Context) {
    self.callbacks = callbacks
    self.context = context
  }

  /// Returns whether only the region has changed, so the registration stays.
  func setArea(_ area: Rect?, accepting offer: DropOffer) -> Bool {
    guard let area else {
      region = nil
      return false
    }
    if let region {
      (region.frame, region.offer) = (area, offer)
      return true
    }
    region = DropRegion(frame: area, accepting: offer, delegate: self)
    return false
  }

  /// Notes that the window was unregistered. Its unanswered drops are about to be rejected.
  func unregistered() {
    for drop in drops.values { drop.ended() }
  }

  func dropEntered(_ session: DropSession) {
    // If a window gets an area during a drag, the drag enters a second time.
    guard let context, drops[ObjectIdentifier(session)] == nil else { return }
    let drop = Drop(session, over: self, of: context)
    drops[ObjectIdentifier(session)] = drop
    drop.options.entered?(drop.handle, drop.options.user)
  }

  func dropUpdated(_ session: DropSession) -> DropProposal {
    guard let drop = drops[ObjectIdentifier(session)], let moved = drop.options.moved else {
      return session.suggestedProposal
    }
    let place = session.location ?? session.rootLocation
    var proposal = xdnd_proposal(session.suggestedProposal)
    moved(drop.handle, CInt(clamping: place.x), CInt(clamping: place.y), &proposal, drop.options.user)
    return DropProposal(proposal)
  }

  func dropExited(_ session: DropSession, _ reason: DropExit) {
    guard let drop = drops[ObjectIdentifier(session)] else { return }
    drop.options.left?(drop.handle, xdnd_exit(reason), drop.options.user)
    drop.endHandle()
  }

  func performDrop(_ session: DropSession) {
    guard let drop = drops[ObjectIdentifier(session)] else { return session.reject() }
    drop.dropped { drop.options.dropped(drop.handle, drop.options.user) }
  }

  func dropEnded(_ session: DropSession, _ result: DropResult) {
    guard let drop = drops[ObjectIdentifier(session)] else { return }
    drop.ended()
    var operation: DragOperation?
    if case .finished(let finished) = result { operation = finished }
    drop.options.ended?(drop.handle, xdnd_drop_result(result), xdnd_operation(operation), drop.options.user)
    drop.endHandle()
  }
}

/// The object of an `xdnd_drop` handle.
final class Drop: HandledObject {
  let session: DropSession
  let content: Content
  let types: CStrings
  /// Retained, because the host may unregister the window before the drag ends. The driver does not retain it.
  private let target: Target
  private let callbacks: TargetCallbacks
  /// The best type at Enter, and at the drop, when the content of files is known. Both strings stay, because the host
  /// may still use the first one.
  private var bestTypes: [CStrings]
  /// Whether the drop waits for its answer.
  private var awaitsAnswer = false
  /// Whether the host answers later, regardless of the results of its loads.
  private var waits = false
  /// Whether the host's `dropped` is running: a load may fail before the call that begins it returns.
  private var isTelling = false
  private var results: (good: Int, bad: Int) = (0, 0)
  /// The direct saves that have not ended.
  private var saves: Set<ObjectIdentifier> = []

  init(_ session: DropSession, over target: Target, of context: Context) {
    self.session = session
    self.target = target
    callbacks = target.callbacks
    types = CStrings(session.types.map(\.name))
    bestTypes = [CStrings(session.bestType.map { [$0.name] } ?? [])]
    content = Content(session, of: context)
    super.init(of: context)
    content.onLoadEnd = { [weak self] in self?.loadEnded($0) }
  }

  var options: xdnd_target_options { callbacks.options }

  /// Also ends the handles of the content and of its loads.
  override func endHandle() {
    super.endHandle()
    content.endHandle()
    // A direct save may outlast its drop.
    saves = []
    target.drops[ObjectIdentifier(session)] = nil
  }

  var best: UnsafePointer<CChar>? { bestTypes.last?.pointers.first ?? nil }

  // MARK: The answer

  func dropped(_ tell: () -> Void) {
    bestTypes.append(CStrings(session.bestType.map { [$0.name] } ?? []))
    awaitsAnswer = true
    isTelling = true
    tell()
    isTelling = false
    answerIfForgotten()
  }

  func answer(_ operation: DragOperation?) throws(Failure) {
    guard awaitsAnswer else { throw .state("no drop awaits an answer") }
    awaitsAnswer = false
    if let operation { session.finish(operation) } else { session.reject() }
  }

  func wait() throws(Failure) {
    guard awaitsAnswer else { throw .state("no drop awaits an answer") }
    waits = true
    session.waitForUser()
  }

  func ended() { awaitsAnswer = false }

  /// Begins a direct save, and passes its handle to the host.
  func save(
    into directory: FileDirectory, _ options: xdnd_save_options, _ out: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Failure) {
    guard awaitsAnswer else { throw .state("no drop awaits an answer") }
    let save = Save(options, of: context)
    let id = ObjectIdentifier(save)
    saves.insert(id)
    out?.pointee = save.handle
    save.begin(session, into: directory) { [weak self] isGood in
      if let self, saves.remove(id) != nil { loadEnded(isGood) }
    }
  }

  private func loadEnded(_ isGood: Bool) {
    if isGood { results.good += 1 } else { results.bad += 1 }
    answerIfForgotten()
  }

  /// Answers the drop if the host did not, and no load is running.
  private func answerIfForgotten() {
    guard awaitsAnswer, !isTelling, !waits, !content.isLoading, saves.isEmpty else { return }
    awaitsAnswer = false
    let agreed = session.droppedOperation ?? .copy
    // After a move the source deletes everything, so a failed load makes it a copy.
    if results.good > 0 {
      session.finish(agreed == .move && results.bad > 0 ? .copy : agreed)
    } else {
      session.reject()
    }
  }
}

extension xdnd_proposal {
  init(_ proposal: DropProposal) {
    let isMark = proposal.quietRegion.isEmpty && !proposal.markedRegion.isEmpty
    let region = isMark ? proposal.markedRegion : proposal.quietRegion
    self.init(
      operation: xdnd_operation(proposal.operation), x: CInt(clamping: region.origin.x),
      y: CInt(clamping: region.origin.y), width: CInt(clamping: region.width), height: CInt(clamping: region.height),
      is_mark: isMark ? 1 : 0)
  }
}

extension DropProposal {
  init(_ proposal: xdnd_proposal) {
    let region = Rect(
      x: Int(proposal.x), y: Int(proposal.y), width: max(0, Int(proposal.width)), height: max(0, Int(proposal.height)))
    self.init(operation: DragOperation(proposal.operation))
    if proposal.is_mark != 0 { markedRegion = region } else { quietRegion = region }
  }
}

extension Rect {
  /// The part of the window that takes drops; `nil` for the whole window.
  fileprivate init?(areaOf options: xdnd_target_options) {
    guard options.area_width > 0, options.area_height > 0 else { return nil }
    self.init(
      x: Int(options.area_x), y: Int(options.area_y), width: Int(options.area_width), height: Int(options.area_height))
  }
}

extension xdnd_exit {
  init(_ reason: DropExit) {
    self =
      switch reason {
      case .left: XDND_EXIT_LEFT
      case .sourceVanished: XDND_EXIT_SOURCE_VANISHED
      case .replaced: XDND_EXIT_REPLACED
      case .refused: XDND_EXIT_REFUSED
      case .unregistered: XDND_EXIT_UNREGISTERED
      }
  }
}

extension xdnd_drop_result {
  init(_ result: DropResult) {
    self =
      switch result {
      case .finished: XDND_DROP_FINISHED
      case .rejected: XDND_DROP_REJECTED
      case .sourceVanished: XDND_DROP_SOURCE_VANISHED
      case .timedOut: XDND_DROP_TIMED_OUT
      }
  }
}

// MARK: - The interface

@c @implementation
public func xdnd_register(
  _ context: OpaquePointer?, _ window: xdnd_window, _ options: UnsafePointer<xdnd_target_options>?
) -> xdnd_result {
  result { () throws(Failure) in
    let context = try Context.find(context)
    let options = try xdnd_target_options(required: options, "the options of the target")
    guard window != 0 else { throw .argument("there is no window 0") }
    guard options.dropped != nil else { throw .argument("nothing handles the drops") }
    guard let names = options.types, options.type_count > 0 else { throw .argument("no type is accepted") }
    var types: [ContentType] = []
    for name in UnsafeBufferPointer(start: names, count: options.type_count) {
      types.append(try ContentType(argument: name))
    }
    let operations = try DragOperation.all(options.operations, options.operation_count)
    try converting(context.driver.checkDropTarget(WindowID(rawValue: window)))
    var offer = DropOffer(types, operations: operations)
    offer.readsFiles = options.no_files == 0
    context.register(
      TargetCallbacks(options), for: WindowID(rawValue: window), accepting: offer, in: Rect(areaOf: options))
  }
}

@c @implementation
public func xdnd_top_level_window(_ context: OpaquePointer?, _ window: xdnd_window) -> xdnd_window {
  let driver = Handles.find(context, Context.self)?.driver
  return driver?.topLevelWindow(of: WindowID(rawValue: window))?.rawValue ?? 0
}

@c @implementation
public func xdnd_unregister(_ context: OpaquePointer?, _ window: xdnd_window) -> xdnd_result {
  result { () throws(Failure) in try Context.find(context).unregister(WindowID(rawValue: window)) }
}

@c @implementation
public func xdnd_drop_type_count(_ drop: OpaquePointer?) -> Int {
  Handles.find(drop, Drop.self)?.types.pointers.count ?? 0
}

@c @implementation
public func xdnd_drop_type(_ drop: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  guard let types = Handles.find(drop, Drop.self)?.types.pointers, types.indices.contains(index) else { return nil }
  return types[index]
}

@c @implementation
public func xdnd_drop_best_type(_ drop: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(drop, Drop.self)?.best
}

@c @implementation
public func xdnd_drop_position(
  _ drop: OpaquePointer?, _ x: UnsafeMutablePointer<CInt>?, _ y: UnsafeMutablePointer<CInt>?
) -> xdnd_result {
  result { () throws(Failure) in
    guard let place = try Drop.find(drop).session.location else { throw Failure(XDND_ERROR_VANISHED) }
    x?.pointee = CInt(clamping: place.x)
    y?.pointee = CInt(clamping: place.y)
  }
}

@c @implementation
public func xdnd_drop_root_position(
  _ drop: OpaquePointer?, _ x: UnsafeMutablePointer<CInt>?, _ y: UnsafeMutablePointer<CInt>?
) -> xdnd_result {
  result { () throws(Failure) in
    let place = try Drop.find(drop).session.rootLocation
    x?.pointee = CInt(clamping: place.x)
    y?.pointee = CInt(clamping: place.y)
  }
}

@c @implementation
public func xdnd_drop_operation(_ drop: OpaquePointer?) -> xdnd_operation {
  let session = Handles.find(drop, Drop.self)?.session
  return xdnd_operation(session?.droppedOperation ?? session?.requestedOperation)
}

@c @implementation
public func xdnd_drop_window(_ drop: OpaquePointer?) -> xdnd_window {
  Handles.find(drop, Drop.self)?.session.window.rawValue ?? 0
}

@c @implementation
public func xdnd_drop_source(_ drop: OpaquePointer?) -> xdnd_window {
  Handles.find(drop, Drop.self)?.session.sourceWindow.rawValue ?? 0
}

@c @implementation
public func xdnd_drop_finish(_ drop: OpaquePointer?, _ operation: xdnd_operation) -> xdnd_result {
  result { () throws(Failure) in
    let drop = try Drop.find(drop)
    guard let operation = DragOperation(operation), operation != .ask else {
      throw .argument("\(operation.rawValue) is not an operation that a drop can report")
    }
    try drop.answer(operation)
  }
}

@c @implementation
public func xdnd_drop_reject(_ drop: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in try Drop.find(drop).answer(nil) }
}

@c @implementation
public func xdnd_drop_wait(_ drop: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in try Drop.find(drop).wait() }
}

@c @implementation
public func xdnd_drop_content(_ drop: OpaquePointer?) -> OpaquePointer? {
  Handles.find(drop, Drop.self)?.content.handle
}
