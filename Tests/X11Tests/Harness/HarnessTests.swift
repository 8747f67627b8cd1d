import Foundation
import TestSupport
import Testing
import XDnD

/// The harness itself: when one of these fails, no failure of another test means much.
@Suite("The test harness", .requiresXvfb, .timeLimit(.minutes(2)))
struct HarnessTests {
  @Test func `a server starts, ends and leaves nothing behind`() async throws {
    let server = try await XServer.start()
    #expect(server.isRunning)
    let socket = try #require(DisplaySocket(displayName: server.displayName))
    try await server.terminate()
    #expect(!server.isRunning)
    #expect(!socket.exists)
  }

  @Test func `a killed server and its socket are gone when the call returns`() async throws {
    let server = try await XServer.start()
    let pointer = try Pointer(server)
    let socket = try #require(DisplaySocket(displayName: server.displayName))
    try await server.kill()
    #expect(!server.isRunning)
    #expect(!socket.exists)
    pointer.move(to: Point(x: 1, y: 1))  // a request to nobody must not end the test run
  }

  @Test(.requiresOpenbox) func `a window manager that hears nothing from its server ends with it`() async throws {
    let server = try await XServer.start(windowManager: .openbox)
    server.pause()
    try await server.terminate()
    #expect(!server.isRunning)
  }

  @Test func `a socket fits into each runtime directory, whatever the directory's random name`() throws {
    let directories = try (0..<20).map { _ in try TemporaryDirectory("display") }
    #expect(Set(directories.map(\.path.utf8.count)).count == 1)
    let runtime = try #require(XServer.makeEnvironment(in: directories[0])["XDG_RUNTIME_DIR"])
    #expect("\(runtime)/pcmanfm-socket--12345".utf8.count <= 107)
  }

  @Test func `ten servers start side by side, each on a display of its own`() async throws {
    let names = try await withThrowingTaskGroup(of: XServer.self) { group in
      for _ in 0..<10 { group.addTask { try await XServer.start() } }
      return try await group.reduce(into: [XServer]()) { $0.append($1) }
    }
    #expect(Set(names.map(\.displayName)).count == 10)
    for server in names { try await server.terminate() }
  }

  @Test func `connections that several threads open and close at once leave the heap whole`() async throws {
    // In a process of its own, which damage to the heap ends.
    await #expect(processExitsWith: .success) {
      let server = try await XServer.start()
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            try await onOwnThread {
              // XTEST is an extension of libXext, XInput 2 one of libXi.
              for _ in 0..<50 { _ = try Pointer(server) }
              for _ in 0..<50 { _ = try XlibPeer(server).device("Virtual core pointer") }
            }
          }
        }
        try await group.waitForAll()
      }
      try await server.terminate()
    }
  }

  @Test func `the pointer is where it was told to be`() async throws {
    try await XServer.with { server in
      let pointer = try Pointer(server)
      pointer.move(to: Point(x: 123, y: 456))
      #expect(pointer.position == Point(x: 123, y: 456))
      try await pointer.glide(to: Point(x: 20, y: 700), steps: 7, pace: .zero)
      #expect(pointer.position == Point(x: 20, y: 700))
      #expect(throws: HarnessError.self) { try pointer.press(key: "NoSuchKey") }
    }
  }

  @Test(.requiresOpenbox) func `the window manager manages when the server is handed out`() async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let connection = try DisplayConnection(server.displayName)
      #expect(connection.awaitRootProperty("_NET_SUPPORTING_WM_CHECK", timeout: .zero))
    }
  }

  @Test func `a screenshot has the size of the screen and is a PNG file`() async throws {
    try await XServer.with { server in
      let screenshot = try Screenshot(of: server)
      #expect(screenshot.width == 1280)
      #expect(screenshot.height == 800)
      #expect(screenshot[Point(x: 5, y: 5)] == 0)
      let path = server.directory("screen.png")
      try screenshot.write(to: path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4) == Data([0x89, 0x50, 0x4e, 0x47]))
    }
  }
}
