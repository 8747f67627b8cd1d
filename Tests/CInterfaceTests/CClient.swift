import Glibc
import TestSupport
import XDnD
import XDnDBindings
import XDnDInterface
import XDnDX11

/// A program with a window that uses the C interface as C would: by its header, with functions that capture nothing.
final class CClient {
  let context: OpaquePointer
  let window: xdnd_window
  let server: XServer
  /// What the callbacks have told, in order.
  private(set) var told: [String] = []
  /// What came of the loads.
  private(set) var content: [[UInt8]] = []
  /// A drop that is answered later.
  var drop: OpaquePointer?
  /// The last drag.
  private(set) var drag: OpaquePointer?
  /// What a press in its window drags.
  private var dragged: UnsafeMutablePointer<OpaquePointer?>?
  /// Whether it tells the release and the end of what a press in its window drags.
  var tellsRelease = false
  /// Whether it wants more of streamed content.
  var takesParts = true
  /// The last progress of a load.
  var loadedCount: UInt64 = 0
  /// How many bytes of it the target has received.
  private(set) var sent: UInt64 = 0
  /// Called for a drop.
  var onDrop: (CClient, OpaquePointer?) -> Void = { client, drop in
    client.load { xdnd_load_text(xdnd_drop_content(drop), $0, nil) }
  }
  /// Called when a load has ended.
  var onGrabNeeded: (OpaquePointer?) -> Void = { _ in }
  var onLoad: (CClient, xdnd_result) -> Void = { _, _ in }

  init(on server: XServer, _ options: xdnd_context_options? = nil) throws {
    var context: OpaquePointer?
    let opened =
      if let options {
        withUnsafePointer(to: options) { xdnd_connect(server.displayName, $0, &context) }
      } else {
        xdnd_connect(server.displayName, nil, &context)
      }
    guard opened == XDND_OK, let context, let display = xdnd_display(context) else {
      throw HarnessError("no context: \(String(cString: xdnd_message()))")
    }
    self.context = context
    self.server = server
    let root = XDefaultRootWindow(display)
    window = xdnd_window(XCreateSimpleWindow(display, root, 10, 20, 200, 100, 0, 0, 0))
    XMapWindow(display, Window(window))
    XSync(display, 0)
  }

  deinit { close() }

  func close() { _ = xdnd_close(context) }

  func tell(_ words: String) { told.append(words) }

  var user: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ user: UnsafeMutableRawPointer?) -> CClient? {
    user.map { Unmanaged<CClient>.fromOpaque($0).takeUnretainedValue() }
  }

  func run(with others: [CClient] = [], until isDone: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    let clients = [self] + others
    while !isDone() {
      guard .now < deadline else { throw HarnessError("nothing more comes after \(told)") }
      for client in clients { _ = xdnd_process(client.context) }
      var waits = clients.map { pollfd(fd: xdnd_fd($0.context), events: Int16(POLLIN), revents: 0) }
      let timeouts = clients.map { xdnd_timeout($0.context) }.filter { $0 >= 0 } + [1000]
      if !isDone() { poll(&waits, nfds_t(waits.count), timeouts.min() ?? 0) }
    }
  }

  // MARK: The target

  /// - Parameters:
  ///   - other: Another client's window; `nil` for its own.
  ///   - area: The part of the window that takes drops; `nil` for all of it.
  func register(
    _ types: [String] = ["text/plain"], on other: xdnd_window? = nil,
    area: (x: Int, y: Int, width: Int, height: Int)? = nil
  ) -> xdnd_result {
    var options = xdnd_target_options()
    options.size = MemoryLayout<xdnd_target_options>.size
    if let area {
      (options.area_x, options.area_y) = (CInt(area.x), CInt(area.y))
      (options.area_width, options.area_height) = (CInt(area.width), CInt(area.height))
    }
    options.user = user
    options.destroyed = { CClient.of($0)?.tell("destroyed") }
    options.entered = { drop, user in CClient.of(user)?.tell("entered \(xdnd_drop_type_count(drop) > 0)") }
    options.moved = { _, x, y, proposal, user in
      CClient.of(user)?.tell("moved \(x),\(y) \(proposal?.pointee.operation.rawValue ?? 0)")
    }
    options.left = { _, reason, user in CClient.of(user)?.tell("left \(reason.rawValue)") }
    options.dropped = { drop, user in
      guard let client = CClient.of(user) else { return }
      client.tell("dropped")
      client.onDrop(client, drop)
    }
    options.ended = { _, result, operation, user in
      CClient.of(user)?.tell("ended \(result.rawValue) \(operation.rawValue)")
    }
    return register(options, types, for: other ?? window)
  }

  /// Registers a window with options of the test's own.
  func register(_ options: xdnd_target_options, _ types: [String], for window: xdnd_window) -> xdnd_result {
    var options = options
    let names = types.map { UnsafePointer<CChar>(strdup($0)) }
    defer { for name in names { free(UnsafeMutablePointer(mutating: name)) } }
    return names.withUnsafeBufferPointer {
      options.types = UnsafePointer(
        UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self))
      options.type_count = $0.count
      return xdnd_register(context, window, &options)
    }
  }

  @discardableResult
  func load(isStreamed: Bool = false, _ begin: (UnsafePointer<xdnd_load_options>) -> xdnd_result) -> xdnd_result {
    var options = xdnd_load_options()
    options.size = MemoryLayout<xdnd_load_options>.size
    options.user = user
    if isStreamed {
      options.received = { _, bytes, length, user in
        CClient.of(user)?.content.append(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
        return CClient.of(user)?.takesParts ?? false
      }
    }
    options.progress = { _, received, _, user in CClient.of(user)?.loadedCount = received }
    options.ended = { _, result, data, user in
      guard let client = CClient.of(user) else { return }
      if let bytes = data?.pointee.bytes, let length = data?.pointee.length {
        client.content.append(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
      }
      client.tell("loaded \(result.rawValue)")
      client.onLoad(client, result)
    }
    return begin(&options)
  }

  /// Begins a direct save; the paths of the files are its content.
  func save(_ drop: OpaquePointer?, into directory: String) -> xdnd_result {
    var options = xdnd_save_options()
    options.size = MemoryLayout<xdnd_save_options>.size
    options.user = user
    options.ended = { _, result, paths, count, user in
      guard let client = CClient.of(user) else { return }
      for path in UnsafeBufferPointer(start: paths, count: count) {
        path.map { client.content.append(Array(String(cString: $0).utf8)) }
      }
      client.tell("saved \(result.rawValue)")
    }
    return xdnd_save_into(drop, directory, &options, nil)
  }

  // MARK: The source

  /// Makes its window draggable: a press and a motion drag the item.
  ///
  /// - Parameter item: Where the item is; it stays there until the drag has begun. `nil` for no item.
  func drag(_ item: UnsafeMutablePointer<OpaquePointer?>?) -> xdnd_result {
    dragged = item
    return xdnd_on_drag(
      context, window,
      { _, _, _, options, user in
        guard let client = CClient.of(user), let options else { return false }
        options.pointee.user = user
        options.pointee.items = UnsafePointer(client.dragged)
        options.pointee.item_count = client.dragged == nil ? 0 : 1
        if client.tellsRelease {
          options.pointee.released = { _, user in CClient.of(user)?.tell("released") }
          options.pointee.destroyed = { CClient.of($0)?.tell("destroyed") }
        }
        options.pointee.began = { _, user in CClient.of(user)?.tell("began") }
        options.pointee.proposed = { _, operation, user in CClient.of(user)?.tell("proposed \(operation.rawValue)") }
        options.pointee.progress = { _, sent, _, user in CClient.of(user)?.sent = sent }
        options.pointee.ended = { _, outcome, operation, user in
          CClient.of(user)?.tell("ended \(outcome.rawValue) \(operation.rawValue)")
        }
        return true
      }, user)
  }

  /// Drops an item on the window of another client, without the pointer.
  func drop(_ item: OpaquePointer?, on other: CClient) -> xdnd_result {
    var options = xdnd_drag_options()
    options.size = MemoryLayout<xdnd_drag_options>.size
    options.user = user
    options.destroyed = { CClient.of($0)?.tell("drag destroyed") }
    options.dropped = { _, operation, user in CClient.of(user)?.tell("dropped \(operation.rawValue)") }
    options.progress = { _, sent, _, user in CClient.of(user)?.sent = sent }
    options.ended = { _, outcome, operation, user in
      CClient.of(user)?.tell("ended \(outcome.rawValue) \(operation.rawValue)")
    }
    return withUnsafePointer(to: item) {
      options.items = UnsafePointer($0)
      options.item_count = 1
      return xdnd_drop_on(context, other.window, 30, 40, &options, &drag)
    }
  }

  /// Begins a drag by a pointer that no button holds.
  ///
  /// - Parameter device: As in `xdnd_drag_options`.
  func begin(_ item: OpaquePointer?, device: Int32 = 0) -> xdnd_result {
    var options = xdnd_drag_options()
    options.size = MemoryLayout<xdnd_drag_options>.size
    options.user = user
    options.device = device
    options.grab_needed = { drag, user in
      guard let client = CClient.of(user) else { return }
      client.tell("needs grab")
      client.onGrabNeeded(drag)
    }
    options.began = { _, user in CClient.of(user)?.tell("began") }
    options.ended = { _, outcome, _, user in CClient.of(user)?.tell("ended \(outcome.rawValue)") }
    return withUnsafePointer(to: item) {
      options.items = UnsafePointer($0)
      options.item_count = 1
      return xdnd_begin_drag(context, &options, nil)
    }
  }

  static func item(_ fill: (OpaquePointer?) -> xdnd_result) throws -> OpaquePointer? {
    var item: OpaquePointer?
    guard xdnd_item_new(&item) == XDND_OK, fill(item) == XDND_OK else {
      throw HarnessError("no item: \(String(cString: xdnd_message()))")
    }
    return item
  }
}
