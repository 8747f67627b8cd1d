import Foundation
import Glibc
import Testing

@testable import XDnDFileOperations

@Suite struct TrashTests {
  let place: Scratch

  init() throws { place = try Scratch() }

  /// A trash for which `place` is a file system of its own.
  private var topTrash: Trash {
    let top = raw(place.path)
    return Trash(home: nil, user: getuid()) { _ in top }
  }

  @Test func `the home trash has the file, its absolute path and the local time`() throws {
    let path = try place.write("hello", to: "50% ä [x].txt")
    let before = time(nil)
    let file = try place.trash.trash(raw(path))
    #expect(place.list().isEmpty)
    #expect(place.trashed == ["50% ä [x].txt"])
    #expect(file.originalPath == raw(path))
    let lines = try #require(place.trashInfo("50% ä [x].txt")).split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0] == "[Trash Info]")
    #expect(lines[1] == "Path=\(place.path)/50%25%20%C3%A4%20%5Bx%5D.txt")
    var parts = tm()
    let date = try #require(lines[2].wholeMatch(of: /DeletionDate=(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/))
    parts.tm_year = try #require(CInt(date.1)) - 1900
    parts.tm_mon = try #require(CInt(date.2)) - 1
    parts.tm_mday = try #require(CInt(date.3))
    parts.tm_hour = try #require(CInt(date.4))
    parts.tm_min = try #require(CInt(date.5))
    parts.tm_sec = try #require(CInt(date.6))
    parts.tm_isdst = -1
    #expect((before...before + 60).contains(mktime(&parts)))
  }

  @Test func `the user's own trash is where the base directory specification says`() async {
    await #expect(processExitsWith: .success) {
      let place = try Scratch()
      setenv("XDG_DATA_HOME", place("share"), 1)
      _ = try Trash().trash(raw(place.write("1", to: "x")))
      #expect(place.list("share/Trash/files") == ["x"])
      #expect(status(place("share/Trash")).st_mode & 0o7777 == 0o700)
      unsetenv("XDG_DATA_HOME")
      setenv("HOME", place("home"), 1)
      _ = try Trash().trash(raw(place.write("1", to: "y")))
      #expect(place.list("home/.local/share/Trash/info") == ["y.trashinfo"])
    }
  }

  @Test(.requiresTwoFileSystems)
  func `the top directory is where the file system begins`() throws {
    let other = try Scratch(in: otherFileSystem ?? "")
    #expect(Trash.topDirectory(of: raw(other.path)) == raw(otherFileSystem ?? ""))
    #expect(Trash.topDirectory(of: raw("/")) == raw("/"))
  }

  @Test func `two files of one name are two files in the trash, and come back to where they were`() throws {
    let one = try place.trash.trash(raw(place.write("1", to: "a/x.txt")))
    let two = try place.trash.trash(raw(place.write("2", to: "b/x.txt")))
    #expect(place.trashed == ["x 2.txt", "x.txt"])
    try place.trash.restore(two)
    try place.trash.restore(one)
    #expect(place.text("a/x.txt") == "1")
    #expect(place.text("b/x.txt") == "2")
    #expect(place.trashed.isEmpty)
    #expect(place.trashInfo("x.txt") == nil)
  }

  @Test func `a name that an orphan has in the trash is left to it`() throws {
    _ = try place.trash.trash(raw(place.write("1", to: "x.txt")))
    let info = String(decoding: raw(place.path), as: UTF8.self) + "/../Trash/info/x.txt.trashinfo"
    try #require(unlink(info) == 0)
    _ = try place.trash.trash(raw(place.write("2", to: "x.txt")))
    #expect(place.trashed == ["x 2.txt", "x.txt"])
    #expect(place.trashInfo("x.txt") == nil)
    #expect(place.trashInfo("x 2.txt") != nil)
  }

  @Test func `an orphan below a long row of names leaves the next free number`() throws {
    _ = try place.trash.trash(raw(place.write("1", to: "x.txt")))
    let trash = place.path + "/../Trash"
    try place.write("orphan", to: "../Trash/files/x 2.txt")
    for number in 3...1200 { close(open("\(trash)/info/x \(number).txt.trashinfo", O_CREAT | O_WRONLY, 0o600)) }
    _ = try place.trash.trash(raw(place.write("2", to: "x.txt")))
    #expect(place.trashed == ["x 1201.txt", "x 2.txt", "x.txt"])
  }

  @Test func `links go to the trash themselves, and directories with all that is in them`() throws {
    try place.write("1", to: "tree/one.txt")
    symlink("tree", place("link"))
    _ = try place.trash.trash(raw(place("link")))
    #expect(place.list("tree") == ["one.txt"])
    _ = try place.trash.trash(raw(place("tree")))
    #expect(place.trashed == ["link", "tree"])
  }

  @Test func `the longest name leaves room for its description`() throws {
    let name = String(repeating: "n", count: 255)
    let file = try place.trash.trash(raw(place.write("1", to: name)))
    #expect(place.trashed.first?.utf8.count == 245)
    try place.trash.restore(file)
    #expect(place.text(name) == "1")
  }

  @Test func `a top directory has a trash of the user's own, with relative paths`() throws {
    let file = try topTrash.trash(raw(place.write("1", to: "sub/x y.txt")))
    let own = ".Trash-\(getuid())"
    #expect(place.list(own + "/files") == ["x y.txt"])
    #expect(status(place(own)).st_mode & 0o7777 == 0o700)
    #expect(place.text(own + "/info/x y.txt.trashinfo")?.contains("\nPath=sub/x%20y.txt\n") == true)
    try topTrash.restore(file)
    #expect(place.text("sub/x y.txt") == "1")
  }

  @Test func `the administrator's trash is used if it has the sticky bit`() throws {
    try place.makeDirectory(".Trash")
    chmod(place(".Trash"), 0o1777)
    _ = try topTrash.trash(raw(place.write("1", to: "x")))
    #expect(place.list(".Trash/\(getuid())/files") == ["x"])
    #expect(place.list() == [".Trash"])
  }

  @Test func `the administrator's trash is not used without the sticky bit, or if it is a link`() throws {
    try place.makeDirectory(".Trash")
    chmod(place(".Trash"), 0o777)
    _ = try topTrash.trash(raw(place.write("1", to: "x")))
    #expect(place.list(".Trash").isEmpty)
    let elsewhere = try Scratch()
    chmod(elsewhere.path, 0o1777)
    rmdir(place(".Trash"))
    symlink(elsewhere.path, place(".Trash"))
    _ = try topTrash.trash(raw(place.write("1", to: "y")))
    #expect(elsewhere.list().isEmpty)
    #expect(place.list(".Trash-\(getuid())/files") == ["x", "y"])
  }

  @Test func `a trash that is a link, or somebody else's, is not used, and nothing is deleted`() throws {
    let elsewhere = try Scratch()
    symlink(elsewhere.path, place(".Trash-\(getuid())"))
    let path = try place.write("1", to: "x")
    let error = #expect(throws: FileError.self) { try topTrash.trash(raw(path)) }
    // Not of `.Trash`, which is missing on most volumes.
    #expect(error?.description.hasPrefix("no trash accepts 'x': ") == true && error?.code != ENOENT)
    #expect(place.text("x") == "1")
    #expect(elsewhere.list().isEmpty)

    let top = raw(place.path)
    let stranger = Trash(home: nil, user: getuid() + 1) { _ in top }
    #expect(throws: FileError.self) { try stranger.trash(raw(path)) }
    #expect(place.text("x") == "1")
  }

  @Test func `nothing comes back over something else, or if the trash has been emptied`() throws {
    let file = try place.trash.trash(raw(place.write("old", to: "x")))
    try place.write("new", to: "x")
    #expect(throws: FileError("cannot restore 'x': an item with that name exists", code: EEXIST)) {
      try place.trash.restore(file)
    }
    #expect(place.text("x") == "new")
    unlink(place("x"))
    rename(place("../Trash/files/x"), place("../Trash/files/gone"))
    try Data("other".utf8).write(to: URL(filePath: place("../Trash/files/x")))
    #expect(throws: FileError("'x' is no longer in the trash", code: ENOENT)) { try place.trash.restore(file) }
  }
}
