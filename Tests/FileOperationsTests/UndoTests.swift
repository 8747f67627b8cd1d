import XDnDFiles
import Foundation
import Glibc
import Testing

@testable import XDnDFileOperations

@Suite struct UndoTests {
  let from: Scratch
  let to: Scratch

  init() throws {
    from = try Scratch()
    to = try Scratch()
    try from.write("new", to: "note.txt")
    try from.write("1", to: "tree/sub/one.txt")
  }

  private func run(_ kind: FileOperation.Kind, _ conflicts: ConflictPolicy = .always(.keepBoth)) throws
    -> OperationReport
  {
    try perform(kind, [from("note.txt"), from("tree")], to: to.path, conflicts: conflicts, trash: to.trash)
  }

  @Test(arguments: [FileOperation.Kind.copy, .link])
  func `what was made goes to the trash`(_ kind: FileOperation.Kind) throws {
    let report = try run(kind)
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(to.list().isEmpty)
    #expect(to.trashed == ["note.txt", "tree"])
    #expect(undone.undoable.isEmpty)
    #expect(from.text("tree/sub/one.txt") == "1")
  }

  @Test func `what was moved goes back`() throws {
    let report = try run(.move)
    try to.write("edited since", to: "note.txt")
    let inode = status(to("tree")).st_ino
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.undoable.isEmpty)
    #expect(from.text("note.txt") == "edited since")
    #expect(status(from("tree")).st_ino == inode)
    #expect(to.trashed.isEmpty)
  }

  @Test func `what has another thing in its place does not go back`() throws {
    let report = try run(.move)
    try to.write("another", to: "another")
    rename(to("another"), to("note.txt"))
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.results.last?.outcome.words == "'note.txt' was replaced by another item, and is kept")
    #expect(to.text("note.txt") == "another")
  }

  @Test func `what was moved does not go back over something else, and can later`() throws {
    let report = try run(.move)
    try from.write("newer", to: "note.txt")
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(
      undone.results.map(\.outcome.words) == [nil, "cannot move 'note.txt' back: an item with that name exists"])
    #expect(from.text("note.txt") == "newer")
    #expect(to.text("note.txt") == "new")
    unlink(from("note.txt"))
    let again = try undo(undone.undoable, trash: to.trash)
    #expect(again.undoable.isEmpty)
    #expect(from.text("note.txt") == "new")
  }

  @Test(arguments: [FileOperation.Kind.copy, .move, .link])
  func `what was replaced comes back`(_ kind: FileOperation.Kind) throws {
    try to.write("old", to: "note.txt")
    try to.write("old", to: "tree/two.txt")
    let report = try run(kind, .always(.replace))
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.undoable.isEmpty)
    #expect(to.text("note.txt") == "old")
    #expect(to.list("tree") == ["two.txt"])
    #expect(from.text("note.txt") == "new")
    #expect(from.text("tree/sub/one.txt") == "1")
  }

  @Test(arguments: [FileOperation.Kind.copy, .move, .link])
  func `what has replaced something stays if that is not in the trash any more`(_ kind: FileOperation.Kind) throws {
    try to.write("old", to: "note.txt")
    let report = try run(kind, .always(.replace))
    let replaced = try #require(report.results.first?.replaced)
    #expect(unlink(String(decoding: replaced.path, as: UTF8.self)) == 0)
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(
      undone.results.map(\.outcome.words) == [
        nil, "'note.txt' is kept: the item that it replaced is no longer in the trash",
        "'note.txt' is no longer in the trash",
      ])
    #expect(to.list() == ["note.txt"])
    #expect(to.text("note.txt") == "new")
    #expect(undone.undoable.steps.count == 2)
  }

  @Test func `what has replaced something stays if the whole trash is gone`() throws {
    try to.write("old", to: "note.txt")
    let report = try perform(
      .copy, [from("note.txt")], to: to.path, conflicts: .always(.replace), trash: to.trash)
    let replaced = try #require(report.results.first?.replaced)
    let files = URL(filePath: String(decoding: replaced.path, as: UTF8.self)).deletingLastPathComponent()
    try FileManager.default.removeItem(at: files.deletingLastPathComponent())
    _ = try undo(report.undoable, trash: to.trash)
    #expect(to.text("note.txt") == "new")
  }

  @Test func `a change of the same length within a second is a change, also deep in a tree`() throws {
    let report = try run(.copy)
    let path = to("tree/sub/one.txt")
    let old = status(path).st_mtim
    try to.write("2", to: "tree/sub/one.txt")
    var times = [old, timespec(tv_sec: old.tv_sec, tv_nsec: old.tv_nsec == 0 ? 1 : old.tv_nsec - 1)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.results.first?.outcome.words == "'tree' has changed since, and is kept")
  }

  @Test func `an undo that is cancelled can be finished later`() throws {
    let report = try run(.copy)
    var steps = 0
    let meter = Meter(isCancelled: {
      steps += 1
      return steps > 1
    })
    let undone = UndoRunner(undoable: report.undoable, trash: to.trash, meter: meter).run()
    #expect(meter.progress.itemCount == 2 && meter.progress.item == 1)
    #expect(undone.results.last?.outcome == .cancelled)
    #expect(to.list() == ["note.txt"])
    #expect(undone.undoable.steps.count == 1)
    _ = try undo(undone.undoable, trash: to.trash)
    #expect(to.list().isEmpty)
  }

  @Test func `a tree that is too deep to be looked at is left out`() throws {
    for (depth, isUndoable) in [(OpenDirectory.greatestDepth, true), (OpenDirectory.greatestDepth + 1, false)] {
      try to.write("x", to: "deep" + String(repeating: "/d", count: depth - 1) + "/file")
      #expect(Undoable.created([raw(to("deep"))]).isEmpty != isUndoable)
    }
  }

  @Test func `what was changed since is not taken away, also deep in a tree`() throws {
    let report = try run(.copy)
    try to.write("mine", to: "note.txt")
    try to.write("mine", to: "tree/sub/two.txt")
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(
      undone.results.map(\.outcome.words) == [
        "'tree' has changed since, and is kept", "'note.txt' has changed since, and is kept",
      ])
    #expect(to.text("note.txt") == "mine")
    #expect(to.list("tree/sub") == ["one.txt", "two.txt"])
    #expect(to.trashed.isEmpty)
  }

  @Test func `what is not there any more is reported`() throws {
    let report = try run(.copy)
    unlink(to("note.txt"))
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.results.map(\.outcome.words) == [nil, "'note.txt' no longer exists"])
  }

  // MARK: Redo

  @Test(arguments: [FileOperation.Kind.copy, .move, .link], [ConflictPolicy.always(.keepBoth), .always(.replace)])
  func `what is redone is as it was, and can be undone again`(
    _ kind: FileOperation.Kind, _ conflicts: ConflictPolicy
  ) throws {
    try to.write("old", to: "note.txt")
    let report = try run(kind, conflicts)
    let (left, right, trashed) = (from.list(), to.list(), to.trashed)
    let inode = status(to("tree")).st_ino
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.redoable.steps.count == report.undoable.steps.count)
    let redone = try undo(undone.redoable, trash: to.trash)
    #expect(redone.undoable.isEmpty)
    #expect(from.list() == left)
    #expect(to.list() == right)
    #expect(to.trashed == trashed)
    #expect(to.text("tree/sub/one.txt") == "1")
    #expect(status(to("tree")).st_ino == inode)
    let again = try undo(redone.redoable, trash: to.trash)
    #expect(again.undoable.isEmpty)
    #expect(to.list() == ["note.txt"])
    #expect(to.text("note.txt") == "old")
    #expect(from.text("note.txt") == "new")
    #expect(from.text("tree/sub/one.txt") == "1")
  }

  @Test func `an operation by itself has nothing to redo`() throws {
    #expect(try run(.copy).redoable.isEmpty)
  }

  @Test func `of what is undone in part, that part is redone`() throws {
    let report = try run(.copy)
    try to.write("mine", to: "note.txt")
    let undone = try undo(report.undoable, trash: to.trash)
    #expect(undone.undoable.steps.count == 1)
    #expect(undone.redoable.steps.count == 1)
    let redone = try undo(undone.redoable, trash: to.trash)
    #expect(redone.undoable.isEmpty)
    #expect(to.list() == ["note.txt", "tree"])
    #expect(to.text("note.txt") == "mine")
  }

  @Test func `what has its name taken is not redone, and can be later`() throws {
    let undone = try undo(try run(.copy).undoable, trash: to.trash)
    try to.write("mine", to: "note.txt")
    let redone = try undo(undone.redoable, trash: to.trash)
    #expect(
      redone.results.map(\.outcome.words) == ["cannot restore 'note.txt': an item with that name exists", nil])
    #expect(to.text("note.txt") == "mine")
    #expect(to.trashed == ["note.txt"])
    unlink(to("note.txt"))
    #expect(try undo(redone.undoable, trash: to.trash).undoable.isEmpty)
    #expect(to.text("note.txt") == "new")
  }

  @Test(.requiresTwoFileSystems)
  func `a move to another file system is redone, too`() throws {
    let other = try Scratch(in: otherFileSystem ?? "")
    let report = try perform(.move, [from("tree")], to: other.path, trash: other.trash)
    let undone = try undo(report.undoable, trash: other.trash)
    #expect(from.list() == ["note.txt", "tree"])
    let redone = try undo(undone.redoable, trash: other.trash)
    #expect(redone.undoable.isEmpty)
    #expect(from.list() == ["note.txt"])
    #expect(other.text("tree/sub/one.txt") == "1")
  }

  @Test func `files that were saved by other means can be taken back`() throws {
    try to.write("clipping", to: "clipping.txt")
    let undoable = Undoable.created([raw(to("clipping.txt")), raw(to("never there"))])
    #expect(undoable.steps.count == 1)
    _ = try undo(undoable, trash: to.trash)
    #expect(to.trashed == ["clipping.txt"])
  }
}
