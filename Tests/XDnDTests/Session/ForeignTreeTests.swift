import XDnDFiles
import Glibc
import TestSupport
import Testing

@Suite("Trees that another program has written")
struct ForeignTreeTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory("foreign")
    try #require(mkdir(directory("tree"), 0o700) == 0)
    try #require(mkdir(directory("tree/sub"), 0o700) == 0)
  }

  private func makeData() throws { try ForeignTree.makeData(OpenDirectory(Array(directory("tree").utf8))) }

  /// The permissions of a new file.
  private func newMode() throws -> mode_t {
    try OpenDirectory(Array(directory.path.utf8)).modeOfNewFile()
  }

  @Test func `no file is executable, and links and pipes are gone`() throws {
    try OnDisk.write("#!/bin/sh", to: directory("tree/sub/program"), mode: 0o6755)
    #expect(symlink("/etc", directory("tree/sub/link")) == 0)
    #expect(mkfifo(directory("tree/pipe"), 0o600) == 0)
    try makeData()
    #expect(OnDisk.mode(directory("tree/sub/program")) == (try newMode()))
    #expect(OnDisk.names(directory("tree")) == ["sub"])
    #expect(OnDisk.names(directory("tree/sub")) == ["program"])
  }

  @Test func `two names of one file within the tree are data like any other`() throws {
    try OnDisk.write("x", to: directory("tree/one"), mode: 0o755)
    #expect(link(directory("tree/one"), directory("tree/sub/two")) == 0)
    try makeData()
    #expect(OnDisk.mode(directory("tree/sub/two")) == (try newMode()))
  }

  @Test func `a file that has another name elsewhere keeps its permissions`() throws {
    try OnDisk.write("x", to: directory("elsewhere"), mode: 0o600)
    #expect(link(directory("elsewhere"), directory("tree/file")) == 0)
    try makeData()
    #expect(OnDisk.mode(directory("elsewhere")) == 0o600)
  }

  @Test(arguments: [0o700, 0o4600, 0o2600] as [mode_t])
  func `a program that has another name elsewhere is refused`(mode: mode_t) throws {
    try OnDisk.write("x", to: directory("elsewhere"), mode: mode)
    #expect(link(directory("elsewhere"), directory("tree/file")) == 0)
    #expect(throws: SystemError(EPERM)) { try makeData() }
    #expect(OnDisk.mode(directory("elsewhere")) == mode)
  }

  @Test func `a tree that is too deep is refused`() throws {
    var path = directory("tree")
    for _ in 0...OpenDirectory.greatestDepth {
      path += "/d"
      try #require(mkdir(path, 0o700) == 0)
    }
    #expect(throws: SystemError(ELOOP)) { try makeData() }
    #expect(rmdir(path) == 0)
    try makeData()
  }
}
