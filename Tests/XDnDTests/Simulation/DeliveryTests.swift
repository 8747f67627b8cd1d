import Foundation
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// What the source of a drop knows of its delivery, and how it ends it.
@Suite("The delivery of dropped content", .computing)
struct DeliveryTests {
  private let stage = DropStage()
  private static let whole = Configuration().wholePropertySize + Configuration().partSize

  /// Drags items over the target, whose drop then goes to a closure.
  private func hover(_ items: [DragItem], take: @escaping (DropSession) -> Void) throws -> DragSession {
    stage.hover(items)
    stage.receiver.onDrop = take
    return try #require(stage.source.driver.context.currentDrag)
  }

  private func item(_ type: ContentType = "a/b", _ provide: @escaping (DataRequest) -> Void) -> DragItem {
    var item = DragItem()
    item.promise(type, provide: provide)
    return item
  }

  // MARK: Progress

  @Test(arguments: [true, false])
  func `the source knows how much of its content is loaded, and of how much if it knows the length`(isKnown: Bool)
    throws
  {
    let bytes = [UInt8](repeating: 7, count: Self.whole)
    let item = item {
      $0.answer(with: TestReader(bytes, knowsLength: isKnown))
    }
    var seen: [LoadProgress] = []
    let drag = try hover([item]) { drop in drop.load("a/b") { _ in drop.finish(.copy) } }
    #expect(drag.progress == LoadProgress())
    drag.onProgress = { seen.append($0) }
    stage.letGo()
    #expect(drag.outcome == .dropped(.copy))
    #expect(seen.first == LoadProgress(loadCount: 1, pendingLoadCount: 1))
    #expect(
      seen.last
        == LoadProgress(
          receivedByteCount: bytes.count, expectedByteCount: bytes.count, loadCount: 1, pendingLoadCount: 0))
    #expect(seen.last == drag.progress)
    let parts = seen.filter { $0.pendingLoadCount == 1 && $0.receivedByteCount > 0 }
    #expect(parts.count > 2)
    #expect(parts.allSatisfy { $0.expectedByteCount == (isKnown ? bytes.count : nil) })
    // Known as soon as the request is answered.
    #expect(seen.contains { $0.receivedByteCount == 0 && $0.expectedByteCount == bytes.count } == isKnown)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.receivedByteCount <= $1.receivedByteCount })
  }

  @Test func `a list of files that was asked for before files are promised ends in the progress, too`() throws {
    let stage = DropStage(accepting: [.image])
    var kept: DataRequest?
    var list = DragItem()
    list.promise(.uriList) { kept = $0 }
    let drag = stage.hover([list])
    #expect(kept != nil && drag.progress.pendingLoadCount == 1)
    var promised = DragItem()
    promised.promise(FilePromise(named: "a.png", type: .png, bytes: [1]))
    #expect(drag.add(promised))
    kept?.fulfill(FileList(paths: ["/a"]).encoded)
    stage.run(.seconds(1))
    #expect(drag.progress.loadCount >= 1 && drag.progress.pendingLoadCount == 0)
  }

  // MARK: Cancelling

  @Test func `content that has not been answered is refused, and nothing is given any more`() throws {
    var kept: DataRequest?
    var codes: [XDnDError.Code?] = []
    var item = item { kept = $0 }
    item.promise("c/d", bytes: [1])
    let drag = try hover([item]) { drop in
      drop.load("a/b") { result in
        codes.append(result.failure)
        drop.load("c/d") { result in
          codes.append(result.failure)
          drop.reject()
        }
      }
    }
    stage.letGo()
    #expect(kept != nil && drag.outcome == nil && drag.isSending)
    drag.cancelDelivery()
    #expect(drag.outcome == .cancelled(.delivery) && !drag.isSending)
    stage.run(.seconds(1))
    #expect(codes == [.cancelled, .cancelled])
    kept?.fulfill([1, 2, 3])
    stage.run(.seconds(1))
    #expect(drag.progress.pendingLoadCount == 0)
    #expect(stage.source.driver.reactor.offers.deliveries.isEmpty)
  }

  @Test func `a request that was on its way does not get what an earlier drag has`() throws {
    let first = try hover([DragItem("a/b", [1])]) { drop in drop.load("a/b") { _ in drop.finish(.copy) } }
    stage.letGo()
    #expect(first.outcome == .dropped(.copy))
    var result: Result<LoadedContent, XDnDError>?
    let second = try hover([DragItem("a/b", [2])]) { [stage] drop in
      drop.load("a/b") {
        result = $0
        drop.reject()
      }
      stage.source.driver.context.currentDrag?.cancelDelivery()
    }
    stage.letGo()
    #expect(second.outcome == .cancelled(.delivery))
    #expect(result?.failure != nil)
  }

  @Test func `INCR stops, and the target sees soon that it is cancelled`() throws {
    var result: Result<LoadedContent, XDnDError>?
    let drag = try hover([DragItem("a/b", [UInt8](repeating: 7, count: 2 * Self.whole))]) { drop in
      drop.load("a/b") {
        result = $0
        drop.reject()
      }
    }
    drag.onProgress = { [unowned drag] in if $0.receivedByteCount > Self.whole { drag.cancelDelivery() } }
    stage.letGo()
    #expect(drag.outcome == .cancelled(.delivery) && !drag.isSending)
    let sent = drag.progress.receivedByteCount
    #expect(sent > Self.whole && sent < 2 * Self.whole)
    #expect(result == nil)
    stage.run(.seconds(6))
    #expect(result?.failure == .cancelled)
    stage.run()
    #expect(drag.progress.receivedByteCount == sent)
    #expect(drag.progress.fraction == Double(sent) / Double(2 * Self.whole))
    #expect(stage.source.driver.reactor.offers.deliveries.isEmpty)
  }

  @Test func `the refusal of a cancelled drop does not end the next one`() throws {
    let first = try hover([DragItem("a/b", [UInt8](repeating: 7, count: 2 * Self.whole))]) { drop in
      drop.load("a/b") { _ in drop.reject() }
    }
    first.onProgress = { [unowned first] in if $0.receivedByteCount > Self.whole { first.cancelDelivery() } }
    stage.letGo()
    #expect(first.outcome == .cancelled(.delivery))
    let second = try hover([DragItem("text")]) { $0.finish(.copy) }
    stage.letGo()
    stage.run(.seconds(10))
    #expect(first.outcome == .cancelled(.delivery))
    #expect(second.outcome == .dropped(.copy))
  }

  @Test func `a drag that has not been dropped is cancelled`() throws {
    let drag = try hover([DragItem("text")]) { $0.reject() }
    drag.cancelDelivery()
    #expect(drag.outcome == .cancelled(.delivery))
    stage.letGo()
    #expect(stage.receiver.results.isEmpty)
  }

  @Test func `after the end of the drag, what is still sent ends, and the outcome stays`() throws {
    var kept: DataRequest?
    var code: XDnDError.Code?
    let drag = try hover([item { kept = $0 }]) { drop in
      drop.load("a/b") { code = $0.failure }
    }
    stage.letGo()
    drag.cancel()
    #expect(drag.outcome == .cancelled(.application) && drag.isSending)
    drag.cancelDelivery()
    stage.run(.seconds(1))
    #expect(drag.outcome == .cancelled(.application) && !drag.isSending)
    #expect(code == .cancelled && kept != nil)
  }

  // MARK: Promised files

  /// A promised file that the target has saved directly, by a source that provides its content when the test says so.
  private final class Saving {
    let stage = DropStage(accepting: [.directSave])
    let directory: TemporaryDirectory
    let content = [UInt8](repeating: 7, count: 1000)
    private(set) var request: DataRequest?
    private(set) var result: Result<[SavedFile], XDnDError>?

    init() throws { directory = try TemporaryDirectory() }

    /// Everything in the directory, hidden or not.
    var entries: [String]? { try? FileManager.default.contentsOfDirectory(atPath: directory.path) }

    /// Drops the file, and returns when its content is asked for.
    ///
    /// - Parameter isLengthKnown: Whether the promise states the length.
    func drop(isLengthKnown: Bool = true) throws -> DragSession {
      var item = DragItem()
      let byteCount = isLengthKnown ? content.count : nil
      item.promise(
        FilePromise(named: "note.txt", type: .data, byteCount: byteCount) { [unowned self] in request = $0 })
      let drag = stage.hover([item])
      let place = try FileDirectory(directory.path)
      stage.receiver.onDrop = { [weak self] drop in
        drop.saveDirectly(into: place) { [weak self] in
          self?.result = $0
          if case .success = $0 { drop.finish(.copy) } else { drop.reject() }
        }
      }
      stage.letGo()
      #expect(drag.isWriting && request != nil)
      return drag
    }

    /// Provides the content.
    func provide() {
      request?.answer(with: TestReader(content))
      awaitResult()
    }

    /// Runs until the save has ended. A program that another test has just forked has the file open, too, until it runs; as
    /// long as that lasts, the file counts as being written.
    func awaitResult() {
      for _ in 0..<20 {
        stage.run(.seconds(1))
        if result != nil { return stage.run(.seconds(1)) }
        usleep(5_000)
      }
    }
  }

  @Test func `a promised file counts while it is written`() throws {
    let saving = try Saving()
    let drag = try saving.drop()
    let size = saving.content.count
    #expect(drag.progress == LoadProgress(expectedByteCount: size, loadCount: 1, pendingLoadCount: 1))
    saving.provide()
    #expect(drag.outcome == .dropped(.copy) && !drag.isWriting)
    #expect(saving.entries == ["note.txt"])
    #expect(
      drag.progress
        == LoadProgress(receivedByteCount: size, expectedByteCount: size, loadCount: 1, pendingLoadCount: 0))
  }

  @Test func `the length of a promised file is known from the answer with its content`() throws {
    let saving = try Saving()
    let drag = try saving.drop(isLengthKnown: false)
    #expect(drag.progress == LoadProgress(loadCount: 1, pendingLoadCount: 1))
    var seen: [LoadProgress] = []
    drag.onProgress = { seen.append($0) }
    saving.provide()
    #expect(seen.contains { $0.expectedByteCount == saving.content.count && $0.pendingLoadCount == 1 })
    #expect(drag.progress.fraction == 1)
  }

  /// Reads a hundred bytes for each call of ``supply()``, a thousand in all.
  private final class SlowReader: ContentReader {
    let byteCount: Int? = 1000
    let propertyType: AtomName? = nil
    private var ready = 0
    private var left = 1000

    func supply() { ready += 100 }

    func read(upTo count: Int) -> ContentPart {
      guard left > 0 else { return .bytes([]) }
      guard ready > 0 else { return .pending }
      defer { (left, ready) = (left - ready, 0) }
      return .bytes([UInt8](repeating: 7, count: ready)[...])
    }
  }

  /// Drops a file, and provides nine tenths of it in almost four minutes.
  ///
  /// - Returns: The drag, and what provides one more tenth.
  private func dropSlowly(_ saving: Saving) throws -> (drag: DragSession, supply: () -> Void) {
    let drag = try saving.drop()
    let reader = SlowReader()
    let request = try #require(saving.request)
    request.answer(with: reader)
    func supply() {
      reader.supply()
      request.doorbell.ring()
    }
    for _ in 1..<10 {
      supply()
      saving.stage.run(.seconds(25))
    }
    return (drag, supply)
  }

  @Test func `a promised file may take minutes, and its target hears when it is whole`() throws {
    let saving = try Saving()
    let (drag, supply) = try dropSlowly(saving)
    #expect(drag.outcome == nil && drag.isWriting && saving.result == nil && saving.entries?.count == 1)
    supply()
    saving.awaitResult()
    #expect(drag.outcome == .dropped(.copy) && !drag.isWriting)
    #expect(try saving.result?.get().count == 1 && saving.entries == ["note.txt"])
  }

  @Test func `a promised file that is cancelled after minutes is a cancellation to its target, too`() throws {
    let saving = try Saving()
    let drag = try dropSlowly(saving).drag
    drag.cancelDelivery()
    saving.stage.run(.seconds(1))
    #expect(saving.result?.failure == .cancelled && drag.outcome == .cancelled(.delivery))
    #expect(saving.entries == [])
  }

  @Test func `nothing is left of a promised file that is cancelled, and the target is told of an error`() throws {
    let saving = try Saving()
    let drag = try saving.drop()
    drag.cancelDelivery()
    #expect(drag.outcome == .cancelled(.delivery) && !drag.isWriting && !drag.isSending)
    #expect(drag.progress.pendingLoadCount == 0 && drag.progress.fraction == 0)
    saving.provide()
    #expect(saving.result?.failure == .cancelled)
    #expect(saving.entries == [])
  }
}
