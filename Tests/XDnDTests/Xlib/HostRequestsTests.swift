import Testing

@testable import XDnD

/// Requests of the host between those of the library.
@Suite("Requests of the host")
struct HostRequestsTests {
  private var requests = HostRequests(next: 10)

  @Test mutating func `requests of the library alone are none of the host`() {
    requests.open(next: 10)
    requests.open(next: 12)
    requests.close(next: 13)
    requests.close(next: 15)
    #expect(!requests.hasSent(since: 10, next: 15))
  }

  @Test mutating func `requests after the last of the library are noticed at once`() {
    requests.open(next: 10)
    requests.close(next: 15)
    #expect(requests.hasSent(since: 10, next: 16))
    #expect(requests.hasSent(since: 14, next: 16))
  }

  @Test mutating func `requests before a question do not count, and those after it do`() {
    requests.open(next: 20)
    requests.close(next: 22)
    #expect(!requests.hasSent(since: 20, next: 22))
    requests.open(next: 25)
    requests.close(next: 26)
    #expect(requests.hasSent(since: 20, next: 26))
    #expect(!requests.hasSent(since: 25, next: 26))
  }
}
