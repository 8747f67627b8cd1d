import Foundation
import TestSupport
import Testing
import XDnDFoundation
import XDnDTesting

@testable import XDnD

/// What `XDnDFoundation` has under the names of `NSItemProvider`, `DropDelegate` and `UIDropInteractionDelegate`, where the
/// ports of `docs/porting.md` do not show it.
@Suite("Apple's names")
struct AppleNameTests {
  private struct Failure: Error {}

  // MARK: NSItemProvider

  @Test func `a representation for this process is not published`() {
    var item = DragItem()
    item.registerDataRepresentation(for: "a/own", visibility: .ownProcess) { completion in
      completion(Data([1]), nil)
      return nil
    }
    item.registerDataRepresentation(for: "b/all") { completion in
      completion(Data([2]), nil)
      return nil
    }
    #expect(item.types == ["b/all"])
    #expect(item.localTypes == ["a/own", "b/all"])
    #expect(answer(of: item, "a/own") == [1])
    #expect(answer(of: item, "b/all") == [2])
  }

  @Test func `a representation without data, and a file that is not here, are refused`() throws {
    let elsewhere = try #require(URL(string: "https://example.org/"))
    var item = DragItem()
    item.registerDataRepresentation(for: "a/data") { completion in
      completion(nil, Failure())
      return nil
    }
    item.registerFileRepresentation(for: "b/file") { completion in
      completion(nil, false, Failure())
      return nil
    }
    item.registerFileRepresentation(for: "c/file") { completion in
      completion(elsewhere, false, nil)
      return nil
    }
    for type: ContentType in ["a/data", "b/file", "c/file"] { #expect(answer(of: item, type) == nil) }
  }

  @Test func `the contents of a file are a representation`() throws {
    let file = URL(filePath: #filePath)
    var item = DragItem()
    item.registerFileRepresentation(for: "a/file") { completion in
      completion(file, true, nil)
      return nil
    }
    #expect(try answer(of: item, "a/file") == [UInt8](Data(contentsOf: file)))
  }

  @Test func `an item that cannot be loaded gives an error`() {
    let desktop = SimulatedDesktop.recordingIssues()
    let window = desktop.makeWindow()
    var item = DragItem()
    item.promise("a/data") { $0.refuse() }
    item.promise(.plainText) { $0.refuse() }
    var results: [String] = []
    desktop.dragAndDrop.onDrop(of: ["a/data"], in: window) { (drop: DropSession) in
      for item in drop.items {
        item.loadDataRepresentation(for: "a/data") { data, error in
          results.append("\(data == nil) \((error as? XDnDError)?.code == .transferRefused)")
        }
        item.loadObject(ofClass: String.self) { text, error in
          results.append("\(text == nil) \((error as? XDnDError)?.code == .transferRefused)")
        }
      }
    }
    _ = desktop.drag(item, over: window).drop()
    #expect(results == ["true true", "true true"])
  }

  // MARK: DropDelegate

  /// Does only what it must.
  private struct Taker: DropInfoDelegate {
    var takes: Bool

    func performDrop(info: DropInfo) -> Bool {
      guard takes else { return false }
      info.loadDataRepresentation(for: .plainText) { _, _ in }
      return true
    }
  }

  @Test(arguments: [true, false]) func `a delegate that takes nothing rejects the drop`(_ takes: Bool) {
    let desktop = SimulatedDesktop.recordingIssues()
    let window = desktop.makeWindow()
    desktop.dragAndDrop.onDrop(of: [.plainText], in: window, delegate: Taker(takes: takes))
    #expect(desktop.drag(DragItem("Hello"), over: window).drop() == (takes ? .dropped(.copy) : .refused))
  }

  // MARK: UIDropInteractionDelegate

  /// Does nothing of its own.
  private final class Idle: DropInteractionDelegate {}

  @Test func `a delegate that loads nothing rejects the drop`() {
    let (desktop, delegate) = (SimulatedDesktop.recordingIssues(), Idle())
    let window = desktop.makeWindow()
    desktop.dragAndDrop.add(DropInteraction(delegate: delegate), to: window)
    #expect(desktop.drag(DragItem("Hello"), over: window).drop() == .refused)
    withExtendedLifetime(delegate) {}
  }
}
