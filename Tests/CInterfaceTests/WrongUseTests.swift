import Foundation
import Glibc
import TestSupport
import Testing
import XDnD
import XDnDBindings
import XDnDInterface
import XDnDX11

/// What the C interface does when a program does not do what the header asks for.
@Suite("Wrong use of the C interface", .requiresXvfb, .timeLimit(.minutes(1)))
struct WrongUseTests {
  private func withClients(
    _ options: xdnd_context_options? = nil, _ body: @escaping @Sendable (CClient, CClient) throws -> Void
  ) async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let (source, target) = (try CClient(on: server, options), try CClient(on: server, options))
        #expect(target.register() == XDND_OK)
        try body(source, target)
      }
    }
  }

  private func text(_ text: String = "x") throws -> OpaquePointer? {
    try CClient.item { xdnd_item_add_text($0, text) }
  }

  // MARK: Structs

  @Test func `members that a struct of an older header lacks have their defaults`() async throws {
    try await withClients { source, target in
      let item = try text()
      // The header of that version ended with `dropped`: what follows in memory is something else.
      var options = xdnd_target_options()
      options.size = try #require(MemoryLayout<xdnd_target_options>.offset(of: \.ended))
      options.user = target.user
      options.dropped = { _, user in CClient.of(user)?.tell("dropped") }
      options.ended = { _, _, _, user in CClient.of(user)?.tell("called") }
      #expect(target.register(options, ["text/plain"], for: target.window) == XDND_OK)
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.last?.hasPrefix("ended") == true }
      #expect(!target.told.contains("called"))
      // Nothing is loaded and nothing answered: the library rejects the drop.
      #expect(source.told == ["dropped 1", "ended \(XDND_OUTCOME_REFUSED.rawValue) 0"])
      _ = xdnd_item_free(item)
    }
  }

  @Test func `members that this version does not know are ignored`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        struct Newer {
          var known = xdnd_context_options()
          var unknown: (UInt64, UInt64) = (.max, .max)
        }
        var options = Newer()
        options.known.size = MemoryLayout<Newer>.size
        var context: OpaquePointer?
        let result = withUnsafePointer(to: options) {
          xdnd_connect(
            server.displayName, UnsafeRawPointer($0).assumingMemoryBound(to: xdnd_context_options.self), &context)
        }
        #expect(result == XDND_OK)
        #expect(xdnd_close(context) == XDND_OK)
      }
    }
  }

  @Test func `a type whose name no atom can have is refused`() async throws {
    let item = try CClient.item { xdnd_item_add_bytes($0, String(repeating: "x", count: 65_535), "y", 1) }
    for count in [65_536, 262_143, 1 << 20] {
      let name = String(repeating: "x", count: count)
      #expect(xdnd_item_add_bytes(item, name, "y", 1) == XDND_ERROR_ARGUMENT)
      #expect(String(cString: xdnd_message()).contains("65535 bytes"))
    }
    _ = xdnd_item_free(item)
  }

  // MARK: Callbacks

  @Test func `a callback may process, register again and begin a drag`() async throws {
    try await withClients { source, target in
      target.onDrop = { client, drop in
        // Within a call of the library, there is nothing more to be processed.
        #expect(xdnd_process(client.context) == XDND_OK)
        client.load { xdnd_load_text(xdnd_drop_content(drop), $0, nil) }
      }
      target.onLoad = { client, _ in
        #expect(client.register(["a/b"]) == XDND_OK)
        #expect(client.drop(nil, on: client) == XDND_ERROR_HANDLE)
      }
      let item = try text("once")
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) {
        source.told.last?.hasPrefix("ended") == true && target.told.contains("destroyed")
      }
      #expect(target.content == [Array("once".utf8)])
      // The first registration tells how its drop has ended before it ends.
      #expect(target.told.suffix(2) == ["ended 0 1", "destroyed"])
      // The new one takes other types.
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.last == "ended \(XDND_OUTCOME_REFUSED.rawValue) 0" }
      _ = xdnd_item_free(item)
    }
  }

  @Test func `a window that is unregistered in the callback of its drop rejects it`() async throws {
    try await withClients { source, target in
      target.onDrop = { client, drop in
        #expect(xdnd_unregister(client.context, client.window) == XDND_OK)
        #expect(xdnd_drop_finish(drop, XDND_COPY) == XDND_ERROR_STATE)
      }
      let item = try text()
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.count == 2 }
      #expect(source.told.last?.hasPrefix("ended 0") == false)
      #expect(target.told.suffix(3) == ["dropped", "ended 1 0", "destroyed"])
      _ = xdnd_item_free(item)
    }
  }

  @Test func `a drag fails if an earlier one closes the context at its end, and is destroyed`() async throws {
    try await withClients { source, _ in
      var options = xdnd_drag_options()
      options.size = MemoryLayout<xdnd_drag_options>.size
      options.user = source.user
      options.began = { _, user in CClient.of(user)?.tell("began") }
      options.ended = { _, _, _, user in CClient.of(user)?.close() }
      options.destroyed = { CClient.of($0)?.tell("destroyed") }
      let item = try text()
      var second: OpaquePointer?
      try withUnsafePointer(to: item) {
        options.items = $0
        options.item_count = 1
        #expect(xdnd_begin_drag(source.context, &options, nil) == XDND_OK)
        try source.run { source.told.last == "began" }
        #expect(xdnd_begin_drag(source.context, &options, &second) == XDND_ERROR_HANDLE)
      }
      #expect(second == nil)
      #expect(source.told == ["began", "destroyed", "destroyed"])
      _ = xdnd_item_free(item)
    }
  }

  @Test(arguments: [false, true])
  func `a press that drags no item, or an ended one, begins nothing and is destroyed`(_ hasItem: Bool) async throws {
    try await withClients { source, target in
      XMoveWindow(xdnd_display(target.context), Window(target.window), 400, 20)
      XSync(xdnd_display(target.context), 0)
      source.tellsRelease = true
      var item = try text()
      #expect(xdnd_item_free(item) == XDND_OK)
      try withUnsafeMutablePointer(to: &item) { item in
        #expect(source.drag(hasItem ? item : nil) == XDND_OK)
        let pointer = try Pointer(source.server)
        pointer.move(to: Point(x: 50, y: 50))
        pointer.press()
        for x in [60, 80] { pointer.move(to: Point(x: x, y: 50)) }
        try source.run { source.told.last == "destroyed" }
        pointer.release()
      }
      #expect(source.told == ["destroyed"])
    }
  }

  // MARK: Images

  @Test(arguments: [0, -1, 32768, 65536, CInt.max, CInt.min])
  func `an image with impossible sides is an error, and its pixels are not read`(side: CInt) throws {
    let item = try text()
    defer { _ = xdnd_item_free(item) }
    let pixels: [UInt32] = [0xFF00_0000]
    pixels.withUnsafeBufferPointer {
      var image = xdnd_image()
      image.size = MemoryLayout<xdnd_image>.size
      image.pixels = $0.baseAddress
      for (width, height) in [(side, side), (side, 1), (1, side)] {
        (image.width, image.height) = (width, height)
        #expect(xdnd_item_set_image(item, &image) == XDND_ERROR_ARGUMENT)
      }
    }
  }

  // MARK: Requests

  @Test func `a request that is never answered ends with its context, and leaves no descriptors`() async throws {
    // A separate process, because other tests open and close descriptors.
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      try await onOwnThread {
        final class Asked {
          var requests: [OpaquePointer?] = []
        }
        let (target, asked) = (try CClient(on: server), Asked())
        target.onDrop = { client, drop in
          client.load { xdnd_load_type(xdnd_drop_content(drop), "text/plain", $0, nil) }
        }
        precondition(target.register() == XDND_OK)
        let item = try CClient.item {
          let user = Unmanaged.passUnretained(asked).toOpaque()
          return xdnd_item_add_provider(
            $0, "text/plain",
            { request, _, user in
              user.map { Unmanaged<Asked>.fromOpaque($0).takeUnretainedValue().requests.append(request) }
            }, user, nil)
        }
        let (before, rounds) = (try wakeupCount(), 100)
        for round in 1...rounds {
          let source = try CClient(on: server)
          precondition(source.drop(item, on: target) == XDND_OK)
          try source.run(with: [target]) { asked.requests.count == round }
          source.close()
          precondition(xdnd_request_fulfill(asked.requests[round - 1], "x", 1) == XDND_ERROR_HANDLE)
          // The next source may get the ids of this one.
          try target.run { target.told.filter { $0.hasPrefix("ended") }.count == round }
        }
        // Each context has two.
        let after = try wakeupCount()
        precondition(after <= before)
        _ = xdnd_item_free(item)
      }
      try await server.terminate()
    }
  }

  // MARK: Drops

  @Test func `a load that fails at once within the callback of the drop leaves the answer to the program`() async throws
  {
    try await withClients { source, target in
      target.onDrop = { client, drop in
        client.load { xdnd_load_to_file(xdnd_drop_content(drop), "text/plain", "/nowhere/x", true, $0, nil) }
        #expect(client.told.last == "loaded \(XDND_ERROR_FILE.rawValue)")
        client.load { xdnd_load_text(xdnd_drop_content(drop), $0, nil) }
      }
      let item = try text("second")
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.count == 2 && target.told.last?.hasPrefix("ended") == true }
      #expect(target.content == [Array("second".utf8)])
      #expect(target.told.suffix(2) == ["loaded 0", "ended 0 1"])
      target.onDrop = { client, drop in
        client.load { xdnd_load_to_file(xdnd_drop_content(drop), "text/plain", "/nowhere/x", true, $0, nil) }
        #expect(xdnd_drop_finish(drop, XDND_COPY) == XDND_OK)
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.count == 4 }
      #expect(source.told.last == "ended 0 1")
      // Nothing else is under way: rejected when the callback has returned.
      target.onDrop = { client, drop in
        client.load { xdnd_load_to_file(xdnd_drop_content(drop), "text/plain", "/nowhere/x", true, $0, nil) }
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.count == 6 }
      #expect(source.told.last == "ended \(XDND_OUTCOME_REFUSED.rawValue) 0")
      _ = xdnd_item_free(item)
    }
  }

  @Test func `a drop whose content is never fulfilled times out, and its load ends before it`()
    async throws
  {
    var options = xdnd_context_options()
    options.size = MemoryLayout<xdnd_context_options>.size
    (options.finish_timeout, options.transfer_timeout) = (300, 300)
    try await withClients(options) { source, target in
      let item = try CClient.item { xdnd_item_add_provider($0, "text/plain", { _, _, _ in }, nil, nil) }
      target.onDrop = { client, drop in
        client.load { xdnd_load_type(xdnd_drop_content(drop), "text/plain", $0, nil) }
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true && source.told.count == 2 }
      // The load ends before its drop, whichever of both time limits has passed.
      #expect(target.told.dropLast().last == "loaded \(XDND_ERROR_TIMED_OUT.rawValue)")
      _ = xdnd_item_free(item)
    }
  }

  // MARK: Windows

  @Test func `a window that does not exist is not registered, and can be unregistered`() async throws {
    try await withClients { source, target in
      var options = xdnd_target_options()
      options.size = MemoryLayout<xdnd_target_options>.size
      options.dropped = { _, _ in }
      let missing = target.window + 999
      #expect(target.register(options, ["text/plain"], for: missing) == XDND_ERROR_NO_WINDOW)
      #expect(xdnd_process(target.context) == XDND_OK)
      #expect(xdnd_unregister(target.context, missing) == XDND_OK)
      #expect(xdnd_unregister(target.context, missing) == XDND_OK)
    }
  }

  @Test func `a window that is destroyed during a load ends its drop, and is released when it is unregistered`()
    async throws
  {
    try await withClients { source, target in
      let item = try CClient.item { xdnd_item_add_provider($0, "text/plain", { _, _, _ in }, nil, nil) }
      target.onDrop = { client, drop in
        client.load { xdnd_load_type(xdnd_drop_content(drop), "text/plain", $0, nil) }
        XDestroyWindow(xdnd_display(client.context), Window(client.window))
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.contains { $0.hasPrefix("ended") } && source.told.count == 2 }
      #expect(source.told.last == "ended \(XDND_OUTCOME_TARGET_VANISHED.rawValue) 0")
      #expect(xdnd_unregister(target.context, target.window) == XDND_OK)
      #expect(target.told.last == "destroyed")
      _ = xdnd_item_free(item)
    }
  }

  @Test func `a window that is registered twice calls only the callbacks of the second time`() async throws {
    try await withClients { source, target in
      let second = target.told.count
      #expect(target.register() == XDND_OK)
      #expect(target.told.dropFirst(second) == ["destroyed"])
      let item = try text()
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.count == 2 && target.told.last == "ended 0 1" }
      #expect(target.told.filter { $0 == "dropped" }.count == 1)
      _ = xdnd_item_free(item)
    }
  }

  // MARK: Displays

  @Test func `a borrowed display that its program closes first is lost for the context`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        for _ in 0..<3 {
          let display = try #require(XOpenDisplay(server.displayName))
          var contexts: (OpaquePointer?, OpaquePointer?)
          #expect(xdnd_borrow(display, nil, &contexts.0) == XDND_OK)
          #expect(xdnd_borrow(display, nil, &contexts.1) == XDND_OK)
          #expect(xdnd_process(contexts.0) == XDND_OK)
          XCloseDisplay(display)
          for context in [contexts.0, contexts.1] {
            #expect(xdnd_process(context) == XDND_ERROR_DISPLAY_CLOSED)
            #expect(xdnd_display(context) == nil && xdnd_fd(context) == -1)
            #expect(xdnd_unregister(context, 1) == XDND_OK)
            #expect(xdnd_close(context) == XDND_OK)
          }
        }
      }
    }
  }

  @Test func `a program whose own handler hears of the lost server first is told by the library, too`() async throws {
    try await XServer.with { server in
      let client = try CClient(on: server)
      // Like the library, the harness installs its handler once. If it did so between the two calls below, the second one
      // would take it away, and a server that another test kills would end the run.
      let peer = try XlibPeer(server)
      defer { withExtendedLifetime(peer) {} }
      // Installed after the library's, which it replaces.
      let previous = XSetIOErrorHandler { _ in 0 }
      defer { _ = XSetIOErrorHandler(previous) }
      try await server.kill()
      try client.run { xdnd_process(client.context) == XDND_ERROR_DISPLAY_CLOSED }
    }
  }
}

/// How many descriptors of this process are wakeups.
private func wakeupCount() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { entry in
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(entry)")
    return target == "anon_inode:[eventpoll]" || target == "anon_inode:[eventfd]"
  }.count
}
