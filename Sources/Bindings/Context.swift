// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Synchronization
import XDnD
public import XDnDInterface

/// The object of an `xdnd_context` handle.
final class Context: HandledObject {
  let driver: DragAndDrop
  let isBorrowed: Bool
  /// The objects whose handles end with the context. The driver does not retain the delegates of drags.
  var objects: [ObjectIdentifier: HandledObject] = [:]
  private var targets: [WindowID: Target] = [:]
  private var sources: [WindowID: Source] = [:]
  /// The clipboards that the host has requested.
  private var clipboards: [(kind: xdnd_clipboard_kind, content: Content)] = []

  init(_ driver: DragAndDrop, isBorrowed: Bool) {
    self.driver = driver
    self.isBorrowed = isBorrowed
    super.init()
    Self.opened.withLock { $0[driver.id] = UInt(bitPattern: handle) }
    // Forgetting the target releases its callbacks; their deinitializer calls the host's `destroyed`.
    driver.onDropTargetLost = { [weak self] window, _ in self?.forget(window) }
  }

  /// The handles of the open contexts, by the ``DragAndDrop/id`` that their requests for content have in common.
  private static let opened = Mutex<[ObjectIdentifier: UInt]>([:])

  /// Returns the open context whose drag or clipboard the request is for; `nil` if it is closed. Items belong to no
  /// context.
  static func providing(for request: DataRequest) -> Context? {
    let handle = opened.withLock { $0[request.dragAndDrop] }
    return handle.flatMap { Handles.find(OpaquePointer(bitPattern: $0), Context.self) }
  }

  /// Creates a context, and passes its handle to the host.
  static func open(
    _ options: UnsafePointer<xdnd_context_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?, isBorrowed: Bool,
    _ connect: (Configuration) throws(XDnDError) -> DragAndDrop
  ) throws(Failure) {
    guard let out else { throw .argument("there is no place for the context") }
    out.pointee = nil
    let configuration = Configuration(try xdnd_context_options(options))
    out.pointee = Context(try converting(connect(configuration)), isBorrowed: isBorrowed).handle
  }

  /// Ends all handles. The driver is deallocated with its last reference, which a running call may hold.
  func close() {
    guard isOpen else { return }
    endHandle()
    Self.opened.withLock { $0[driver.id] = nil }
    driver.onOtherEvent = nil
    driver.onDropTargetLost = nil
    let ended = objects.values
    for object in ended { object.endHandle() }
    // Drops that are answered, or not dropped yet, refuse this answer.
    for case let drop as Drop in ended { try? drop.answer(nil) }
    for source in sources.values { driver.remove(source.interaction) }
    for window in targets.keys { driver.unregisterDropTarget(window) }
    (targets, sources, clipboards) = ([:], [:], [])
    // Last, because the release of a request refuses it.
    withExtendedLifetime(ended) {}
  }

  /// - Parameter area: The part of the window that takes drops; `nil` for all of it.
  func register(_ callbacks: TargetCallbacks, for window: WindowID, accepting offer: DropOffer, in area: Rect?) {
    let target = targets[window] ?? Target(callbacks, of: self)
    target.callbacks = callbacks
    targets[window] = target
    guard !target.setArea(area, accepting: offer) else { return }
    if let region = target.region {
      driver.registerDropTarget(window, regions: [region])
    } else {
      driver.registerDropTarget(window, accepting: offer, delegate: target)
    }
  }

  func unregister(_ window: WindowID) {
    forget(window)
    driver.unregisterDropTarget(window)
  }

  /// Forgets a window. Drags over it retain their callbacks until they have ended.
  private func forget(_ window: WindowID) { targets.removeValue(forKey: window)?.unregistered() }

  /// - Parameter source: `nil` to stop observing the presses in the window.
  func observe(_ window: WindowID, for source: Source?) {
    if let old = sources.removeValue(forKey: window) { driver.remove(old.interaction) }
    guard let source else { return }
    sources[window] = source
    driver.add(source.interaction, to: window)
  }

  func clipboard(_ kind: xdnd_clipboard_kind) throws(Failure) -> Clipboard {
    switch kind {
    case XDND_CLIPBOARD: driver.clipboard
    case XDND_PRIMARY: driver.primarySelection
    default: throw .argument("there is no clipboard \(kind.rawValue)")
    }
  }

  /// Returns the content of a clipboard. Each call returns the same object, so a clipboard has one handle.
  func content(of kind: xdnd_clipboard_kind) throws(Failure) -> Content {
    if let known = clipboards.first(where: { $0.kind == kind }) { return known.content }
    let content = Content(try clipboard(kind), of: self)
    clipboards.append((kind, content))
    return content
  }
}

extension Configuration {
  init(_ options: xdnd_context_options) {
    self.init()
    if options.finish_timeout > 0 { finishTimeout = .milliseconds(options.finish_timeout) }
    if options.transfer_timeout > 0 { limits.transferTimeout = .milliseconds(options.transfer_timeout) }
    if options.wait_timeout > 0 { choiceTimeout = .milliseconds(options.wait_timeout) }
    if options.maximum_length > 0 { limits.maximumTransferSize = Int(clamping: options.maximum_length) }
    showsDragImages = !options.hides_drag_images
  }
}

// MARK: - The library

@c @implementation
public func xdnd_has_feature(_ name: UnsafePointer<CChar>?) -> Bool {
  guard let name else { return false }
  return [
    "clipboard", "direct-save", "drag-images", "input-devices", "promised-files", "streams",
  ].contains(String(cString: name))
}

// MARK: - The context

@c @implementation
public func xdnd_connect(
  _ display: UnsafePointer<CChar>?, _ options: UnsafePointer<xdnd_context_options>?,
  _ context: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    try Context.open(options, context, isBorrowed: false) { configuration throws(XDnDError) in
      try DragAndDrop(connectingTo: display.map { String(cString: $0) }, configuration: configuration)
    }
  }
}

@c @implementation
public func xdnd_borrow(
  _ display: OpaquePointer?, _ options: UnsafePointer<xdnd_context_options>?,
  _ context: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    guard let display else { throw .argument("there is no display") }
    try Context.open(options, context, isBorrowed: true) { configuration throws(XDnDError) in
      try DragAndDrop(borrowing: display, configuration: configuration)
    }
  }
}

@c @implementation
public func xdnd_close(_ context: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in try Context.find(context).close() }
}

@c @implementation
public func xdnd_display(_ context: OpaquePointer?) -> OpaquePointer? {
  guard let driver = Handles.find(context, Context.self)?.driver, !driver.isClosed else { return nil }
  return driver.display
}

@c @implementation
public func xdnd_fd(_ context: OpaquePointer?) -> CInt {
  Handles.find(context, Context.self)?.driver.fileDescriptor ?? -1
}

@c @implementation
public func xdnd_timeout(_ context: OpaquePointer?) -> CInt {
  Handles.find(context, Context.self)?.driver.pollTimeout ?? -1
}

@c @implementation
public func xdnd_process(_ context: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in
    let context = try Context.find(context)
    try converting(context.driver.process())
  }
}

@c @implementation
public func xdnd_filter(_ context: OpaquePointer?, _ event: UnsafeRawPointer?) -> Bool {
  guard let event, let context = Handles.find(context, Context.self) else { return false }
  return context.driver.filter(xEvent: event)
}

@c @implementation
public func xdnd_on_event(
  _ context: OpaquePointer?, _ callback: (@convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Void)?,
  _ user: UnsafeMutableRawPointer?
) -> xdnd_result {
  result { () throws(Failure) in
    let context = try Context.find(context)
    guard !context.isBorrowed else { throw .state("you read the events of a borrowed connection") }
    context.driver.onOtherEvent = callback.map { callback in { callback($0, user) } }
  }
}

@c @implementation
public func xdnd_synchronize(_ context: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in try Context.find(context).driver.synchronize() }
}

@c @implementation
public func xdnd_is_animating(_ context: OpaquePointer?) -> Bool {
  Handles.find(context, Context.self)?.driver.isAnimatingDragEnd ?? false
}
