import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite("Where a promised file goes that a target has named a place for")
struct PromisedPlaceTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory("place") }

  private func make(_ name: String, _ content: String) throws { try OnDisk.write(content, to: directory(name)) }

  /// The name and whether what has it may be written over.
  private func place(_ name: String) -> [String] {
    let place = DragPromises.destination(at: Array(directory(name).utf8))
    return [
      String(String(decoding: place.rawPath, as: UTF8.self).dropFirst(directory.path.count + 1)),
      "\(place.isReplacing)",
    ]
  }

  @Test func `a free name is taken, and nothing that comes in between is written over`() {
    #expect(place("a.txt") == ["a.txt", "false"])
  }

  @Test func `an empty file is the target's placeholder`() throws {
    try make("a.txt", "")
    #expect(place("a.txt") == ["a.txt", "true"])
  }

  @Test func `what is there stays, and the file goes beside it`() throws {
    try make("a.txt", "somebody's")
    #expect(place("a.txt") == ["a 2.txt", "false"])
  }

  @Test func `an empty file under a numbered name is somebody's own`() throws {
    try make("a.txt", "somebody's")
    try make("a 2.txt", "")
    #expect(place("a.txt") == ["a 3.txt", "false"])
  }
}
