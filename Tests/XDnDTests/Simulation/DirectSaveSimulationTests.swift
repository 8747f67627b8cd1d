import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A file manager's half of direct save, as one of them does it.
private final class Saver {
  let pair = DragPair()
  let target: RawTarget
  /// The answers to `XdndDirectSave0`, in order; `nil` is a refusal.
  var letters: [String?] = []
  var saves: [[String]] = []

  /// - Parameter save: What the application makes of the place.
  init(save: @escaping ([[UInt8]]) -> DirectSaveProvider.SaveResult? = { _ in .saved }) {
    target = RawTarget(pair)
    target.type = .xdndDirectSave
    pair.source.save = { [unowned self] paths in
      saves.append(paths.map { String(decoding: $0, as: UTF8.self) })
      return save(paths)
    }
  }

  var source: WindowID { pair.source.client.dragWindow }

  var property: String? {
    guard case .units(let bytes, _) = pair.server.windows[source]?.properties[.xdndDirectSave]?.contents else {
      return nil
    }
    return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
  }

  func write(_ place: String) {
    target.client.write(
      PropertyValue(type: .plainText, contents: .bytes(Array(place.utf8)[...])), to: .xdndDirectSave, of: source)
  }

  func hover() -> DragID {
    let drag = pair.begin([.xdndDirectSave, .utf8String], operations: [.copy], saving: "note.txt")
    pair.move(to: RawTarget.inside)
    return drag
  }

  /// A whole drag to a target that names this place when it is dropped on.
  func drop(at place: String? = "file:///tmp/d/note.txt") -> DragOutcome? {
    let drag = hover()
    askOnDrop(at: place)
    pair.drop()
    return pair.source.outcomes[drag]
  }

  /// At a drop, the target writes a place to the property and requests the file.
  func askOnDrop(at place: String? = "file:///tmp/d/note.txt") {
    target.onDrop = { [unowned self] drop in
      if let place { write(place) }
      target.convert(.xdndDirectSave, at: drop.time)
    }
  }

  var letter: String? { target.received.map { String(decoding: $0, as: UTF8.self) } }
}

@Suite("Direct save, between the driver and file managers of all kinds", .computing)
struct DirectSaveSimulationTests {
  @Test func `The file is saved where the target says, and nothing stays on the window`() {
    let saver = Saver()
    #expect(saver.drop() == .dropped(.copy))
    #expect(saver.saves == [["/tmp/d/note.txt"]])
    #expect(saver.letter == "S")
    #expect(saver.property == nil)
    saver.pair.expectClean()
  }

  @Test func `The name is on the window while the drag goes on, and gone when it is cancelled`() {
    let saver = Saver()
    _ = saver.hover()
    #expect(saver.property == "note.txt")
    saver.pair.server.pressEscape()
    saver.pair.drive()
    #expect(saver.property == nil)
    saver.pair.expectClean()
  }

  @Test func `What is asked while hovering is refused and saves nothing, as libfm asks on each motion`() {
    let saver = Saver()
    saver.target.onPosition = { position in
      saver.target.convert(.xdndDirectSave, at: position.time)
      saver.target.say(.status, saver.target.accepting(.copy), to: position.source)
    }
    #expect(saver.drop() == .dropped(.copy))
    #expect(saver.saves.count == 1)
    saver.pair.expectClean()
  }

  @Test func `A target that writes its place too early misleads nobody`() {
    let saver = Saver()
    _ = saver.hover()
    saver.write("file:///tmp/evil")
    saver.pair.move(to: DragPair.outside)
    #expect(saver.property == "note.txt")
    saver.pair.move(to: RawTarget.inside)
    #expect(saver.property == "note.txt")
  }

  @Test func `A target that names no place is refused, and the drag is what the target says`() {
    let saver = Saver()
    #expect(saver.drop(at: nil) == .dropped(.copy))
    #expect(saver.saves.isEmpty)
    #expect(saver.letter == nil)
    saver.pair.expectClean()
  }

  @Test(arguments: [false, true]) func `Saved counts, whatever Finished says`(isAccepted: Bool) {
    let saver = Saver()
    if !isAccepted { saver.target.finished = { saver.target.refusal } }
    #expect(saver.drop() == .dropped(.copy))
    saver.pair.expectClean()
  }

  @Test func `Content that cannot be had is an E and a failed drag, though Thunar accepts it`() {
    let saver = Saver { _ in .contentFailed }
    #expect(saver.drop() == .transferFailed)
    #expect(saver.letter == "E")
    saver.pair.expectClean()
  }

  @Test func `On another machine it is an F, and the target fetches the bytes`() {
    let saver = Saver()
    saver.pair.source.content = [.utf8String: DragPair.text]
    let drag = saver.hover()
    var letter: [UInt8]?
    saver.target.finished = { [target = saver.target] in
      guard letter == nil else { return target.performed(.copy) }
      letter = target.received
      target.convert(.utf8String, at: .currentTime)
      return nil
    }
    saver.askOnDrop(at: "file://elsewhere/tmp/d/note.txt")
    saver.pair.drop()
    #expect(letter == [UInt8(ascii: "F")])
    #expect(saver.target.received == DragPair.text)
    #expect(saver.pair.source.outcomes[drag] == .dropped(.copy))
    #expect(saver.saves.isEmpty)
    saver.pair.expectClean()
  }

  @Test func `A save that takes long is answered in time, and its end is told`() {
    let saver = Saver { _ in nil }
    var drag: DragID?
    saver.pair.after(.seconds(20)) {
      guard let drag else { return }
      saver.pair.source.reactor.perform { $0.offers.receive(.saved(.saved), for: drag) }
    }
    drag = saver.hover()
    saver.askOnDrop()
    let start = saver.pair.now
    saver.target.finished = { [target = saver.target] in
      #expect(saver.pair.now - start < .seconds(4))
      return target.performed(.copy)
    }
    saver.pair.drop()
    #expect(saver.letter == "S")
    #expect(drag.flatMap { saver.pair.source.outcomes[$0] } == .dropped(.copy))
    saver.pair.expectClean()
  }

  @Test func `A save that fails after it was answered ends the drag at once, for the target cannot be told`() {
    let saver = Saver { _ in nil }
    let drag = saver.hover()
    saver.askOnDrop()
    saver.target.finished = { nil }
    saver.pair.after(.seconds(4)) {
      saver.pair.source.reactor.perform { $0.offers.receive(.saved(.contentFailed), for: drag) }
    }
    saver.pair.letGo(for: .seconds(5))
    #expect(saver.letter == "S")
    saver.pair.expectEnd(of: drag, .transferFailed)
  }

  @Test func `A target that dies while the file is saved leaves a saved file and a free drag`() {
    let saver = Saver { _ in nil }
    let drag = saver.hover()
    saver.target.onDrop = { drop in
      saver.write("file:///tmp/d/note.txt")
      saver.target.convert(.xdndDirectSave, at: drop.time)
      saver.pair.after(.seconds(1)) { saver.pair.server.kill(saver.target.client) }
      saver.pair.after(.seconds(2)) {
        saver.pair.source.reactor.perform { $0.offers.receive(.saved(.saved), for: drag) }
      }
    }
    saver.pair.drop()
    #expect(saver.pair.source.outcomes[drag] == .targetVanished)
    #expect(saver.property == nil)
    saver.pair.expectClean()
  }

  @Test func `A target that names a place and says no more ends by its time`() {
    let saver = Saver()
    let drag = saver.hover()
    saver.target.onDrop = { _ in saver.write("file:///tmp/d/note.txt") }
    saver.pair.drop()
    #expect(saver.pair.source.outcomes[drag] == .timedOut)
    #expect(saver.saves.isEmpty)
    #expect(saver.property == nil)
    saver.pair.expectClean()
  }

  @Test func `A place longer than any path is an E`() {
    let saver = Saver()
    #expect(saver.drop(at: "file:///" + String(repeating: "a", count: 20_000)) == .transferFailed)
    #expect(saver.letter == "E")
    #expect(saver.saves.isEmpty)
  }

  @Test func `The next drag has its own name, and the end of the last one does not take it away`() {
    let saver = Saver()
    let first = saver.hover()
    saver.target.onDrop = { _ in }
    saver.pair.letGo()
    saver.pair.begin([.xdndDirectSave], operations: [.copy], saving: "second.txt")
    #expect(saver.property == "second.txt")
    saver.target.finish()
    saver.pair.run()
    #expect(saver.pair.source.outcomes[first] == .dropped(.copy))
    #expect(saver.property == "second.txt")
    saver.pair.server.pressEscape()
    saver.pair.drive()
    #expect(saver.property == nil)
    saver.pair.expectClean()
  }
}
