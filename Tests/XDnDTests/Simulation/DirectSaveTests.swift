import Glibc
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("A target that has files saved")
struct DirectSaveTests {
  private let run: SavingStage
  private var source: SavingSource { run.source }

  init() throws { run = try SavingStage() }

  @Test func `the source is given a place, and what it saves there gets its name`() throws {
    try run.save()
    run.expectSaved(["note.txt": "saved"])
    let address = try #require(source.address)
    #expect(address.type == AtomName("text/plain"))
    #expect(address.text.hasPrefix(FileURI.encode(path: run.directory.path.utf8) + "/.xdnd-"))
    #expect(address.text.hasSuffix("/note.txt"))
    #expect(run.progress == [5])
    #expect(try run.result?.get().map(\.byteCount) == [5])
  }

  @Test func `the promised name is there while the drag hovers, and after the URI has taken its place`() throws {
    source.promise(Array("gr\u{FC}n.txt".unicodeScalars.map { UInt8($0.value) }))
    run.hover()
    let drop = try #require(run.stage.receiver.drop)
    #expect(drop.offersDirectSave)
    #expect(drop.promisedFileName() == "grün.txt")
    source.drop()
    run.run(.milliseconds(50))
    drop.saveDirectly(into: try run.target()) { _ in }
    run.run(.milliseconds(50))
    #expect(drop.promisedFileName() == "grün.txt")
    drop.finish(.copy)
    run.run()
    #expect(run.entries == ["grün.txt"])
  }

  @Test func `letters beyond ASCII and spaces are escaped in the URI`() throws {
    source.promise(Array("ż ó%.txt".utf8))
    try run.save()
    run.expectSaved(["ż ó%.txt": "saved"])
    #expect(try #require(source.address).text.hasSuffix("/%C5%BC%20%C3%B3%25.txt"))
  }

  // MARK: Names

  @Test(arguments: [
    ("../../x", "x"), ("a/b", "b"), ("/etc/passwd", "passwd"), ("", "untitled"), (".", "untitled"), ("..", "untitled"),
    ("../..", "untitled"), ("a\u{7}\nb.txt", "a b.txt"), ("a\0b", "ab"), ("\0", "untitled"), ("...x", "x"),
    ("-rf", "-rf"),
  ])
  func `no name leads out of the directory`(name: String, saved: String) throws {
    let sub = run.directory("sub")
    #expect(mkdir(sub, 0o700) == 0)
    source.promise(Array(name.utf8))
    try run.save(into: FileDirectory(sub))
    #expect(run.names == ["sub/" + saved])
    #expect(run.content("sub/" + saved) == "saved")
    #expect(run.entries == ["sub"])
  }

  @Test func `a name of ten thousand bytes is cut, and keeps its extension`() throws {
    source.promise(Array(repeating: UInt8(ascii: "x"), count: 10_000) + Array(".txt".utf8))
    try run.save()
    let name = try #require(run.names?.first)
    #expect(name.utf8.count <= 255)
    #expect(name.hasSuffix(".txt"))
    run.expectSaved([name: "saved"])
  }

  @Test func `a name that is too long to be looked at, of another type, or not there is none`() throws {
    source.promise(Array(repeating: UInt8(ascii: "x"), count: 100_000))
    try run.save()
    run.expectSaved(["untitled": "saved"])
    for prepare in [{ $0.promise([1, 2, 3, 4], as: .integer) }, { $0.removeProperty() }] as [(SavingSource) -> Void] {
      let other = try SavingStage()
      prepare(other.source)
      try other.save()
      other.expectSaved(["untitled": "saved"])
    }
  }

  @Test func `nothing is written over, not even a link that leads nowhere`() throws {
    _ = try run.directory.write("old".utf8, to: "note.txt")
    #expect(symlink("/nowhere/at/all", run.directory("note 2.txt")) == 0)
    #expect(mkdir(run.directory("note 3.txt"), 0o700) == 0)
    try run.save()
    run.expectSaved(["note 4.txt": "saved"], besides: ["note.txt", "note 2.txt", "note 3.txt"])
    #expect(run.content("note.txt") == "old")
  }

  // MARK: What is saved

  @Test func `archivers save under other names, several, and directories`() throws {
    source.promise(Array("xds.txt".utf8))
    source.save = { path in
      let place = Saving.parent(of: path)
      Saving.write("1", to: place + "one")
      Saving.write("2", to: place + "two\n.txt")
      mkdir(place + "tree", 0o755)
      Saving.write("3", to: place + "tree/three")
      return "S"
    }
    try run.save()
    #expect(run.names?.sorted() == ["one", "tree", "two.txt"])
    #expect(run.entries == ["one", "tree", "two.txt"])
    #expect(run.content("tree/three") == "3")
    #expect(try run.result?.get().first { $0.path.hasSuffix("tree") }?.byteCount == .some(nil))
  }

  @Test func `links and pipes are not taken over, wherever they are`() throws {
    let secret = try run.directory.write("secret".utf8, to: "secret")
    source.save = { path in
      let place = Saving.parent(of: path)
      Saving.write("1", to: place + "file")
      symlink(secret, place + "link")
      mkfifo(place + "pipe", 0o600)
      mkdir(place + "tree", 0o755)
      symlink("/", place + "tree/root")
      Saving.write("2", to: place + "tree/file")
      return "S"
    }
    try run.save()
    #expect(run.entries == ["file", "secret", "tree"])
    #expect(access(run.directory("tree/root"), F_OK) != 0)
    #expect(run.content("tree/file") == "2")
    #expect(run.content("secret") == "secret")
  }

  @Test func `a link in the place of the file is nothing at all`() throws {
    source.save = { symlink("/etc/passwd", $0) == 0 ? "S" : "E" }
    try run.save()
    run.expectNothing(.transferFailed, isTold: false)
    #expect(source.finished.map(\.result) == [.accepted(.copy)])
  }

  @Test func `a file that is filled after the answer is waited for, as Firefox fills it`() throws {
    source.save = { Saving.write("", to: $0) ? "S" : "E" }
    try run.save(for: .seconds(20))
    #expect(run.result == nil)
    #expect(Saving.write("late", to: source.path))
    run.run()
    run.expectSaved(["note.txt": "late"])
  }

  @Test func `files that are extracted after the answer are waited for, as Engrampa extracts them`() throws {
    source.save = { _ in "S" }
    try run.save(for: .seconds(5))
    for name in ["a", "b", "c"] {
      #expect(Saving.write(name, to: Saving.parent(of: source.path) + name))
      run.run(.milliseconds(700))
      #expect(run.result == nil)
    }
    run.run()
    run.expectSaved(["a": "a", "b": "b", "c": "c"])
  }

  @Test func `a source that writes only when the drop is over is told so, as Engrampa waits for that`() throws {
    source.promise(Array("xds.txt".utf8))
    source.save = { _ in "S" }
    source.onFinished = { [source] in Saving.write("extracted", to: Saving.parent(of: source.path) + "member") }
    try run.save(for: .seconds(5))
    run.expectSaved(["member": "extracted"])
    #expect(run.stage.receiver.results == [.finished(.copy)])
  }

  @Test func `a source that goes away after it has written is believed`() throws {
    source.save = { _ in "S" }
    source.onFinished = { [run] in
      Saving.write("extracted", to: run.source.path)
      run.kill()
    }
    try run.save(for: .seconds(5))
    run.expectSaved(["note.txt": "extracted"])
  }

  @Test func `a source that goes away together with its answer is believed, if its file is there`() throws {
    source.save = { [run] in
      // The target gets both at once.
      run.stage.simulation.after(.zero) { run.kill() }
      return Saving.write("saved", to: $0) ? "S" : "E"
    }
    try run.save()
    #expect(run.names == ["note.txt"])
    #expect(run.content("note.txt") == "saved")
    #expect(run.entries == ["note.txt"])
    #expect(run.stage.receiver.results == [.sourceVanished])
    run.stage.target.driver.unregisterDropTarget(run.stage.window)
    run.stage.simulation.expectClean()
  }

  @Test func `a file that somebody has open for writing is not whole`() throws {
    var file: CInt = -1
    source.save = {
      file = open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      return write(file, "ha", 2) == 2 ? "S" : "E"
    }
    try run.save(for: .seconds(20))
    #expect(run.result == nil)
    #expect(write(file, "lf", 2) == 2)
    #expect(close(file) == 0)
    run.run()
    run.expectSaved(["note.txt": "half"])
  }

  @Test func `a file that stays empty is saved as it is`() throws {
    source.save = { Saving.write("", to: $0) ? "S" : "E" }
    try run.save()
    run.expectSaved(["note.txt": ""])
    #expect(run.stage.simulation.now.sinceStart > .seconds(30))
  }

  @Test func `a source that has saved may remove the property`() throws {
    source.save = { [source] in
      defer { source.removeProperty() }
      return Saving.write("saved", to: $0) ? "S" : "E"
    }
    try run.save()
    run.expectSaved(["note.txt": "saved"])
  }
}
