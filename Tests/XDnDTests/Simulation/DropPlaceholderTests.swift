import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Placeholders of drops")
struct DropPlaceholderTests {
  private let stage = DropStage()

  /// Provides content when the test says so.
  private final class Promise {
    var requests: [DataRequest] = []

    var item: DragItem {
      var item = DragItem()
      item.promise("a/b") { [weak self] in self?.requests.append($0) }
      return item
    }
  }

  private func run() { stage.run(.milliseconds(100)) }

  @Test func `a placeholder follows the load of its item, and ends after the completion`() {
    let promise = Promise()
    var states: [DropPlaceholder.State] = []
    stage.drop([promise.item, DragItem("text")], by: stage.target) { drop in
      let placeholder = DropPlaceholder(for: drop.items[0])
      let other = DropPlaceholder(for: drop.items[1])
      #expect(placeholder.index == 0 && placeholder.types == ["a/b"] && placeholder.state == .waiting)
      placeholder.onChange = { states.append($0.state) }
      var atCompletion: DropPlaceholder.State?
      drop.items[0].load("a/b") { _ in
        atCompletion = placeholder.state
        drop.finish(.copy)
      }
      #expect(placeholder.state == .loading && placeholder.progress.isIndeterminate && other.state == .waiting)
      run()
      promise.requests.first?.fulfill([1, 2])
      run()
      #expect(atCompletion == .loading)
      #expect(placeholder.state == .arrived && placeholder.isOver && placeholder.progress.receivedByteCount == 2)
      #expect(other.state == .cancelled, "the drop was answered without it")
    }
    #expect(states.first == .loading && states.last == .arrived && states.count { $0 == .arrived } == 1)
  }

  @Test func `a load that replaces a failed one is followed, too`() {
    var item = DragItem()
    item.promise("a/b") { _ in }
    item.promise("c/d", bytes: [1])
    var states: [DropPlaceholder.State] = []
    var placeholder: DropPlaceholder?
    stage.drop([item, DragItem("text")], by: stage.target) { drop in
      placeholder = DropPlaceholder(for: drop.items[0])
      placeholder?.onChange = { states.append($0.state) }
      drop.items[0].load("a/b") {
        #expect($0.failure == .transferRefused)
        drop.items[0].load("c/d") { _ in drop.finish(.copy) }
      }
    }
    #expect(placeholder?.state == .arrived)
    #expect(!states.contains { if case .failed = $0 { true } else { false } }, "\(states)")
  }

  @Test func `a placeholder that is cancelled cancels its loads, and no others`() {
    let (promise, other) = (Promise(), Promise())
    var failures: [XDnDError.Code?] = []
    stage.drop([promise.item, other.item], by: stage.target) { drop in
      // A load that has begun before is followed as well.
      drop.items[0].load("a/b") { failures.append($0.failure) }
      let placeholder = DropPlaceholder(for: drop.items[0])
      #expect(placeholder.state == .loading)
      drop.items[1].load("a/b") {
        failures.append($0.failure)
        drop.finish(.copy)
      }
      run()
      placeholder.cancel()
      #expect(placeholder.state == .cancelled && failures == [.cancelled])
      other.requests.first?.fulfill([1])
      run()
    }
    #expect(failures == [.cancelled, nil])
    #expect(stage.target.driver.reactor.loads.count == 0)
  }

  @Test func `a load that is cancelled as it begins does not begin`() {
    let promise = Promise()
    var failures: [XDnDError.Code?] = []
    stage.drop([promise.item], by: stage.target) { drop in
      let placeholder = DropPlaceholder(for: drop)
      placeholder.onChange = { if $0.state == .loading { $0.cancel() } }
      drop.items[0].load("a/b") { failures.append($0.failure) }
      run()
      drop.reject()
    }
    #expect(failures == [.cancelled] && promise.requests.isEmpty)
  }

  @Test func `of a drag from another program, the drop and its only item are the same`() {
    let promise = Promise()
    stage.drop([promise.item]) { drop in
      let placeholders = [DropPlaceholder(for: drop), DropPlaceholder(for: drop.items[0])]
      drop.load("a/b") { _ in drop.finish(.copy) }
      run()
      #expect(placeholders.map(\.state) == [.loading, .loading])
      promise.requests.first?.fulfill([1, 2, 3])
      stage.run(.seconds(1))
      #expect(placeholders.map(\.state) == [.arrived, .arrived])
      #expect(placeholders.map(\.progress.receivedByteCount) == [3, 3])
    }
    #expect(stage.receiver.results == [.finished(.copy)])
  }

  @Test func `if the source dies, placeholders say so, whether anything was loaded or not`() {
    let promise = Promise()
    var code: [XDnDError.Code?] = []
    stage.drop([promise.item]) { drop in
      let placeholder = DropPlaceholder(for: drop)
      drop.load("a/b") { _ in }
      run()
      stage.server.kill(stage.source.client)
      stage.run(.seconds(1))
      if case .failed(let error) = placeholder.state { code.append(error.code) }
    }
    #expect(code == [.sourceVanished])
    let other = DropStage()
    other.drop([promise.item]) { drop in
      let placeholder = DropPlaceholder(for: drop)
      other.server.kill(other.source.client)
      other.run(.seconds(1))
      if case .failed(let error) = placeholder.state { code.append(error.code) }
    }
    #expect(code == [.sourceVanished, .sourceVanished])
  }

  @Test func `a placeholder does not keep the drop, which is answered as without it`() {
    var placeholder: DropPlaceholder?
    stage.receiver.onDrop = { placeholder = DropPlaceholder(for: $0) }
    let drag = stage.hover([DragItem("text")], by: stage.target)
    stage.letGo()
    #expect(drag.outcome == .refused)
    #expect(placeholder?.state == .cancelled)
  }

  @Test func `a drag that leaves, and a drop that is over, have no content on its way`() {
    stage.hover([DragItem("text")])
    let drop = stage.receiver.drop
    let placeholder = drop.map { DropPlaceholder(for: $0) }
    #expect(placeholder?.state == .waiting)
    stage.server.movePointer(to: DropStage.outside)
    stage.letGo()
    #expect(placeholder?.state == .cancelled)
    #expect(drop.map { DropPlaceholder(for: $0).state } == .cancelled)
  }

  // MARK: Direct saves

  /// Drops on a target that has begun no load yet.
  private func droppedOn(_ run: SavingStage) throws -> (DropSession, DropPlaceholder) {
    run.hover()
    run.source.drop()
    run.run(.milliseconds(50))
    run.stage.receiver.onDrop = { $0.reject() }
    let drop = try #require(run.drop)
    return (drop, DropPlaceholder(for: drop))
  }

  @Test(arguments: [true, false]) func `a direct save counts once, whoever writes the file`(isLoaded: Bool) throws {
    let run = try SavingStage()
    if isLoaded {
      run.source.data = Array("saved".utf8)
      run.source.save = { _ in "F" }
    }
    let (drop, placeholder) = try droppedOn(run)
    drop.saveDirectly(into: try run.target()) { _ in drop.finish(.copy) }
    #expect(placeholder.state == .loading)
    run.run()
    #expect(placeholder.state == .arrived)
    #expect(placeholder.progress.loadCount == 1 && placeholder.progress.receivedByteCount == 5)
    #expect(drop.progress == placeholder.progress)
  }

  @Test func `a direct save that is cancelled as it begins does not begin`() throws {
    let run = try SavingStage()
    let (drop, placeholder) = try droppedOn(run)
    placeholder.onChange = { if $0.state == .loading { $0.cancel() } }
    var results: [Result<[SavedFile], XDnDError>] = []
    drop.saveDirectly(into: try run.target()) {
      results.append($0)
      drop.reject()
    }
    run.run()
    #expect(results.map(\.failure) == [.cancelled])
    #expect(placeholder.state == .cancelled)
    #expect(run.entries == [])
    #expect(!run.source.requests.contains(.xdndDirectSave))
  }
}
