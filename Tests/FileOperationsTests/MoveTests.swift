import Foundation
import Glibc
import Testing

@testable import XDnDFileOperations

@Suite struct MoveTests {
  let from: Scratch
  let to: Scratch

  init() throws {
    from = try Scratch()
    to = try Scratch()
  }

  /// With a destination on another file system.
  private func far() throws -> Scratch { try Scratch(in: otherFileSystem ?? "") }

  @Test func `within a file system a move renames, whatever it is`() throws {
    try from.write("1", to: "tree/one.txt")
    mkfifo(from("pipe"), 0o644)
    let inode = status(from("tree")).st_ino
    let report = try perform(.move, [from("tree"), from("pipe")], to: to.path, trash: to.trash)
    #expect(
      report.results.map(\.outcome) == [
        .moved(to: raw(to("tree")), bytes: nil), .moved(to: raw(to("pipe")), bytes: nil),
      ])
    #expect(status(to("tree")).st_ino == inode)
    #expect(from.list().isEmpty)
  }

  @Test(.requiresTwoFileSystems)
  func `across file systems a tree is copied, and then removed`() throws {
    let to = try far()
    try from.write("hello", to: "tree/a/one.txt", mode: 0o640)
    symlink("a", from("tree/link"))
    let report = try perform(.move, [from("tree")], to: to.path, trash: to.trash)
    #expect(report.results.map(\.outcome) == [.moved(to: raw(to("tree")), bytes: 5)])
    #expect(to.text("tree/link/one.txt") == "hello")
    #expect(status(to("tree/a/one.txt")).st_mode & 0o7777 == 0o640)
    #expect(from.list().isEmpty)
    #expect(to.list() == ["tree"])
  }

  @Test(.requiresTwoFileSystems)
  func `across file systems, links and taken names are treated as anywhere`() throws {
    let to = try far()
    symlink("nowhere", from("x"))
    try to.write("old", to: "x")
    let report = try perform(.move, [from("x")], to: to.path, conflicts: .always(.keepBoth), trash: to.trash)
    #expect(report.results.first?.outcome == .moved(to: raw(to("x 2")), bytes: 0))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: to("x 2")) == "nowhere")
    #expect(to.text("x") == "old")
    #expect(from.list().isEmpty)
  }

  @Test(.requiresTwoFileSystems)
  func `what comes into a tree while it is copied is not deleted, and the copy stays`() throws {
    let to = try far()
    try from.write("1", to: "tree/one.txt")
    try from.write("2", to: "tree/two.txt")
    let from = from
    var isDone = false
    let meter = Meter(report: { progress in
      guard progress.bytesDone == 2, !isDone else { return }
      isDone = true
      _ = try? from.write("late", to: "tree/late.txt")
    })
    let report = try performHere(.move, from("tree"), to: to.path, trash: to.trash, meter: meter)
    let outcome = try #require(report.results.first?.outcome)
    #expect(outcome.words == "cannot remove 'tree': Directory not empty")
    #expect(from.list("tree") == ["late.txt"])
    #expect(to.list("tree") == ["one.txt", "two.txt"])
    #expect(report.undoable.isEmpty, "putting the copy into the trash would hide the only one there is")
  }

  @Test(.requiresTwoFileSystems)
  func `a file that is written to while it is moved is not deleted`() throws {
    let to = try far()
    let names = ["tree/one", "tree/two"]
    for name in names { try from.write("1", to: name) }
    let from = from
    var changed: String?
    let meter = Meter(report: { progress in
      guard progress.bytesDone == 2, changed == nil else { return }
      // The other one is being copied.
      changed = names.first { raw($0) != progress.current }
      if let changed { _ = try? from.write("more than before", to: changed) }
    })
    let report = try performHere(.move, from("tree"), to: to.path, trash: to.trash, meter: meter)
    let name = try #require(changed)
    #expect(report.results.first?.outcome.words == "'\(name)' has changed while it was moved")
    #expect(from.text(name) == "more than before")
    #expect(to.list("tree") == ["one", "two"])
  }

  @Test(.requiresTwoFileSystems)
  func `special files do not cross, and nothing of their tree is touched`() throws {
    let to = try far()
    try from.write("1", to: "tree/one.txt")
    mkfifo(from("tree/pipe"), 0o644)
    let report = try perform(.move, [from("tree")], to: to.path, trash: to.trash)
    #expect(report.results.first?.outcome.words == "'tree/pipe' is a pipe and cannot be copied")
    #expect(from.list("tree") == ["one.txt", "pipe"])
    #expect(to.list().isEmpty)
  }

  @Test(.requiresTwoFileSystems)
  func `across file systems a move is undone, too`() throws {
    let to = try far()
    try from.write("1", to: "tree/one.txt")
    let report = try perform(.move, [from("tree")], to: to.path, trash: to.trash)
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.results.first?.outcome == .moved(to: raw(from("tree")), bytes: 1))
    #expect(from.text("tree/one.txt") == "1")
    #expect(to.list().isEmpty)
  }
}
