import Foundation
import Glibc
import TestSupport
import XDnD

/// A display with a file manager on it that shows a folder with one file.
struct FileManagerStage: Sendable {
  let manager: FileManagerPeer
  let server: XServer
  let pointer: Pointer
  /// The folder that is open, and the one file that is in it at first.
  let folder: String
  let file: String
  /// Where to drop, and where to press to drag the file.
  let view: FolderView

  private let process: ChildProcess

  /// Runs `body` with a manager that has drawn its folder, and ends it.
  ///
  /// What `body` throws comes with what the manager has printed.
  static func with(
    _ manager: FileManagerPeer, file bytes: [UInt8], named name: String = "größe & co.bin",
    _ body: (FileManagerStage) async throws -> Void
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let folder = server.directory("open")
      guard mkdir(folder, 0o700) == 0 else { throw HarnessError("cannot make \(folder)", code: errno) }
      let file = try server.directory.write(bytes, to: "open/\(name)")
      let process = try manager.launch(showing: folder, on: server)
      guard let view = try await awaitView(on: server, of: process, where: { $0 != nil }) else {
        throw process.failure("shows no file")
      }
      let stage = FileManagerStage(
        manager: manager, server: server, pointer: try Pointer(server), folder: folder, file: file,
        view: view, process: process)
      do { try await body(stage) } catch { throw process.failure("\(error)") }
      guard process.isRunning else { throw process.failure("ended by itself") }
      process.kill()
      _ = try await process.exit()
    }
  }

  /// Waits until the answer is yes, and stays so: PCManFM says link, which was not offered, then no, and then yes.
  private static func awaitAcceptance(by source: ChildProcess) async throws {
    while true {
      try await source.waitFor("proposal") { $0.string("operation") == "copy" }
      guard (try? await source.waitFor("proposal", timeout: .milliseconds(500))) != nil else { return }
    }
  }

  /// The folder as soon as it is drawn whole: file managers draw a first icon, look into the file and draw another.
  private static func awaitView(
    on server: XServer, of process: ChildProcess, where isRight: (FolderView?) -> Bool
  ) async throws -> FolderView? {
    let deadline = ContinuousClock.now + .seconds(60)
    var last: FolderView??
    while .now < deadline, process.isRunning {
      let view = FolderView(on: try Screenshot(of: server, withCursor: false), in: XServer.fileManagerWindow)
      if isRight(view), view == last { return view }
      last = view
      // What a window shows can only be looked at.
      try await Task.sleep(for: .milliseconds(100))
    }
    // A program that has ended may have written more than has been read.
    if !process.isRunning { _ = try await process.exit() }
    throw process.failure("does not show the folder as it is")
  }

  /// Starts `xdnd-source`, drops what it has on the open folder as soon as the manager says that it copies, and returns
  /// when the drag is over.
  ///
  /// - Returns: What it has logged.
  @discardableResult
  func drop(_ arguments: [String]) async throws -> String {
    let source = try server.launchSource(PeerStage.left, arguments)
    pointer.move(to: try await DragScene.readyPoint(of: source))
    pointer.press()
    defer { pointer.release() }
    try await pointer.glide(to: view.empty)
    try await pointer.hover { try await Self.awaitAcceptance(by: source) }
    pointer.release()
    let end = try await source.waitFor("ended", timeout: .seconds(60))
    guard end.string("outcome") == "dropped", end.string("operation") == "copy" else {
      throw source.failure("did not drop: \(end)")
    }
    source.send(SIGTERM)
    _ = try await source.exit()
    return String(decoding: source.errors.bytes, as: UTF8.self)
  }

  /// The folder as soon as it is drawn whole and as `isRight` says.
  ///
  /// - Parameter isRight: `nil` stands for a folder without a file.
  @discardableResult
  func awaitView(where isRight: (FolderView?) -> Bool) async throws -> FolderView? {
    try await Self.awaitView(on: server, of: process, where: isRight)
  }

  /// Waits until a file of this name is in the folder that is as `isRight` says, checks that nothing else is new there,
  /// and removes it.
  func take(_ name: String, where isRight: @escaping @Sendable (_ path: String) -> Bool) async throws {
    let files = FileManager.default
    let path = "\(folder)/\(name)"
    let isThere = try await FolderWatch(folder).wait { isRight(path) }
    let names = try files.contentsOfDirectory(atPath: folder).sorted()
    guard isThere, Set(names.map { "\(folder)/\($0)" }) == [file, path] else {
      throw HarnessError("the folder has \(names), not \(name) as it was dragged")
    }
    try files.removeItem(atPath: path)
  }
}

/// Tells when something changes in a folder.
final class FolderWatch: Sendable {
  private let descriptor: Int32

  init(_ folder: String) throws {
    descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw HarnessError("inotify", code: errno) }
    let mask = UInt32(IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB)
    guard inotify_add_watch(descriptor, folder, mask) >= 0 else {
      throw HarnessError("cannot watch \(folder)", code: errno)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Looks after each change whether `condition` holds; whether it did before `timeout` passed.
  func wait(timeout: Duration = .seconds(60), until condition: @escaping @Sendable () -> Bool) async throws -> Bool {
    try await onOwnThread { [self] in
      let deadline = ContinuousClock.now + timeout
      var buffer = [UInt8](repeating: 0, count: 4096)
      while !condition() {
        var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let left = (deadline - .now) / Duration.milliseconds(1)
        // What happens deeper than in the folder itself is not told.
        guard left > 0, poll(&descriptors, 1, Int32(min(left, 200).rounded(.up))) >= 0 else { return false }
        while read(descriptor, &buffer, buffer.count) > 0 {}
      }
      return true
    }
  }
}
