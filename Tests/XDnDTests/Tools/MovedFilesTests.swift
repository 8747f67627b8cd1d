import Glibc
import TestSupport
import Testing
import XDnDToolSupport
import XDnD

@testable import xdnd_source

@Suite("Files that are moved, come back and go again")
struct MovedFilesTests {
  @Test func `a row is moved while its file is not where it was`() throws {
    let directory = try TemporaryDirectory()
    let paths = try ["one", "two"].map { try directory.write([], to: $0) }
    let offers = OfferMaker(
      name: nil, isPromising: false, isExact: false, isContentFirst: false, remote: nil,
      commands: CommandQueue(limit: 1))
    let maker = RowMaker(operations: [.move], offers: offers, form: .names)
    let list = RowList(
      paths.map(maker.row(forFile:)), names: nil, maker: maker, reporter: Reporter(json: true, toStandardError: true))
    func marks() -> [String?] { list.indices.map { list[$0].mark?.rawValue } }
    list.markMoved([0, 1])
    #expect(list.presentCount == 2)
    for path in paths { #expect(rename(path, path + " moved") == 0) }
    _ = try directory.write([], to: "three")
    // The list is drawn again: its number of files is another.
    #expect(list.takeMovedFiles() == false)
    #expect(list.presentCount == 0)
    #expect(list.takeMovedFiles() == nil)
    #expect(marks() == ["moved", "moved"])
    #expect(rename(paths[0] + " moved", paths[0]) == 0)
    var event = pollfd(fd: list.movedFilesDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&event, 1, 10_000) == 1)
    #expect(list.takeMovedFiles() == true)
    #expect(marks() == [nil, "moved"])
    // Copied back.
    _ = try directory.write([], to: "two")
    #expect(list.takeMovedFiles() == true)
    #expect(marks() == [nil, nil])
    #expect(poll(&event, 1, 0) == 0)
    // The target redoes the move of one, and the other is deleted.
    #expect(rename(paths[0], paths[0] + " moved") == 0 && unlink(paths[1]) == 0)
    #expect(poll(&event, 1, 10_000) == 1)
    #expect(list.takeMovedFiles() == true)
    #expect(marks() == ["moved", "moved"])
  }
}
