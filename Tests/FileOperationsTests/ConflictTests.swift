import XDnDFiles
import Foundation
import Glibc
import Synchronization
import Testing

@testable import XDnDFileOperations

@Suite struct ConflictTests {
  let from: Scratch
  let to: Scratch

  init() throws {
    from = try Scratch()
    to = try Scratch()
    try from.write("new", to: "note.txt")
    try to.write("old", to: "note.txt")
  }

  @Test(arguments: [FileOperation.Kind.copy, .move, .link])
  func `both are kept under a new name`(_ kind: FileOperation.Kind) throws {
    try to.write("second", to: "note 2.txt")
    let report = try perform(kind, [from("note.txt")], to: to.path, conflicts: .always(.keepBoth), trash: to.trash)
    #expect(report.results.first?.outcome.newName == "note 3.txt")
    #expect(to.text("note.txt") == "old")
    #expect(to.text("note 2.txt") == "second")
    #expect((to.text("note 3.txt") ?? from.text("note.txt")) == "new")
  }

  @Test(arguments: [FileOperation.Kind.copy, .move, .link])
  func `what is replaced is in the trash`(_ kind: FileOperation.Kind) throws {
    let report = try perform(kind, [from("note.txt")], to: to.path, conflicts: .always(.replace), trash: to.trash)
    #expect(report.results.first?.outcome.newName == "note.txt")
    #expect(report.results.first?.replaced?.originalPath == raw(to("note.txt")))
    #expect(to.text("note.txt") == "new")
    #expect(to.trashed == ["note.txt"])
  }

  @Test(arguments: [FileOperation.Kind.copy, .move, .link])
  func `what is skipped leaves both as they are`(_ kind: FileOperation.Kind) throws {
    let report = try perform(kind, [from("note.txt")], to: to.path, conflicts: .always(.skip), trash: to.trash)
    #expect(report.results.first?.outcome == .skipped("already exists here"))
    #expect(to.text("note.txt") == "old")
    #expect(from.text("note.txt") == "new")
    #expect(report.undoable.isEmpty)
  }

  @Test func `a link that leads nowhere takes its name, too, and is not written through`() throws {
    symlink(from("made"), to("dangling"))
    try from.write("x", to: "dangling")
    let report = try perform(.copy, [from("dangling")], to: to.path, conflicts: .always(.keepBoth), trash: to.trash)
    #expect(report.results.first?.outcome.newName == "dangling 2")
    #expect(from.text("made") == nil)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: to("dangling")) == from("made"))
  }

  @Test func `who is asked gets both paths, and others go on meanwhile`() throws {
    try from.write("free", to: "free.txt")
    var asked: Conflict?
    let to = to
    let report = try perform(.copy, [from("note.txt"), from("free.txt")], to: to.path, trash: to.trash) { conflict in
      asked = conflict
      while to.text("free.txt") == nil { sched_yield() }
      return .keepBoth
    }
    #expect(asked?.source == raw(from("note.txt")))
    #expect(asked?.existing == raw(to("note.txt")))
    #expect(asked?.hasMore == true)
    #expect(report.results.map(\.outcome.newName) == ["note 2.txt", "free.txt"])
  }

  private final class Owner: Sendable { let channel = Mutex<ConflictChannel?>(nil) }

  @Test func `an answer that is there is applied before the next item`() throws {
    try from.write("free", to: "free.txt")
    let owner = Owner()
    let conflicts = try ConflictChannel { _ in
      owner.channel.withLock { $0?.put(ConflictChannel.Answer(choice: .keepBoth, isForAll: false)) }
    }
    owner.channel.withLock { $0 = conflicts }
    defer { owner.channel.withLock { $0 = nil } }
    var items: [Int] = []
    let meter = Meter(report: { if items.last != $0.item { items.append($0.item) } })
    let operation = FileOperation(.copy, ["note.txt", "free.txt"].map { raw(from($0)) }, to: raw(to.path))
    _ = OperationRunner(operation, trash: to.trash, meter: meter, conflicts: conflicts).run()
    #expect(items == [0, 1])
    #expect(to.list() == ["free.txt", "note 2.txt", "note.txt"])
  }

  @Test func `an answer counts for one`() throws {
    for name in ["a", "b", "c"] {
      try from.write("new \(name)", to: name)
      try to.write("old \(name)", to: name)
    }
    var asked: [RawPath] = []
    let report = try perform(.copy, ["a", "b", "c"].map { from($0) }, to: to.path, trash: to.trash) { conflict in
      asked.append(conflict.source)
      return asked.count == 1 ? .skip : .replace
    }
    #expect(asked == ["a", "b", "c"].map { raw(from($0)) })
    #expect(["a", "b", "c"].map { to.text($0) } == ["old a", "new b", "new c"])
    #expect(report.results.first?.outcome == .skipped("already exists here"))
  }

  @Test func `an answer for all is the last`() throws {
    for name in ["a", "b", "c", "d"] { try from.write("new \(name)", to: name) }
    for name in ["a", "b", "d"] { try to.write("old \(name)", to: name) }
    var count = 0
    _ = try perform(.copy, ["a", "b", "c", "d"].map { from($0) }, to: to.path, trash: to.trash, forAll: true) { _ in
      count += 1
      return .replace
    }
    #expect(count == 1)
    #expect(["a", "b", "c", "d"].map { to.text($0) } == ["new a", "new b", "new c", "new d"])
  }

  @Test func `a question says what is there and what comes, and the last that it is the last`() throws {
    try from.write("longer", to: "a")
    try from.write("x", to: "folder/x")
    for name in ["a", "folder"] { try to.write("old", to: name) }
    var asked: [Conflict] = []
    _ = try perform(.copy, ["a", "folder"].map { from($0) }, to: to.path, trash: to.trash) {
      asked.append($0)
      return .skip
    }
    #expect(asked.map { $0.newStatus?.kind } == [.file, .directory])
    #expect(asked.map { $0.existingStatus?.kind } == [.file, .file])
    #expect(asked.first?.newStatus?.size == 6 && asked.first?.existingStatus?.size == 3)
    #expect(asked.map(\.hasMore) == [true, false])
    var link: Conflict?
    _ = try perform(.link, [from("a")], to: to.path, trash: to.trash) {
      link = $0
      return .skip
    }
    // It is not made yet.
    #expect(link?.newStatus == nil && link?.existingStatus?.size == 3)
  }

  @Test func `two of one name in one operation ask about the second`() throws {
    try from.write("first", to: "one/x")
    try from.write("second", to: "two/x")
    var count = 0
    _ = try perform(.copy, [from("one/x"), from("two/x")], to: to.path, trash: to.trash) { _ in
      count += 1
      return .keepBoth
    }
    #expect(count == 1)
    #expect(to.text("x") == "first")
    #expect(to.text("x 2") == "second")
  }

  @Test func `who cancels instead of answering leaves all as it is`() throws {
    let box = TaskBox()
    var report: OperationReport?
    let task = try FileTask(FileOperation(.move, [raw(from("note.txt"))], to: raw(to.path)), trash: to.trash) { event in
      switch event {
      case .conflict: box.task?.cancel()
      case .finished(let result): report = result
      case .progress: break
      }
    }
    box.task = task
    try finish(task)
    #expect(report?.results.map(\.outcome) == [.cancelled])
    #expect(to.text("note.txt") == "old")
    #expect(from.text("note.txt") == "new")
  }

  @Test func `a file dropped onto its own directory is duplicated by a copy, and left alone by a move`() throws {
    let copied = try perform(.copy, [to("note.txt")], to: to.path, conflicts: .always(.replace), trash: to.trash)
    #expect(copied.results.first?.outcome.newName == "note 2.txt")
    #expect(to.text("note 2.txt") == "old")
    let moved = try perform(.move, [to("note.txt")], to: to.path, conflicts: .always(.replace), trash: to.trash)
    #expect(moved.results.first?.outcome == .skipped("already in this folder"))
    #expect(to.text("note.txt") == "old")
    #expect(to.trashed.isEmpty)
  }

  @Test func `a directory is not replaced by what is in it`() throws {
    try to.write("deep", to: "x/sub/x")
    let report = try perform(.move, [to("x/sub/x")], to: to.path, conflicts: .always(.replace), trash: to.trash)
    #expect(report.results.first?.outcome.words == "'x' is inside the item that it would replace")
    #expect(to.text("x/sub/x") == "deep")
  }

  @Test func `what cannot go to the trash is not replaced`() throws {
    let noTrash = Trash(home: nil, user: getuid()) { _ in raw("/proc/none") }
    let report = try perform(.copy, [from("note.txt")], to: to.path, conflicts: .always(.replace), trash: noTrash)
    #expect(report.results.first?.outcome.words?.hasPrefix("no trash accepts 'note.txt'") == true)
    #expect(to.text("note.txt") == "old")
    #expect(to.list() == ["note.txt"])
  }

  @Test func `files of one name get one number after the other`() throws {
    let files = try (1...40).map { try from.write("\($0)", to: "\($0)/note.txt") }
    let report = try perform(.copy, files, to: to.path, conflicts: .always(.keepBoth), trash: to.trash)
    #expect(report.results.map(\.outcome.newName) == (2...41).map { "note \($0).txt" })
  }

  @Test func `of a long row of taken numbers few are looked at`() {
    for count in [0, 1, 2, 3, 50_000, 100_000] {
      var looked = 0
      let free = freeNumber {
        looked += 1
        return $0 <= count
      }
      #expect(free == count + 1)
      #expect(looked <= 40)
    }
  }

  @Test func `numbers stand before the extension, and names stay within 255 bytes`() {
    func numbered(_ name: String, _ number: Int = 2, directory: Bool = false) -> String {
      String(decoding: raw(name).numbered(number, keepingExtension: !directory), as: UTF8.self)
    }
    #expect(numbered("note.txt") == "note 2.txt")
    #expect(numbered("a.tar.gz") == "a 2.tar.gz" && numbered("A.TAR.gz") == "A 2.TAR.gz")
    #expect(numbered("note.txt", 1) == "note.txt")
    #expect(numbered(".profile") == ".profile 2")
    #expect(numbered(".tar.gz") == ".tar 2.gz")
    #expect(numbered("drafts.2024", directory: true) == "drafts.2024 2")
    #expect(numbered("no extension") == "no extension 2")
    let long = String(repeating: "ä", count: 125) + ".txt"
    #expect(numbered(long) == String(repeating: "ä", count: 124) + " 2.txt")
    #expect(numbered("ab." + String(repeating: "x", count: 300)).utf8.count == 255)
  }
}
