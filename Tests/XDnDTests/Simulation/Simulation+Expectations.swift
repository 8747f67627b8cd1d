import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

extension FakeXServer {
  /// A server that records an issue for what no client may do.
  static func recordingIssues() -> FakeXServer {
    let server = FakeXServer()
    server.recordIssues()
    return server
  }

  fileprivate func recordIssues() {
    onImpossible = { [unowned self] in Issue.record("impossible: \($0) \(label)") }
  }
}

extension SimulatedDesktop {
  /// A desktop that records an issue for what no client may do.
  static func recordingIssues(_ configuration: Configuration = configuration) -> SimulatedDesktop {
    let desktop = SimulatedDesktop(configuration: configuration)
    desktop.server.recordIssues()
    return desktop
  }
}

extension Simulation {
  /// A simulation that records an issue for what no client may do.
  static func recordingIssues() -> Simulation { Simulation(server: .recordingIssues()) }

  /// What holds when nobody does anything any more.
  func expectClean() {
    for program in programs where !program.client.isClosed {
      let reactor = program.driver.reactor
      func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
        if !isRight { server.impossible("\(what()) of \(program.client)") }
      }
      expect(program.client.interests == reactor.lateWatches(), "watches left: \(program.client.interests)")
      expect(program.client.followed.isEmpty, "windows followed: \(program.client.followed)")
      let properties = server.windows[program.client.dragWindow]?.properties.keys.map(\.rawValue) ?? []
      expect(properties.isEmpty, "properties left: \(properties)")
      expect(program.driver.nextWake == nil, "a deadline")
      expect(reactor.loads.count == 0, "loads left")
      expect(reactor.saves.isEmpty, "saves left")
      expect(reactor.offers.deliveries.isEmpty, "content left")
      let copies = program.driver.clipboard.copyCount + program.driver.primarySelection.copyCount
      expect(reactor.offers.ids.count == copies, "copies that nobody offers")
      expect(!reactor.offers.hasRevoked && !reactor.offers.isBusy, "an offer that is over")
    }
  }
}

extension Simulation.Program {
  var clipboard: Clipboard { driver.clipboard }
}

extension Simulation {
  func types(of clipboard: Clipboard) -> [ContentType]? {
    var result: Result<[ContentType], XDnDError>?
    clipboard.types { result = $0 }
    run()
    return try? result?.get()
  }

  func content(_ type: ContentType, of clipboard: Clipboard) -> [UInt8]? {
    var result: Result<LoadedContent, XDnDError>?
    clipboard.load(type) { result = $0 }
    run()
    return try? result?.get().bytes
  }

  func failure(
    _ type: ContentType, of clipboard: Clipboard, within limit: Duration? = nil
  ) -> XDnDError.Code? {
    var result: Result<LoadedContent, XDnDError>?
    clipboard.load(type) { result = $0 }
    run(limit)
    return result?.failure
  }
}
