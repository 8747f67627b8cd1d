import Testing

@testable import XDnDTesting

extension FakeXServer {
  /// A server that records an issue for what no client may do.
  static func recordingIssues() -> FakeXServer {
    let server = FakeXServer()
    server.onImpossible = { [unowned server] in Issue.record("impossible: \($0) \(server.label)") }
    return server
  }
}
