import Foundation
import TestSupport
import Testing
import XDnDFoundation

@testable import PortingPrograms
@testable import XDnD
@testable import XDnDTesting

/// Drop targets under the names of SwiftUI and UIKit.
@Suite("Apple's names: drops")
struct AppleNamesDropTests {
  private let desktop = SimulatedDesktop.recordingIssues()
  private let window: WindowID

  init() { window = desktop.makeWindow(frame: Rect(x: 10, y: 20, width: 100, height: 100)) }

  // MARK: onDrop

  @Test func `onDrop: a closure gets the item providers of the accepted types`() {
    var (texts, targeted): ([String], [Bool]) = ([], [])
    desktop.dragAndDrop.onDrop(of: [.plainText], isTargeted: { targeted.append($0) }, in: window) { providers in
      for provider in providers {
        _ = provider.loadObject(ofClass: String.self) { text, _ in texts += text.map { [$0] } ?? [] }
      }
      return true
    }
    #expect(desktop.drag(DragItem("Hello"), over: window).drop() == .dropped(.copy))
    #expect(texts == ["Hello"])
    #expect(targeted == [true, false])
  }

  @Test func `onDrop: a closure that returns false rejects the drop`() {
    desktop.dragAndDrop.onDrop(of: [.plainText], isTargeted: nil, in: window) { providers in
      providers.first?.loadObject(ofClass: String.self) { _, _ in }
      return false
    }
    #expect(desktop.drag(DragItem("Hello"), over: window).drop() == .refused)
  }

  /// Reorders its rows while the drag is over them, as lists in SwiftUI often do, and loads nothing.
  private final class Reordering: DropInfoDelegate {
    var isTaken = true
    func performDrop(info: DropInfo) -> Bool { isTaken }
  }

  @Test(arguments: [(true, DragOutcome.dropped(.move)), (false, .refused)])
  func `onDrop: a drop within the program that needs no content is what the delegate says`(
    isTaken: Bool, outcome: DragOutcome
  ) {
    let delegate = Reordering()
    delegate.isTaken = isTaken
    desktop.dragAndDrop.onDrop(of: [.plainText], operations: [.move], in: window, delegate: delegate)
    var item = DragItem("row")
    item.operations = [.move]
    desktop.server.press(.primary)
    let drag = desktop.dragAndDrop.beginDrag([item], at: desktop.server.time)
    desktop.react()
    desktop.server.movePointer(to: Point(x: 50, y: 60))
    desktop.react()
    desktop.server.release(.primary)
    desktop.simulation.run(.seconds(1))
    #expect(drag.outcome == outcome)
  }

  @Test func `onDrop: item providers know the subtypes of the configured database`() {
    var configuration = SimulatedDesktop.configuration
    configuration.typeDatabase = TypeDatabase(subclasses: Array("a/special a/general\n".utf8))
    let desktop = SimulatedDesktop.recordingIssues(configuration)
    let window = desktop.makeWindow()
    var conforms: [Bool] = []
    desktop.dragAndDrop.onDrop(of: ["a/general"], isTargeted: nil, in: window) { providers in
      conforms = providers.map { $0.hasItemConformingToTypeIdentifier("a/general") }
      return false
    }
    #expect(desktop.drag(DragItem("a/special", [1]), over: window).drop() == .refused)
    #expect(conforms == [true])
  }

  // MARK: UIDropSession

  /// Proposes what a closure returns.
  private final class Delegate: UIDropInteractionDelegate {
    var update: (any UIDropSession) -> UIDropProposal = { _ in UIDropProposal(operation: .copy) }

    func dropInteraction(
      _ interaction: UIDropInteraction, sessionDidUpdate session: any UIDropSession
    ) -> UIDropProposal { update(session) }
  }

  /// Registers the window with a delegate that is called for each position.
  private func target(_ update: @escaping (any UIDropSession) -> UIDropOperation) -> Delegate {
    let delegate = Delegate()
    delegate.update = { UIDropProposal(operation: update($0)) }
    desktop.dragAndDrop.add(UIDropInteraction(delegate: delegate), to: window)
    return delegate
  }

  @Test func `location(in:) is the position in a window`() {
    let other = desktop.makeWindow(frame: Rect(x: 200, y: 200, width: 10, height: 10))
    var points: [Point] = []
    let window = window
    let delegate = target { session in
      points = [session.location(in: window), session.location(in: other)]
      return .copy
    }
    desktop.drag(DragItem("Hello"), over: window, at: Point(x: 3, y: 4)).cancel()
    #expect(points == [Point(x: 3, y: 4), Point(x: -187, y: -176)])
    desktop.destroy(other)
    desktop.drag(DragItem("Hello"), over: window, at: Point(x: 3, y: 4)).cancel()
    #expect(points == [Point(x: 3, y: 4), Point(x: 13, y: 24)])
    withExtendedLifetime(delegate) {}
  }

  @Test func `localDragSession is the drag of the same program`() {
    var locals: [Any?] = []
    let delegate = target { session in
      locals.append(session.localDragSession?.items.first?.localObject)
      return .copy
    }
    desktop.drag(DragItem("Hello"), over: window).cancel()
    #expect(locals.count == 1 && locals.allSatisfy { $0 == nil })
    var item = DragItem("Hello")
    item.localObject = 7
    desktop.dragAndDrop.beginDrag(item, at: desktop.press(at: Point(x: 300, y: 300)))
    desktop.movePointer(over: window)
    #expect(locals.last as? Int == 7)
    desktop.release()
    withExtendedLifetime(delegate) {}
  }

  @Test(arguments: [[DragOperation.copy], [.copy, .move]])
  func `allowsMoveOperation is whether the source permits a move`(_ operations: [DragOperation]) {
    var allows: Bool?
    let delegate = target { session in
      allows = session.allowsMoveOperation
      return .copy
    }
    var item = DragItem("Hello")
    item.operations = operations
    desktop.drag(item, over: window).cancel()
    #expect(allows == operations.contains(.move))
    withExtendedLifetime(delegate) {}
  }

  @Test func `hasItemsConforming(toTypeIdentifiers:) is whether an item has one of the types`() {
    var has: [Bool] = []
    let delegate = target { session in
      has = [["public.image"], ["image/*", "public.text"], [UTType.plainText.identifier]].map {
        session.hasItemsConforming(toTypeIdentifiers: $0)
      }
      return .copy
    }
    desktop.drag(DragItem("Hello"), over: window).cancel()
    #expect(has == [false, true, true])
    withExtendedLifetime(delegate) {}
  }

  @Test(arguments: [UIDropOperation.forbidden, .cancel])
  func `a proposal of forbidden or cancel refuses the drop`(_ operation: UIDropOperation) {
    #expect(UIDropProposal(operation: .forbidden) == .forbidden)
    let delegate = target { _ in operation }
    #expect(desktop.drag(DragItem("Hello"), over: window).drop() == .refused)
    withExtendedLifetime(delegate) {}
  }

  // MARK: The rule

  /// The ways to be a drop target.
  enum Way: CaseIterable, Sendable {
    case dropDelegate, infoDelegate, interaction, providers
  }

  /// Loads types of a drop, and does nothing else.
  private final class Loader: XDnD.DropDelegate, UIDropInteractionDelegate {
    let types: [ContentType]
    let rejects: Bool

    init(_ types: [ContentType], rejects: Bool) {
      self.types = types
      self.rejects = rejects
    }

    func performDrop(_ drop: DropSession) {
      for type in types { drop.items.first?.itemProvider.loadDataRepresentation(for: type) { _, _ in } }
      if rejects { drop.reject() }
    }

    func dropInteraction(_ interaction: UIDropInteraction, performDrop session: any UIDropSession) {
      performDrop(session)
    }
  }

  private struct InfoLoader: DropInfoDelegate {
    let loader: Loader

    func performDrop(info: DropInfo) -> Bool {
      if loader.rejects { return false }
      loader.performDrop(info)
      return true
    }
  }

  /// Drops an item with the content `a/good`, and without that of `a/bad`.
  private func outcome(_ way: Way, loading types: [ContentType], rejecting rejects: Bool = false) -> DragOutcome? {
    let (driver, loader) = (desktop.dragAndDrop, Loader(types, rejects: rejects))
    let (accepted, operations): ([ContentType], [DragOperation]) = ([.item], [.move])
    switch way {
    case .dropDelegate: driver.onDrop(of: accepted, operations: operations, in: window, delegate: loader)
    case .infoDelegate:
      driver.onDrop(of: accepted, operations: operations, in: window, delegate: InfoLoader(loader: loader))
    case .interaction:
      driver.add(UIDropInteraction(delegate: loader), to: window, accepting: accepted, operations: operations)
    case .providers:
      driver.onDrop(of: accepted, isTargeted: nil, operations: operations, in: window) { providers in
        for type in types { providers.first?.loadDataRepresentation(for: type) { _, _ in } }
        return !rejects
      }
    }
    var item = DragItem()
    item.operations = [.move]
    item.promise("a/good", bytes: [1])
    item.promise("a/bad") { $0.refuse() }
    defer { withExtendedLifetime(loader) {} }
    return desktop.drag(item, over: window).drop()
  }

  @Test(arguments: Way.allCases) func `what was loaded is finished`(_ way: Way) {
    #expect(outcome(way, loading: ["a/good"]) == .dropped(.move))
  }

  @Test(arguments: Way.allCases) func `a move is finished as a copy if a load has failed`(_ way: Way) {
    #expect(outcome(way, loading: ["a/good", "a/bad"]) == .dropped(.copy))
  }

  @Test(arguments: Way.allCases) func `a drop is rejected if nothing has arrived`(_ way: Way) {
    #expect(outcome(way, loading: ["a/bad"]) == .transferFailed)
  }

  @Test(arguments: Way.allCases) func `a drop is rejected if nothing was loaded`(_ way: Way) {
    #expect(outcome(way, loading: []) == .refused)
  }

  @Test(arguments: Way.allCases) func `a drop is rejected if the target says so, whatever it loads`(_ way: Way) {
    #expect(outcome(way, loading: ["a/good"], rejecting: true) == .refused)
  }
}
