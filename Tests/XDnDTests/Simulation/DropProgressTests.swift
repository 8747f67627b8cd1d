import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("The progress of drops", .computing)
struct DropProgressTests {
  private let stage = DropStage()

  @Test func `the progress of a drop is the sum of its loads`() {
    let sizes = [1 << 20, 1 << 19]
    let total = sizes.reduce(0, +)
    let items = sizes.map { DragItem("a/b", Array(repeating: 7, count: $0)) }
    var seen: [LoadProgress] = []
    stage.drop(items, by: stage.target) { drop in
      #expect(drop.progress == LoadProgress())
      drop.onProgress = { seen.append($0) }
      for item in drop.items {
        item.load("a/b") { _ in
          if drop.progress.pendingLoadCount == 0 { drop.finish(.copy) }
        }
      }
      #expect(drop.progress == LoadProgress(loadCount: 2, pendingLoadCount: 2) && drop.progress.isIndeterminate)
    }
    #expect(stage.receiver.results == [.finished(.copy)])
    #expect(seen.contains { $0.expectedByteCount == total && $0.receivedByteCount < total })
    let end = LoadProgress(receivedByteCount: total, expectedByteCount: total, loadCount: 2, pendingLoadCount: 0)
    #expect(seen.last == end)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.receivedByteCount <= $1.receivedByteCount })
  }

  @Test func `several representations that are tried are one load, and so is an array`() {
    var item = DragItem()
    item.promise("a/b") { _ in }
    item.promise("c/d", bytes: [1, 2, 3])
    for program in [stage.source, stage.target] {
      var end: LoadProgress?
      stage.drop([item], by: program) { drop in
        drop.load(anyOf: ["a/b", "c/d"]) { _ in
          end = drop.progress
          drop.finish(.copy)
        }
      }
      #expect(end == LoadProgress(receivedByteCount: 3, expectedByteCount: 3, loadCount: 1, pendingLoadCount: 0))
    }
    var end: LoadProgress?
    stage.drop([DragItem("one"), DragItem("two")], by: stage.target) { drop in
      drop.load([String].self) { _ in
        end = drop.progress
        drop.finish(.copy)
      }
    }
    #expect(end == LoadProgress(receivedByteCount: 6, expectedByteCount: 6, loadCount: 1, pendingLoadCount: 0))
  }

  @Test func `a representation that is of no use has no length that a refused one could have`() {
    var item = DragItem()
    item.promise("a/broken", bytes: [UInt8](repeating: 7, count: 1000))
    item.promise("a/whole") { $0.refuse() }
    item.promise("c/d", bytes: [1, 2, 3])
    var end: LoadProgress?
    stage.drop([item]) { drop in
      drop.load(TransferableTests.Broken.self) { _ in
        drop.load("c/d") { _ in
          end = drop.progress
          drop.finish(.copy)
        }
      }
    }
    #expect(end?.fraction == 1 && end?.expectedByteCount == 3 && end?.loadCount == 2)
  }

  @Test func `before the drop and after its end nothing is loaded, and nothing counts`() {
    stage.receiver.onDrop = { $0.finish(.copy) }
    stage.hover([DragItem("text")])
    let drop = stage.receiver.drop
    drop?.load(.plainText) { _ in }
    stage.letGo()
    drop?.load(.plainText) { _ in }
    #expect(drop != nil && drop?.progress == LoadProgress())
  }
}
