import TestSupport
import Testing

@testable import XDnD

/// Lists that are longer than any honest one.
@Suite("Lists without measure on a real server", .requiresXvfb, .timeLimit(.minutes(1)))
struct ManyTypesTests {
  @Test func `of 65,000 offered types the first thousand are read, and the names of no others`() async throws {
    try await XServer.with { server in
      let them = try XlibConnection(server)
      let names = (0..<65_000).map { AtomName("application/x-type-\($0)") }
      them.write(PropertyValue(type: .atom, contents: .atoms(names)), to: .xdndTypeList, of: them.dragWindow)
      #expect(them.serverTime() != .currentTime)
      let us = try XlibConnection(server)
      let read = us.atoms(in: .xdndTypeList, of: them.dragWindow, type: .atom)
      #expect(read?.count == 1000)
      #expect(read?.last == AtomName("application/x-type-999"))
    }
  }
}
