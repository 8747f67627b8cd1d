import Foundation
import Glibc
import TestSupport
import Testing
import XDnD
import XDnDBindings
import XDnDInterface
import XDnDX11

/// The C interface, used as a C program uses it.
@Suite("The C interface", .requiresXvfb, .timeLimit(.minutes(1)))
struct CInterfaceTests {
  /// Two programs, of which the second one has a drop target.
  private func withClients(_ body: @escaping @Sendable (CClient, CClient) throws -> Void) async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let (source, target) = (try CClient(on: server), try CClient(on: server))
        #expect(target.register() == XDND_OK)
        try body(source, target)
      }
    }
  }

  private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test func `text is dragged, dropped, loaded and confirmed`() async throws {
    try await withClients { source, target in
      let item = try CClient.item { xdnd_item_add_text($0, "Grüße") }
      #expect(source.drop(item, on: target) == XDND_OK)
      #expect(xdnd_item_free(item) == XDND_OK)
      try source.run(with: [target]) {
        source.told.contains { $0.hasPrefix("ended") } && target.told.last == "ended 0 1"
      }
      #expect(source.told == ["dropped 1", "ended 0 1"])
      #expect(target.told.first == "entered true")
      #expect(target.told.contains("moved 30,40 1"))
      #expect(Array(target.told.suffix(3)) == ["dropped", "loaded 0", "ended 0 1"])
      #expect(Self.text(target.content.first) == "Grüße")
    }
  }

  @Test(arguments: [0, 2])
  func `a drag begins when the host has released the grab of its other connection`(device: Int32) async throws {
    try await XServer.with { server in
      try await onOwnThread {
        let (source, other) = (try CClient(on: server), try XlibPeer(server))
        XGrabPointer(other.display, other.root, False, 0, GrabModeAsync, GrabModeAsync, 0, 0, Time(CurrentTime))
        other.sync()
        source.onGrabNeeded = { _ in
          XUngrabPointer(other.display, Time(CurrentTime))
          other.sync()
        }
        let item = try CClient.item { xdnd_item_add_text($0, "x") }
        #expect(source.begin(item, device: device) == XDND_OK)
        #expect(xdnd_item_free(item) == XDND_OK)
        try source.run(with: []) { source.told.count == 2 }
        #expect(source.told == ["needs grab", "began"])
      }
    }
  }

  @Test func `content is streamed, and goes into a file`() async throws {
    try await withClients { source, target in
      let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      let path = NSTemporaryDirectory() + "xdnd-c-\(getpid())"
      defer { unlink(path) }
      #expect(target.register(["a/b"]) == XDND_OK)
      target.onDrop = { client, drop in
        client.load(isStreamed: true) { xdnd_load_type(xdnd_drop_content(drop), "a/b", $0, nil) }
        client.load { xdnd_load_to_file(xdnd_drop_content(drop), "a/b", path, false, $0, nil) }
      }
      let item = try CClient.item { item in
        bytes.withUnsafeBytes { xdnd_item_add_bytes(item, "a/b", $0.baseAddress, $0.count) }
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true }
      #expect(target.content.count > 1)
      #expect(Array(target.content.joined()) == bytes)
      #expect(FileManager.default.contents(atPath: path).map(Array.init) == bytes)
      #expect(target.told.last == "ended 0 1")
    }
  }

  @Test(arguments: [true, false])
  func `a host that wants no more parts has cancelled the load, of a type or of text`(isText: Bool) async throws {
    try await withClients { source, target in
      #expect(target.register(["text/plain"]) == XDND_OK)
      target.takesParts = false
      target.onDrop = { client, drop in
        client.load(isStreamed: true) {
          isText
            ? xdnd_load_text(xdnd_drop_content(drop), $0, nil)
            : xdnd_load_type(xdnd_drop_content(drop), "text/plain", $0, nil)
        }
      }
      let item = try CClient.item { xdnd_item_add_text($0, "text") }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.contains { $0.hasPrefix("loaded") } }
      #expect(target.told.contains("loaded \(XDND_ERROR_CANCELLED.rawValue)"))
      #expect(target.content == [Array("text".utf8)])
    }
  }

  @Test func `a provider is asked when a requestor wants the type, and destroyed with the last drag of the item`()
    async throws
  {
    try await withClients { source, target in
      final class Story {
        var lines: [String] = []
      }
      let story = Story()
      let user = Unmanaged.passUnretained(story).toOpaque()
      func item(_ provide: @escaping xdnd_provider) throws -> OpaquePointer? {
        try CClient.item { item in
          xdnd_item_add_provider(item, "text/plain", provide, user) {
            $0.map { Unmanaged<Story>.fromOpaque($0).takeUnretainedValue().lines.append("destroyed") }
          }
        }
      }
      let good = try item { request, type, user in
        user.map {
          Unmanaged<Story>.fromOpaque($0).takeUnretainedValue().lines.append("asked for \(String(cString: type!))")
        }
        #expect(xdnd_request_fulfill(request, "made", 4) == XDND_OK)
        // Once answered, the handle has ended.
        #expect(xdnd_request_refuse(request) == XDND_ERROR_HANDLE)
      }
      #expect(source.drop(good, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true && source.told.count == 2 }
      #expect(Self.text(target.content.first) == "made")
      #expect(story.lines == ["asked for text/plain"])
      #expect(xdnd_item_free(good) == XDND_OK)
      source.close()
      #expect(story.lines == ["asked for text/plain", "destroyed"])
      #expect(source.told.last == "drag destroyed")
    }
  }

  @Test func `a refusal is an error with words, and the drop is rejected without an answer`() async throws {
    try await withClients { source, target in
      let item = try CClient.item { item in
        xdnd_item_add_provider(item, "text/plain", { request, _, _ in _ = xdnd_request_refuse(request) }, nil, nil)
      }
      target.onLoad = { client, _ in client.tell(String(cString: xdnd_message())) }
      target.onDrop = { client, drop in
        client.load { xdnd_load_type(xdnd_drop_content(drop), "text/plain", $0, nil) }
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true && source.told.count == 2 }
      let words = "the source does not give text/plain"
      #expect(target.told.suffix(3) == ["loaded \(XDND_ERROR_REFUSED.rawValue)", words, "ended 1 0"])
      _ = xdnd_item_free(item)
    }
  }

  @Test func `another program's window is registered until it is destroyed, or an error says why it cannot be`()
    async throws
  {
    try await withClients { source, target in
      #expect(target.register(on: source.window) == XDND_OK)
      #expect(source.register(on: target.window) == XDND_OK)
      let third = xdnd_window(1)
      #expect(target.register(on: third) == XDND_ERROR_NO_WINDOW)
      let root = xdnd_window(XDefaultRootWindow(xdnd_display(target.context)))
      #expect(target.register(on: root) == XDND_ERROR_WINDOW_UNAVAILABLE)
      #expect(String(cString: xdnd_message()).contains("root window"))
      source.close()
      try target.run { target.told.contains("destroyed") }
      #expect(target.register(on: source.window) == XDND_ERROR_NO_WINDOW)
    }
  }

  @Test func `a window inside another program's takes drops in its place, and that program those on the rest`()
    async throws
  {
    try await withClients { source, embedder in
      let plug = try CClient(on: embedder.server)
      let display = xdnd_display(plug.context)
      let window = XCreateSimpleWindow(display, Window(embedder.window), 20, 30, 40, 40, 0, 0, 0)
      XSync(display, 0)
      #expect(xdnd_top_level_window(plug.context, xdnd_window(window)) == embedder.window)
      #expect(xdnd_top_level_window(plug.context, embedder.window) == embedder.window)
      #expect(xdnd_top_level_window(plug.context, 1) == 0)
      #expect(xdnd_top_level_window(nil, embedder.window) == 0)

      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      func drop(times: Int) throws {
        #expect(source.drop(item, on: embedder) == XDND_OK)
        try source.run(with: [plug, embedder]) {
          source.told.filter { $0 == "ended 0 1" }.count == times
            && plug.content.count + embedder.content.count == times
        }
      }
      // The drop is at 30,40.
      for (times, place) in [(1, (20, 30)), (2, (31, 30)), (3, (30, 40))] {
        #expect(plug.register(on: embedder.window, area: (place.0, place.1, 40, 40)) == XDND_OK)
        try drop(times: times)
      }
      #expect(plug.content.count == 2)
      #expect(embedder.content.count == 1)
      // In the coordinates of the registered window.
      #expect(plug.told.contains("moved 30,40 1"))
      // The other way round, all of the window is the plug's.
      #expect(plug.register(on: embedder.window) == XDND_OK)
      try drop(times: 4)
      #expect(plug.content.count == 3)
      _ = xdnd_item_free(item)
    }
  }

  @Test func `a drop waits for a program that asks for time, and is answered once`() async throws {
    try await withClients { source, target in
      target.onDrop = { client, drop in
        client.drop = drop
        #expect(xdnd_drop_wait(drop) == XDND_OK)
      }
      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.drop != nil }
      #expect(xdnd_drop_finish(target.drop, XDND_ASK) == XDND_ERROR_ARGUMENT)
      #expect(xdnd_drop_finish(target.drop, XDND_COPY) == XDND_OK)
      // It is over with the answer, and so is the handle.
      #expect(xdnd_drop_reject(target.drop) == XDND_ERROR_HANDLE)
      try source.run(with: [target]) { target.told.last == "ended 0 1" && source.told.count == 2 }
      _ = xdnd_item_free(item)
    }
  }

  @Test func `a drop that is never answered is rejected when its time is over, and the next one is not`() async throws {
    try await XServer.with { server in
      try await onOwnThread {
        var options = xdnd_context_options()
        options.size = MemoryLayout<xdnd_context_options>.size
        (options.finish_timeout, options.wait_timeout) = (100, 500)
        let (source, target) = (try CClient(on: server), try CClient(on: server, options))
        #expect(target.register() == XDND_OK)
        let item = try CClient.item { xdnd_item_add_text($0, "x") }
        target.onDrop = { client, drop in
          client.drop = drop
          #expect(xdnd_drop_wait(drop) == XDND_OK)
        }
        let start = ContinuousClock.now
        #expect(source.drop(item, on: target) == XDND_OK)
        try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true && source.told.count == 2 }
        #expect(ContinuousClock.now - start >= .milliseconds(500))
        #expect(target.told.suffix(2) == ["dropped", "ended \(XDND_DROP_TIMED_OUT.rawValue) 0"])
        #expect(source.told.last == "ended \(XDND_OUTCOME_REFUSED.rawValue) 0")
        #expect(xdnd_drop_finish(target.drop, XDND_COPY) == XDND_ERROR_HANDLE)

        target.onDrop = { _, drop in #expect(xdnd_drop_finish(drop, XDND_COPY) == XDND_OK) }
        #expect(source.drop(item, on: target) == XDND_OK)
        try source.run(with: [target]) { target.told.last == "ended 0 1" && source.told.count == 4 }
        _ = xdnd_item_free(item)
        // Nothing holds what was registered.
        #expect(xdnd_unregister(target.context, target.window) == XDND_OK)
        #expect(target.told.last == "destroyed")
      }
    }
  }

  @Test func `a drop that waits does not end with its loads, but with its source`() async throws {
    try await withClients { source, target in
      let load = target.onDrop
      target.onDrop = { client, drop in
        client.drop = drop
        #expect(xdnd_drop_wait(drop) == XDND_OK)
        load(client, drop)
      }
      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last == "loaded 0" }
      _ = xdnd_item_free(item)
      source.close()
      try target.run { target.told.last == "ended \(XDND_DROP_SOURCE_VANISHED.rawValue) 0" }
      #expect(xdnd_drop_reject(target.drop) == XDND_ERROR_HANDLE)
    }
  }

  @Test func `a drop is answered once, also within a callback`() async throws {
    try await withClients { source, target in
      target.onDrop = { _, drop in
        #expect(xdnd_drop_finish(drop, XDND_LINK) == XDND_OK)
        #expect(xdnd_drop_reject(drop) == XDND_ERROR_STATE)
        #expect(xdnd_drop_wait(drop) == XDND_ERROR_STATE)
      }
      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true && source.told.count == 2 }
      // A copy was agreed on, and no link.
      #expect(target.told.last == "ended 0 1")
      _ = xdnd_item_free(item)
    }
  }

  @Test func `a context that is closed within a callback ends with the call, and calls nothing more`() async throws {
    try await withClients { source, target in
      target.onDrop = { client, _ in client.close() }
      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.count == 2 }
      // The closed context rejects the drop, or ends without an answer.
      #expect(source.told.last?.hasPrefix("ended 0") == false)
      #expect(target.told.suffix(2) == ["dropped", "destroyed"])
      #expect(xdnd_process(target.context) == XDND_ERROR_HANDLE)
      _ = xdnd_item_free(item)
    }
  }

  @Test(arguments: [false, true])
  func `a drop that waits is rejected by the end of its context, also if its content has come`(
    isWithinCallback: Bool
  ) async throws {
    try await withClients { source, target in
      let load = target.onDrop
      target.onDrop = { client, drop in
        #expect(xdnd_drop_wait(drop) == XDND_OK)
        load(client, drop)
      }
      if isWithinCallback { target.onLoad = { client, _ in client.close() } }
      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.contains("loaded 0") }
      if !isWithinCallback { target.close() }
      try source.run { source.told.count == 2 }
      #expect(source.told.last?.hasPrefix("ended \(XDND_OUTCOME_DELIVERED.rawValue) ") == true)
      _ = xdnd_item_free(item)
    }
  }

  @Test func `what one program puts on the clipboard another one loads`() async throws {
    try await withClients { source, target in
      let item = try CClient.item { item in
        let added = xdnd_item_add_text(item, "copied")
        return added == XDND_OK ? xdnd_item_add_bytes(item, "a/b", "raw", 3) : added
      }
      #expect(xdnd_clipboard_write(source.context, XDND_CLIPBOARD, item, 0) == XDND_OK)
      let content = xdnd_clipboard(target.context, XDND_CLIPBOARD)
      #expect(content == xdnd_clipboard(target.context, XDND_CLIPBOARD))
      target.load { xdnd_load_text(content, $0, nil) }
      try source.run(with: [target]) { target.told == ["loaded 0"] }
      #expect(target.loadedCount == 6)
      target.load { xdnd_load_type(content, "a/b", $0, nil) }
      try source.run(with: [target]) { target.told.count == 2 }
      #expect(target.content.map { Self.text($0) } == ["copied", "raw"])

      let listed = xdnd_clipboard_load_types(
        target.context, XDND_CLIPBOARD,
        { result, types, count, user in
          let names = (0..<count).compactMap { index in types?[index].map { String(cString: $0) } }
          CClient.of(user)?.tell("types \(result.rawValue) \(names.contains("UTF8_STRING")) \(names.last ?? "")")
        }, target.user)
      #expect(listed == XDND_OK)
      try source.run(with: [target]) { target.told.last == "types 0 true a/b" }

      #expect(xdnd_clipboard_clear(source.context, XDND_CLIPBOARD) == XDND_OK)
      try source.run(with: [target]) { xdnd_process(source.context) == XDND_OK }
      target.load { xdnd_load_text(content, $0, nil) }
      try source.run(with: [target]) { target.told.last == "loaded \(XDND_ERROR_REFUSED.rawValue)" }
      _ = xdnd_item_free(item)
    }
  }

  @Test func `files are dropped as paths, with images and operations of the program's own`() async throws {
    try await withClients { source, target in
      #expect(target.register(["text/uri-list"]) == XDND_OK)
      target.onDrop = { client, drop in
        client.load { xdnd_load_paths(xdnd_drop_content(drop), $0, nil) }
      }
      let item = try CClient.item { item in
        let paths = ["/tmp/a b", "/tmp/ö"].map { (path: String) in UnsafePointer<CChar>(strdup(path)) }
        defer { for path in paths { free(UnsafeMutablePointer(mutating: path)) } }
        return paths.withUnsafeBufferPointer { xdnd_item_add_files(item, $0.baseAddress, $0.count) }
      }
      let pixels: [UInt32] = [0xFF00_0000, 0x8080_8080]
      pixels.withUnsafeBufferPointer {
        var image = xdnd_image()
        image.size = MemoryLayout<xdnd_image>.size
        (image.width, image.height, image.pixels) = (2, 1, $0.baseAddress)
        #expect(xdnd_item_set_image(item, &image) == XDND_OK)
        image.height = 0
        #expect(xdnd_item_set_image(item, &image) == XDND_ERROR_ARGUMENT)
      }
      let operations = [XDND_COPY, XDND_LINK]
      #expect(xdnd_item_set_operations(item, operations, 2) == XDND_OK)
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true }
      #expect(Self.text(target.content.first) == "/tmp/a b\0/tmp/ö\0")
      _ = xdnd_item_free(item)
    }
  }

  @Test(arguments: [false, true])
  func `a file is taken for the picture that it holds, unless the program reads none`(_ readsNone: Bool) async throws {
    let directory = try TemporaryDirectory()
    // Its name says another format.
    let path = try directory.write([0xFF, 0xD8, 0xFF, 0xE0], to: "a.png")
    try await withClients { source, target in
      var options = xdnd_target_options()
      options.size = MemoryLayout<xdnd_target_options>.size
      options.user = target.user
      options.no_files = readsNone ? 1 : 0
      options.dropped = { drop, user in
        CClient.of(user)?.load { xdnd_load_type(xdnd_drop_content(drop), xdnd_drop_best_type(drop), $0, nil) }
      }
      #expect(target.register(options, ["image/*"], for: target.window) == XDND_OK)
      let item = try CClient.item { item in
        let name = UnsafePointer<CChar>(strdup(path))
        defer { free(UnsafeMutablePointer(mutating: name)) }
        return withUnsafePointer(to: name) { xdnd_item_add_files(item, $0, 1) }
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.last?.hasPrefix("ended") == true }
      #expect(target.content == (readsNone ? [] : [[0xFF, 0xD8, 0xFF, 0xE0]]))
      _ = xdnd_item_free(item)
    }
  }

  // MARK: Wrong calls

  @Test func `a file that the source saves itself is in the directory, and the drop is finished`() async throws {
    let directory = try TemporaryDirectory()
    let original = try directory.write(Array("report".utf8), to: "report.txt")
    let place = directory.path + "/place"
    #expect(mkdir(place, 0o700) == 0)
    try await withClients { source, target in
      #expect(target.register(["XdndDirectSave0"]) == XDND_OK)
      target.onDrop = { client, drop in
        #expect(xdnd_drop_offers_save(drop))
        #expect(client.save(drop, into: "/no/such/directory") == XDND_ERROR_FILE)
        #expect(client.save(drop, into: place) == XDND_OK)
      }
      let item = try CClient.item { xdnd_item_promise_copy($0, original, "copy.txt") }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true }
      #expect(target.told.suffix(2) == ["saved 0", "ended 0 1"])
      #expect(Self.text(target.content.last) == place + "/copy.txt")
      #expect(FileManager.default.contents(atPath: place + "/copy.txt").map(Array.init) == Array("report".utf8))
    }
  }

  @Test func `the source sees how much has gone, and may end the delivery`() async throws {
    try await withClients { source, target in
      let bytes = [UInt8](repeating: 7, count: 3_000_000)
      #expect(target.register(["a/b"]) == XDND_OK)
      target.onDrop = { client, drop in
        client.load { xdnd_load_type(xdnd_drop_content(drop), "a/b", $0, nil) }
      }
      let item = try CClient.item { item in
        bytes.withUnsafeBytes { xdnd_item_add_bytes(item, "a/b", $0.baseAddress, $0.count) }
      }
      #expect(source.drop(item, on: target) == XDND_OK)
      try source.run(with: [target]) { source.told.last == "ended 0 1" }
      #expect(source.sent == 3_000_000)

      let slow = try CClient.item { xdnd_item_add_provider($0, "a/b", { _, _, _ in }, nil, nil) }
      #expect(source.drop(slow, on: target) == XDND_OK)
      try source.run(with: [target]) { target.told.last == "dropped" }
      #expect(xdnd_drag_cancel_delivery(source.drag) == XDND_OK)
      try source.run(with: [target]) { target.told.last?.hasPrefix("ended") == true }
      #expect(source.told.contains("ended \(XDND_OUTCOME_CANCELLED.rawValue) 0"))
      #expect(target.told.last == "ended 1 0")
    }
  }

  /// Begins a drag in the window of `source` with the pointer, and calls `body` with the button held. The windows lie side
  /// by side.
  private func withDrag(from source: CClient, besides target: CClient, _ body: (Pointer) throws -> Void) throws {
    XMoveWindow(xdnd_display(target.context), Window(target.window), 400, 20)
    XSync(xdnd_display(target.context), 0)
    var item = try CClient.item { xdnd_item_add_text($0, "words") }
    defer { _ = xdnd_item_free(item) }
    try withUnsafeMutablePointer(to: &item) { item in
      #expect(source.drag(item) == XDND_OK)
      let pointer = try Pointer(source.server)
      pointer.move(to: Point(x: 50, y: 50))
      pointer.press()
      for x in [60, 80] { pointer.move(to: Point(x: x, y: 50)) }
      try source.run(with: [target]) { source.told.contains("began") }
      try body(pointer)
    }
  }

  @Test func `a drag from a window tells its progress as one that the program begins`() async throws {
    try await withClients { source, target in
      try withDrag(from: source, besides: target) { pointer in
        for x in [450, 460] { pointer.move(to: Point(x: x, y: 60)) }
        try source.run(with: [target]) { source.told.last == "proposed \(XDND_COPY.rawValue)" }
        pointer.release()
        try source.run(with: [target]) { source.told.last == "ended 0 \(XDND_COPY.rawValue)" }
      }
      #expect(source.sent == 5)
    }
  }

  @Test func `a drag goes on to its release when its window is no longer observed`() async throws {
    try await withClients { source, target in
      source.tellsRelease = true
      try withDrag(from: source, besides: target) { pointer in
        #expect(xdnd_on_drag(source.context, source.window, nil, nil) == XDND_OK)
        pointer.release()
        try source.run { source.told.last?.hasPrefix("ended") == true }
      }
      // The content can be requested until another program drags.
      let peer = try XlibPeer(source.server)
      let owner = peer.makeWindow(Rect(x: 300, y: 0, width: 9, height: 9))
      XSetSelectionOwner(peer.display, peer.atom("XdndSelection"), owner.xid, Time(CurrentTime))
      peer.sync()
      try source.run { source.told.last == "destroyed" }
      #expect(source.told.suffix(3) == ["ended \(XDND_OUTCOME_NO_TARGET.rawValue) 0", "released", "destroyed"])
    }
  }

  @Test func `a window that gets an area during a drag is entered once, and the handle ends`() async throws {
    try await withClients { _, target in
      var options = xdnd_target_options()
      options.size = MemoryLayout<xdnd_target_options>.size
      options.user = target.user
      options.destroyed = { CClient.of($0)?.tell("destroyed") }
      options.entered = { drop, user in
        guard let client = CClient.of(user) else { return }
        client.tell("entered")
        if client.drop == nil { client.drop = drop }
      }
      options.left = { _, reason, user in CClient.of(user)?.tell("left \(reason.rawValue)") }
      options.dropped = { _, _ in }
      #expect(target.register(options, ["text/plain"], for: target.window) == XDND_OK)
      let before = target.told.count
      let peer = try XlibPeer(target.server)
      let source = Int(peer.makeWindow(Rect(x: 300, y: 0, width: 9, height: 9)).xid)
      let window = WindowID(Window(target.window))
      func move(to place: Point) throws {
        let copy = Int(peer.atom("XdndActionCopy"))
        peer.send("XdndPosition", [source, 0, place.x << 16 | place.y, 0, copy], to: window)
        var isAnswered = false
        try target.run {
          isAnswered = isAnswered || peer.pendingEvent(ClientMessage) != nil
          return isAnswered
        }
      }
      peer.send("XdndEnter", [source, 5 << 24, Int(peer.atom("text/plain")), 0, 0], to: window)
      try move(to: Point(x: 30, y: 40))
      #expect(xdnd_drop_window(target.drop) == target.window)
      (options.area_width, options.area_height) = (200, 100)
      #expect(target.register(options, ["text/plain"], for: target.window) == XDND_OK)
      try move(to: Point(x: 35, y: 45))
      peer.send("XdndLeave", [source, 0, 0, 0, 0], to: window)
      try target.run { target.told.contains { $0.hasPrefix("left") } }
      // The options of the first call end with its drag.
      #expect(target.told.dropFirst(before) == ["entered", "left \(XDND_EXIT_LEFT.rawValue)", "destroyed"])
      #expect(xdnd_drop_window(target.drop) == 0)
    }
  }

  @Test func `the rectangle of an answer is local to the window`() async throws {
    try await withClients { _, target in
      var options = xdnd_target_options()
      options.size = MemoryLayout<xdnd_target_options>.size
      options.moved = { _, _, _, proposal, _ in
        guard let proposal else { return }
        (proposal.pointee.x, proposal.pointee.y) = (5, 6)
        (proposal.pointee.width, proposal.pointee.height) = (7, 8)
      }
      options.dropped = { _, _ in }
      #expect(target.register(options, ["text/plain"], for: target.window) == XDND_OK)
      let peer = try XlibPeer(target.server)
      let source = Int(peer.makeWindow(Rect(x: 300, y: 0, width: 9, height: 9)).xid)
      let window = WindowID(Window(target.window))
      peer.send("XdndEnter", [source, 5 << 24, Int(peer.atom("text/plain")), 0, 0], to: window)
      peer.send("XdndPosition", [source, 0, 30 << 16 | 40, 0, Int(peer.atom("XdndActionCopy"))], to: window)
      var status: XClientMessageEvent?
      try target.run {
        status = status ?? peer.pendingEvent(ClientMessage)?.xclient
        return status != nil
      }
      // The window is at (10, 20).
      #expect(status?.data.l.2 == 15 << 16 | 26)
      #expect(status?.data.l.3 == 7 << 16 | 8)
    }
  }

  @Test func `a view scrolls and opens by the place and the time alone`() {
    #expect([5, 50, 195, 300].map { xdnd_scroll_margin($0, 0, 200) } == [-1, 0, 1, 0])
    #expect(xdnd_scroll_speed(0, 0, 200, 249) == 0)
    #expect(xdnd_scroll_speed(0, 0, 200, 250) == -200)
    #expect(xdnd_scroll_speed(199, 0, 200, 10_000) == 1600)
    #expect(
      [0, 499, 500, 580, 660, 740, 820, .max].map { xdnd_spring_at($0, true).rawValue } == [0, 0, 1, 0, 1, 0, 2, 2])
    #expect([500, 819, 820].map { xdnd_spring_at($0, false).rawValue } == [0, 0, 2])
  }

  @Test func `no handle, an ended one and one of another kind are errors`() async throws {
    try await withClients { source, _ in
      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      let wild = OpaquePointer(bitPattern: 0xDEAD_BEEF)
      for handle in [nil, wild, item] {
        #expect(xdnd_process(handle) == XDND_ERROR_HANDLE)
        #expect(xdnd_close(handle) == XDND_ERROR_HANDLE)
        #expect(xdnd_drop_finish(handle, XDND_COPY) == XDND_ERROR_HANDLE)
        #expect(xdnd_load_cancel(handle) == XDND_ERROR_HANDLE)
        #expect(xdnd_drag_cancel(handle) == XDND_ERROR_HANDLE)
        #expect(xdnd_request_refuse(handle) == XDND_ERROR_HANDLE)
        #expect(xdnd_load_text(handle, nil, nil) == XDND_ERROR_HANDLE)
        #expect(xdnd_display(handle) == nil)
        #expect(xdnd_fd(handle) == -1 && xdnd_timeout(handle) == -1)
        #expect(xdnd_drop_type(handle, 0) == nil && xdnd_drop_type_count(handle) == 0)
        #expect(!xdnd_filter(handle, nil) && xdnd_clipboard(handle, XDND_PRIMARY) == nil)
      }
      #expect(String(cString: xdnd_message()) == "the handle is NULL, has ended, or is of another kind")
      #expect(xdnd_item_free(item) == XDND_OK)
      #expect(xdnd_item_free(item) == XDND_ERROR_HANDLE)
      #expect(xdnd_item_add_text(source.context, "x") == XDND_ERROR_HANDLE)
    }
  }

  @Test func `what is missing or out of range is an error that says what`() async throws {
    try await withClients { source, target in
      var options = xdnd_target_options()
      func message(_ result: xdnd_result) -> String {
        #expect(result == XDND_ERROR_ARGUMENT)
        return String(cString: xdnd_message())
      }
      #expect(message(xdnd_register(source.context, source.window, nil)) == "the options of the target are missing")
      #expect(message(xdnd_register(source.context, source.window, &options)) == "the size of the struct is not set")
      options.size = MemoryLayout<xdnd_target_options>.size
      #expect(message(xdnd_register(source.context, source.window, &options)) == "nothing handles the drops")
      options.dropped = { _, _ in }
      #expect(message(xdnd_register(source.context, source.window, &options)) == "no type is accepted")
      #expect(message(xdnd_connect(nil, nil, nil)) == "there is no place for the context")
      #expect(message(xdnd_borrow(nil, nil, nil)) == "there is no display")
      #expect(source.drop(nil, on: target) == XDND_ERROR_HANDLE)
      let item = try CClient.item { xdnd_item_add_text($0, "x") }
      #expect(message(xdnd_item_add_bytes(item, nil, "x", 1)) == "the type is missing")
      #expect(message(xdnd_item_add_bytes(item, "a/b", nil, 1)) == "there are no bytes")
      #expect(
        message(xdnd_clipboard_write(source.context, xdnd_clipboard_kind(9), item, 0)) == "there is no clipboard 9")
      #expect(xdnd_on_event(source.context, nil, nil) == XDND_OK)
      _ = xdnd_item_free(item)
      #expect(String(cString: xdnd_result_text(XDND_OK)) == "no error")
      #expect(String(cString: xdnd_result_text(xdnd_result(99))) == "an unknown error")
    }
  }

  @Test func `a display that cannot be opened, and one that is lost, are errors`() async throws {
    var context: OpaquePointer?
    #expect(xdnd_connect("nowhere:9", nil, &context) == XDND_ERROR_DISPLAY_UNAVAILABLE)
    #expect(context == nil)
    #expect(String(cString: xdnd_message()) == "cannot open display nowhere:9")
    try await XServer.with { server in
      let client = try CClient(on: server)
      try await server.kill()
      try client.run { xdnd_process(client.context) == XDND_ERROR_DISPLAY_CLOSED }
      #expect(xdnd_fd(client.context) == -1)
      #expect(xdnd_display(client.context) == nil)
      #expect(xdnd_close(client.context) == XDND_OK)
    }
  }

  @Test func `the version of the header is that of the package`() throws {
    let text = String(cString: xdnd_version_text())
    #expect(xdnd_version() == text.split(separator: ".").reduce(0) { $0 * 100 + UInt32($1)! })
    let changes = try String(contentsOf: BuiltProducts.package.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    #expect(changes.contains("## [\(text)]"))
    #expect(xdnd_has_feature("clipboard") && !xdnd_has_feature("levitation") && !xdnd_has_feature(nil))
  }
}
