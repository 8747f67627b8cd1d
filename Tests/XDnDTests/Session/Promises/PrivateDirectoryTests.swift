import XDnDFiles
import Glibc
import TestSupport
import Testing

/// Directories that nobody else sees, and that are removed by somebody in any case.
@Suite("Private directories", .timeLimit(.minutes(5)))
struct PrivateDirectoryTests {
  private let directory: TemporaryDirectory
  private let root: [UInt8]

  init() throws {
    directory = try TemporaryDirectory("private")
    root = Array(directory("cache/xdnd").utf8)
  }

  private var names: [String] { OnDisk.names(directory("cache/xdnd")) }

  private func string(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

  /// One that looks as if its process were gone.
  private func abandoned(_ name: String = ".xdnd-abcdefghij0123456789") throws -> String {
    let path = directory("cache/xdnd/\(name)")
    #expect(mkdir(path, 0o700) == 0)
    try OnDisk.write("left", to: "\(path)/file")
    return path
  }

  @Test func `its entries can be listed without another descriptor, however many there are`() throws {
    let held = try PrivateDirectory.make(in: root)
    // 100 KB: more than one call returns.
    let names = (0..<1000).map { Array("\($0) \(String(repeating: "x", count: $0 % 200))".utf8) }
    for name in names { close(openat(held.handle.descriptor, String(decoding: name, as: UTF8.self), O_CREAT, 0o600)) }
    for _ in 0..<2 {
      #expect(Set(try held.handle.namesByOwnDescriptor()) == Set(names))
    }
    #expect(Set(try held.handle.names()) == Set(names))
  }

  @Test func `it is there and nobody else's, as long as somebody holds it`() throws {
    var held: PrivateDirectory? = try PrivateDirectory.make(in: root)
    let other = try PrivateDirectory.make(in: root)
    let path = try #require(held.map { string($0.path) })
    #expect(path != string(other.path))
    #expect(OnDisk.mode(directory("cache")) == 0o700)
    #expect(OnDisk.mode(directory("cache/xdnd")) == 0o700)
    #expect(OnDisk.mode(path) == 0o700)
    try OnDisk.write("x", to: "\(path)/x")
    #expect(names.count == 2)
    held = nil
    #expect(OnDisk.status(path) == nil)
    other.remove()
    other.remove()
    #expect(names == [])
  }

  @Test func `it is removed although somebody still writes into it`() async throws {
    for _ in 0..<200 {
      let held = try PrivateDirectory.make(in: root)
      let path = string(held.path)
      // One file, created at any moment of the removal.
      let writer = Task.detached {
        let file = open("\(path)/late", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
      }
      held.remove()
      await writer.value
      try #require(OnDisk.status(path) == nil)
    }
  }

  @Test func `its permissions do not depend on the creation mask`() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = OnDisk.scratch()
      #expect(chmod(scratch, 0o777) == 0)
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      #expect(mkdir("\(scratch)/root", 0o700) == 0)
      umask(0o777)
      let made = try PrivateDirectory.make(in: Array("\(scratch)/root".utf8))
      #expect(OnDisk.mode(String(decoding: made.path, as: UTF8.self)) == 0o700)
      made.remove()
      #expect(rmdir("\(scratch)/root") == 0)
      if geteuid() == 65534 { #expect(seteuid(0) == 0) }
      #expect(rmdir(scratch) == 0)
    }
  }

  @Test func `to remove it follows no link`() throws {
    try OnDisk.write("mine", to: directory("mine"))
    #expect(mkdir(directory("mine too"), 0o700) == 0)
    try OnDisk.write("mine", to: directory("mine too/file"))
    let made = try PrivateDirectory.make(in: root)
    let path = string(made.path)
    #expect(symlink(directory("mine"), "\(path)/file") == 0)
    #expect(symlink(directory("mine too"), "\(path)/directory") == 0)
    #expect(mkdir("\(path)/sub", 0o700) == 0)
    #expect(symlink("../../../..", "\(path)/sub/up") == 0)
    #expect(chmod("\(path)/sub", 0) == 0)
    made.remove()
    #expect(names == [])
    #expect(OnDisk.names(directory("mine too")) == ["file"])
    #expect(OnDisk.content(directory("mine")) == Array("mine".utf8))
  }

  @Test func `what has taken its name is not removed`() throws {
    let made = try PrivateDirectory.make(in: root)
    let path = string(made.path)
    try OnDisk.write("x", to: "\(path)/x")
    #expect(rename(path, directory("elsewhere")) == 0)
    #expect(mkdir(path, 0o700) == 0)
    made.remove()
    #expect(OnDisk.status(path) != nil)
    #expect(OnDisk.names(directory("elsewhere")) == [])
  }

  @Test func `a root that others could change is not used`() throws {
    #expect(mkdir(directory("open"), 0o700) == 0 && chmod(directory("open"), 0o770) == 0)
    #expect(mkdir(directory("real"), 0o700) == 0 && symlink("real", directory("link")) == 0)
    try OnDisk.write("", to: directory("file"))
    var cases = ["open": "Operation not permitted", "link": "Not a directory", "file": "Not a directory"]
    if geteuid() == 0 {
      #expect(mkdir(directory("theirs"), 0o700) == 0 && chown(directory("theirs"), 65534, 65534) == 0)
      cases["theirs"] = "Operation not permitted"
    }
    for (name, words) in cases {
      let error = #expect(throws: SystemError.self) { try PrivateDirectory.make(in: Array(directory(name).utf8)) }
      #expect(error?.message == words)
      #expect(OnDisk.names(directory(name)) == [])
    }
    #expect(throws: SystemError.self) { try PrivateDirectory.make(in: Array("relative".utf8)) }
  }

  @Test func `the root is in the cache of the user`() {
    func root(_ variables: [String: String]) -> String? {
      PrivateDirectory.cacheRoot { variables[$0].map { Array($0.utf8) } }.map(string)
    }
    #expect(root(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/xdnd")
    #expect(root(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/xdnd")
    #expect(root(["XDG_CACHE_HOME": "", "HOME": "/h"]) == "/h/.cache/xdnd")
    #expect(root(["HOME": ""]) == nil)
    #expect(root([:]) == nil)
  }

  // MARK: Sweeping

  @Test func `a sweep takes what is abandoned and old, and nothing else`() throws {
    let held = try PrivateDirectory.make(in: root)
    let heldPath = string(held.path)
    let old = try abandoned()
    let young = try abandoned(".xdnd-abcdefghij0123456788")
    var now = time(nil)
    OnDisk.setModified(old, seconds: now - 601)
    OnDisk.setModified(young, seconds: now - 300)
    OnDisk.setModified(heldPath, seconds: now - 10_000)
    let others = [".xdnd-1-2", "mine", ".xdnd-ABCDEFGHIJ0123456789", ".xdnd-abcdefghij01234567890"]
    for name in others { OnDisk.setModified(try abandoned(name), seconds: 0) }
    #expect(mkdir(directory("target"), 0o700) == 0)
    try OnDisk.write("mine", to: directory("target/file"))
    let link = ".xdnd-aaaaaaaaaaaaaaaaaaaa"
    #expect(symlink(directory("target"), directory("cache/xdnd/\(link)")) == 0)
    let file = ".xdnd-bbbbbbbbbbbbbbbbbbbb"
    try OnDisk.write("", to: directory("cache/xdnd/\(file)"))
    OnDisk.setModified(directory("cache/xdnd/\(file)"), seconds: 0)

    PrivateDirectory.sweep(root, olderThan: .seconds(600))
    let rest = others + [link, file] + [heldPath, young].map { String($0.split(separator: "/").last ?? "") }
    #expect(names == rest.sorted())
    #expect(OnDisk.names(directory("target")) == ["file"])
    now += 10_000
    OnDisk.setModified(young, seconds: now)
    PrivateDirectory.sweep(root, olderThan: .zero)
    #expect(OnDisk.status(young) != nil, "It is of the future, when the clock was wrong.")
    PrivateDirectory.sweep(Array(directory("none").utf8), olderThan: .zero)
  }

  @Test func `a directory of somebody else is not swept`() throws {
    guard geteuid() == 0 else { return }
    _ = try PrivateDirectory.make(in: root)
    let theirs = try abandoned()
    #expect(chown(theirs, 65534, 65534) == 0)
    PrivateDirectory.sweep(root, olderThan: .zero)
    #expect(OnDisk.names(theirs) == ["file"])
  }

  @Test func `a root that is a symbolic link is not swept`() throws {
    _ = try PrivateDirectory.make(in: root)
    _ = try abandoned()
    #expect(symlink("cache/xdnd", directory("link")) == 0)
    PrivateDirectory.sweep(Array(directory("link").utf8), olderThan: .zero)
    #expect(names.count == 1)
    PrivateDirectory.sweep(root, olderThan: .zero)
    #expect(names == [])
  }

  @Test func `what is kept is there until its time is over`() throws {
    var kept: PrivateDirectory? = try PrivateDirectory.make(in: root)
    let path = try #require(kept.map { string($0.path) })
    OnDisk.setModified(path, seconds: 0)
    kept?.touch()
    kept?.keep()
    PrivateDirectory.sweep(root, olderThan: .zero)
    #expect(names.count == 1, "It is locked.")
    kept = nil
    // A program that another test starts has the lock too, until it runs.
    let lock = open(path, O_RDONLY | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    close(lock)
    PrivateDirectory.sweep(root, olderThan: .seconds(600))
    #expect(names.count == 1, "Its time counts from when it was touched.")
    PrivateDirectory.sweep(root, olderThan: .zero)
    #expect(names == [])
  }

  @Test func `what a killed process has held is swept`() async throws {
    _ = try PrivateDirectory.make(in: root)
    await #expect(processExitsWith: .signal(SIGKILL)) { [root = string(root) as String] in
      let held = try PrivateDirectory.make(in: Array(root.utf8))
      try OnDisk.write("x", to: String(decoding: held.path, as: UTF8.self) + "/x")
      PrivateDirectory.sweep(Array(root.utf8), olderThan: .zero)
      #expect(OnDisk.names(root).count == 1)
      raise(SIGKILL)
    }
    #expect(names.count == 1)
    PrivateDirectory.sweep(root, olderThan: .seconds(600))
    #expect(names.count == 1)
    PrivateDirectory.sweep(root, olderThan: .zero)
    #expect(names == [])
  }

  @Test func `another process does not sweep what is held here`() async throws {
    let held = try PrivateDirectory.make(in: root)
    _ = try abandoned()
    await #expect(processExitsWith: .success) { [root = string(root) as String] in
      PrivateDirectory.sweep(Array(root.utf8), olderThan: .zero)
    }
    #expect(names.map { directory("cache/xdnd/\($0)") } == [string(held.path)])
  }

  @Test func `processes that make, sweep and remove at the same time do not lose what they hold`() async throws {
    _ = try PrivateDirectory.make(in: root)
    let path = string(root)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            for _ in 0..<150 {
              let held = try PrivateDirectory.make(in: Array(path.utf8))
              let file = String(decoding: held.path, as: UTF8.self) + "/x"
              try OnDisk.write("x", to: file)
              PrivateDirectory.sweep(Array(path.utf8), olderThan: .zero)
              guard OnDisk.content(file) == [UInt8(ascii: "x")] else { exit(3) }
              if Bool.random() { held.keep() }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    PrivateDirectory.sweep(root, olderThan: .zero)
    #expect(names == [])
  }
}
