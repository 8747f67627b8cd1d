import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// The same protocol on a real server, with a source that speaks it by itself.
@Suite("Direct saves on a real server", .requiresXvfb, .timeLimit(.minutes(1)))
struct DirectSaveOnXTests {
  /// A window that has what is dropped on it saved.
  private final class Receiver: DropDelegate {
    let directory: FileDirectory
    var promised: String?
    var result: Result<[SavedFile], XDnDError>?
    var isOver = false

    init(_ directory: FileDirectory) { self.directory = directory }

    func dropEntered(_ drop: DropSession) { promised = drop.promisedFileName() }

    func performDrop(_ drop: DropSession) {
      drop.saveDirectly(into: directory) { [weak self] result in
        self?.result = result
        if case .success = result { drop.finish(.copy) } else { drop.reject() }
      }
    }

    func dropEnded(_ drop: DropSession, _ result: DropResult) { isOver = true }
  }

  /// Runs a whole drag of a source that was made ready.
  private func drag(_ prepare: @escaping @Sendable (SavingSource) -> Void) async throws -> Outcome {
    try await XServer.with { server in
      try await onOwnThread {
        let directory = try TemporaryDirectory()
        let receiver = Receiver(try FileDirectory(directory.path))
        let driver = try DragAndDrop(connectingTo: server.displayName)
        let display = try #require(driver.display)
        let xid = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 200, 200, 0, 0, 0)
        let window = WindowID(rawValue: UInt32(xid))
        driver.registerDropTarget(window, accepting: DropOffer([.directSave]), delegate: receiver)
        XMapWindow(display, xid)
        XSync(display, False)

        let connection = try XlibConnection(connectingTo: server.displayName)
        let source = SavingSource(connection, window: connection.dragWindow, target: window)
        #expect(connection.own(.xdndSelection, at: connection.serverTime()))
        prepare(source)
        let deadline = ContinuousClock.now + .seconds(30)
        func pump(while condition: () -> Bool) throws {
          try driver.run(wakingAt: { .now + .milliseconds(5) }) {
            source.takeEvents()
            return condition() && .now < deadline
          }
        }
        source.enter()
        source.position(at: Point(x: 100, y: 100))
        try pump { source.statuses.isEmpty }
        source.drop()
        try pump { !receiver.isOver || source.finished.isEmpty }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        return Outcome(
          promised: receiver.promised, failure: receiver.result?.failure,
          contents: names.map { ($0, FileManager.default.contents(atPath: directory($0))?.count ?? -1) }
            .map { "\($0.0) \($0.1)" }, isAccepted: source.finished.first?.result == .accepted(.copy),
          addressType: source.address?.type, property: source.property)
      }
    }
  }

  private struct Outcome: Sendable {
    var promised: String?
    var failure: XDnDError.Code?
    var contents: [String]
    var isAccepted: Bool
    var addressType: AtomName?
    var property: [UInt8]?
  }

  @Test func `a file is saved under its promised name`() async throws {
    let outcome = try await drag { source in
      source.promise(Array("../żółć.txt".utf8))
      source.save = { Saving.write("saved", to: $0) ? "S" : "E" }
    }
    #expect(outcome.promised == "żółć.txt")
    #expect(outcome.contents == ["żółć.txt 5"])
    #expect(outcome.isAccepted && outcome.failure == nil)
    #expect(outcome.addressType == AtomName("text/plain"))
  }

  @Test func `data is loaded where the source does not save`() async throws {
    let outcome = try await drag { source in
      source.promise(Array("data.bin".utf8))
      source.data = TestContent.bytes(100_000)
      source.save = { _ in "F" }
    }
    #expect(outcome.contents == ["data.bin 100000"])
    #expect(outcome.isAccepted)
  }

  @Test func `a source that could not save hears that the drop has failed`() async throws {
    let outcome = try await drag { source in
      source.promise(Array("x".utf8))
      source.save = { _ in "E" }
    }
    #expect(outcome.contents == [])
    #expect(outcome.failure == .transferFailed)
    #expect(!outcome.isAccepted)
    #expect(outcome.property == [])
  }
}
