import Glibc
import Testing
import XDnD
import XDnDToolWindow

@testable import XDnDFileOperations
@testable import XDnDToolSupport
@testable import xdnd_probe

@Suite("What the window of xdnd-probe holds of past drops")
struct DropHistoryTests {
  /// Something that stands for a drop.
  private final class Drop {}

  private static func picture(_ count: Int) -> DropHistory.Part {
    var part = DropHistory.Part(title: "picture", details: "\(count) B")
    part.picture = [UInt8](repeating: 1, count: count)
    part.heldBytes = count
    return part
  }

  @Test func `of pictures the newest are held, up to a budget, and the others stay as lines`() {
    var history = DropHistory(budget: 1000)
    let drops = (0..<5).map { _ in Drop() }
    for drop in drops {
      history.begin(DropHistory.Record(drop: ObjectIdentifier(drop)))
      history.add(Self.picture(400), to: ObjectIdentifier(drop))
      #expect(history.heldBytes <= 1000)
    }
    #expect(history.records.map { $0.parts.first?.picture?.count } == [400, 400, nil, nil, nil])
    #expect(history.records.map { $0.parts.first?.title } == Array(repeating: "picture", count: 5))
    #expect(history.records.map { $0.parts.first?.facts.isEmpty } == [true, true, false, false, false])
  }

  @Test func `the reason of a failure is said once, beside the name of its file`() {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop)))
    let reason = "cannot write 'a': disk full"
    history.add(DropHistory.Part(title: "a", details: reason, state: .error), to: ObjectIdentifier(drop))
    history.add(DropHistory.Part(title: reason, state: .error), to: ObjectIdentifier(drop))
    #expect(history.records.first?.parts.map(\.title) == ["a"])
    history.add(DropHistory.Part(title: "another reason", state: .error), to: ObjectIdentifier(drop))
    #expect(history.records.first?.parts.map(\.title) == ["a", "another reason"])
  }

  @Test func `a file that was skipped has the icon of its name`() {
    let item = SavedItem(report: Report("saved", "", [:]), name: "a.png", details: "skipped", state: .dimmed)
    #expect(DropHistory.Part(of: item).icon?.type == "image/png")
  }

  @Test func `what is larger than the budget is not held at all`() {
    var history = DropHistory(budget: 1000)
    history.add(Self.picture(1001), to: nil)
    #expect(history.heldBytes == 0)
    #expect(history.records.first?.parts.first?.picture == nil)
  }

  @Test func `of a text its beginning is held`() throws {
    var history = DropHistory()
    let text = String(repeating: "ž", count: 1 << 20)
    history.add(DropHistory.Part(title: "text", content: .text(text)), to: nil)
    let held = try #require(history.records.first?.parts.first?.content?.text)
    #expect(held.unicodeScalars.count == DropHistory.Part.shownLetters + 1)
    #expect(text.hasPrefix(held.dropLast()))
  }

  @Test func `the first line of a drop stands for all its parts`() throws {
    var history = DropHistory()
    let drop = Drop()
    let id = history.begin(DropHistory.Record(drop: ObjectIdentifier(drop)))
    for title in ["one", "two"] { history.add(DropHistory.Part(title: title), to: ObjectIdentifier(drop)) }
    let line = try #require(history.lines.first)
    #expect(line.id == id)
    #expect(line.row.primary == "2 items")
    #expect(line.parts.map(\.title) == ["one", "two"])
  }

  @Test func `a paste whose content has not arrived is called one, and a drop is called a drop`() {
    let drop = Drop()
    #expect(DropHistory.Record(drop: ObjectIdentifier(drop), isPaste: true).title == "Pasted")
    #expect(DropHistory.Record(drop: ObjectIdentifier(drop)).title == "Drop")
  }

  @Test func `a drop of which nothing is there does not say that it was received`() {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop)))
    #expect(history.lines.map(\.row.secondary) == ["receiving"])
    for title in ["one", "two"] { history.add(DropHistory.Part(title: title), to: ObjectIdentifier(drop)) }
    #expect(history.lines.first?.row.secondary == "received")
  }

  @Test func `a drop is called by its name before its content is there`() {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop)))
    history.update(ObjectIdentifier(drop)) { $0.name = "photo.png" }
    #expect(history.lines.map(\.row.primary) == ["photo.png"])
    history.add(DropHistory.Part(title: "photo 2.png"), to: ObjectIdentifier(drop))
    #expect(history.lines.map(\.row.primary) == ["photo 2.png"])
  }

  @Test func `the line of an undone drop says that, and no more what was done with the file`() throws {
    var history = DropHistory()
    let drops = [Drop(), Drop()]
    for drop in drops {
      history.begin(DropHistory.Record(drop: ObjectIdentifier(drop), outcome: "moved"))
      history.add(DropHistory.Part(title: "note.txt", details: "moved"), to: ObjectIdentifier(drop))
    }
    let older = try #require(history.records.last?.number)
    history.update(number: older) { $0.undone = .complete }
    let rows = history.lines.map(\.row)
    #expect(rows.map { $0.secondary.contains("moved") } == [true, false])
    #expect(rows[1].secondary == "undone")
    history.update(number: older) { $0.undone = .inPart }
    #expect(history.lines[1].row.secondary == "undone in part")
  }

  @Test func `of a drop that is undone in part, each file says where it is`() throws {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop), outcome: "moved"))
    for (name, path) in [("here.txt", "/"), ("gone.txt", "/no such file")] {
      var part = DropHistory.Part(title: name, details: "moved")
      part.path = Array(path.utf8)
      part.lookAgain()
      history.add(part, to: ObjectIdentifier(drop))
    }
    history.update(ObjectIdentifier(drop)) { $0.undone = .inPart }
    #expect(history.lines.map(\.row.secondary) == ["undone in part", "moved", "undone"])
  }

  @Test func `a row says what was done with its drop, or else its size, and only a failure is red`() throws {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop), outcome: "copied", done: "skipped"))
    history.add(
      DropHistory.Part(title: "note.txt", details: "already exists here", state: .dimmed), to: ObjectIdentifier(drop))
    let row = try #require(history.lines.first?.row)
    #expect(history.lines.count == 1)
    #expect(row.primary == "note.txt")
    #expect(row.secondary == "skipped")
    #expect(row.state == .dimmed)
    history.update(ObjectIdentifier(drop)) { $0.undone = .complete }
    #expect(history.lines.first?.row.secondary == "undone")
    let other = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(other)))
    history.add(DropHistory.Part(title: "text", details: "4 characters"), to: ObjectIdentifier(other))
    #expect(history.lines.first?.row.secondary == "4 characters")
  }

  @Test func `the reason of a failure stands below the name of its drop`() throws {
    var history = DropHistory()
    let drop = Drop()
    history.begin(
      DropHistory.Record(drop: ObjectIdentifier(drop), name: "photo.png", outcome: "failed", hasFailed: true))
    history.add(DropHistory.Part(title: "the disk is full", state: .error), to: ObjectIdentifier(drop))
    let row = try #require(history.lines.first?.row)
    #expect((row.primary, row.secondary) == ("photo.png", "the disk is full"))
    #expect(row.state == .error)
  }

  @Test func `the pane says where a drop comes from, when it came and what became of it, and the row does not`() throws
  {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop), origin: "Files", outcome: "copied"))
    var part = DropHistory.Part(title: "note.txt", details: "5 B")
    part.facts = [Scene.Pane.Fact("Path", "/tmp/note.txt")]
    history.add(part, to: ObjectIdentifier(drop))
    let line = try #require(history.lines.first)
    #expect(line.row.secondary == "copied")
    #expect(line.facts.map(\.label) == ["Path", "From", "Time", "Status"])
    #expect(line.facts.map(\.value).contains("Files"))
    // While work is in progress, there is no result.
    history.update(ObjectIdentifier(drop)) {
      $0.activity = RowActivity(words: "waiting for your choice", progress: .indeterminate, action: .cancel)
    }
    #expect(history.lines.first?.facts.map(\.label) == ["Path", "From", "Time"])
  }

  @Test func `every row has an icon, so that no name moves when another one arrives`() {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop)))
    #expect(history.lines.allSatisfy { $0.row.icon != nil })
    for title in ["one", "two"] { history.add(DropHistory.Part(title: title), to: ObjectIdentifier(drop)) }
    #expect(history.lines.allSatisfy { $0.row.icon != nil })
  }

  @Test func `rows of skipped and cancelled files are dimmed, and rows of failed files are red`() {
    let failure = FileError("write", [], ENOSPC)
    let states = [ItemResult.Outcome.skipped("exists"), .cancelled, .failed(failure), .copied(to: [], bytes: 1)].map(
      \.state)
    #expect(states == [.dimmed, .dimmed, .error, .plain])
  }

  @Test func `the first line of a drop shows the work on it, in place of a result`() throws {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop), outcome: "receiving"))
    for title in ["one", "two"] { history.add(DropHistory.Part(title: title), to: ObjectIdentifier(drop)) }
    history.update(ObjectIdentifier(drop)) {
      $0.activity = RowActivity(words: "copying, 1.0 MiB of 4.0 MiB", progress: .fraction(0.25), action: .cancel)
    }
    let rows = history.lines.map(\.row)
    #expect(rows.map(\.progress) == [.fraction(0.25), nil, nil])
    #expect(rows.map(\.action) == [.cancel, nil, nil])
    #expect(rows[0].secondary == "copying, 1.0 MiB of 4.0 MiB")
    history.update(ObjectIdentifier(drop)) {
      $0.activity = nil
      $0.outcome = "copied"
    }
    #expect(history.lines[0].row.progress == nil && history.lines[0].row.action == nil)
    #expect(history.lines[0].row.secondary == "copied")
  }

  @Test func `a part is counted in percent if the whole is known`() {
    func percent(_ progress: Scene.Row.Progress) -> Int? {
      RowActivity(words: "", progress: progress, action: .cancel).percent
    }
    #expect(percent(.fraction(0)) == 0)
    #expect(percent(.fraction(0.999)) == 99)
    #expect(percent(.fraction(1)) == 100)
    #expect(percent(.indeterminate) == nil)
  }

  @Test func `the lines of a drop that is redone say what they said before it was undone`() throws {
    var history = DropHistory()
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop), outcome: "copied", hasFailed: true))
    history.add(DropHistory.Part(title: "note.txt", details: "5 B"), to: ObjectIdentifier(drop))
    history.add(DropHistory.Part(title: "gone.txt", details: "not there", state: .error), to: ObjectIdentifier(drop))
    let before = history.lines.map(\.row)
    let number = try #require(history.records.first?.number)
    history.update(number: number) { $0.undone = .complete }
    #expect(history.lines.map(\.row) != before)
    #expect(history.lines.map(\.row.state) == [.dimmed, .dimmed, .error])
    history.update(number: number) { $0.undone = .none }
    #expect(history.lines.map(\.row) == before)
  }

  @Test func `what is taken back out of a record makes room`() {
    var history = DropHistory(budget: 1000)
    let drop = Drop()
    history.begin(DropHistory.Record(drop: ObjectIdentifier(drop)))
    history.add(Self.picture(900), to: ObjectIdentifier(drop))
    history.update(ObjectIdentifier(drop)) { $0.parts = [] }
    history.add(Self.picture(900), to: ObjectIdentifier(drop))
    #expect(history.heldBytes == 900)
    #expect(history.records.first?.parts.first?.picture?.count == 900)
  }
}
