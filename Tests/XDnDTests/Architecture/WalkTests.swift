import Foundation
import TestSupport
import Testing

/// The section "Four walks" of `docs/architecture.md`.
@Suite("The walks through the library", .computing)
struct WalkTests {
  private struct Walk {
    let title: String
    /// The functions in order, each with the file that it is in.
    var hops: [(function: String, file: String)] = []

    /// The files that the walk has left and comes back to.
    var filesOfReturn: Set<String> {
      let files = hops.map(\.file)
      return Set(
        files.indices.dropFirst().filter { files[$0] != files[$0 - 1] && files[..<$0].contains(files[$0]) }
          .map { files[$0] })
    }
  }

  private static let router = "Driver/Reactor.swift"
  /// A target's runner asks the application about a position, and only the runner can send the answer. A load asks the
  /// server for a page, and only the load has the sink for it.
  private static let answered: [String: Set<String>] = [
    "An `XdndPosition` gets its Status": ["Driver/DropTargets.swift", "Driver/TargetRunner.swift"],
    "An INCR chunk arrives": ["Driver/LoadRunner.swift"],
  ]

  private let lines: [Substring]
  private let walks: [Walk]

  init() throws {
    let page = BuiltProducts.package.appendingPathComponent("docs/architecture.md")
    let text = try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    lines = Array(text.drop { $0 != "## Four walks" }.dropFirst().prefix { !$0.hasPrefix("## ") })
    var walks: [Walk] = []
    for line in lines {
      if line.hasPrefix("### ") {
        walks.append(Walk(title: String(line.dropFirst(4))))
      } else if line.first?.isNumber == true {
        let hop = try #require(line.prefixMatch(of: /\d+\. `(\w+\.\w+)` in `([\w\/+]+\.swift)`/), "\(line)")
        try #require(!walks.isEmpty)
        walks[walks.count - 1].hops.append((String(hop.1), String(hop.2)))
      }
    }
    self.walks = walks
  }

  @Test func `there are four, and none has more than fourteen hops`() {
    #expect(walks.count == 4)
    for walk in walks { #expect((5...14).contains(walk.hops.count), "\(walk.title)") }
  }

  @Test func `each function is in the file that is named with it`() throws {
    for hop in walks.flatMap(\.hops) {
      let file = try #require(SourceFile.library.first { $0.path == hop.file }, "\(hop.file)")
      #expect(file.functions.contains(hop.function), "\(hop.function) in \(hop.file)")
    }
  }

  @Test func `each function that is named on the way exists`() {
    for function in lines.flatMap({ $0.matches(of: /`([A-Z]\w*\.\w+)`/).map { String($0.1) } }) {
      #expect(SourceFile.library.contains { $0.functions.contains(function) }, "\(function)")
    }
  }

  @Test func `no walk returns to a file, but to the router's and with an answer`() {
    for walk in walks {
      let returns = walk.filesOfReturn.subtracting([Self.router])
      #expect(returns == Self.answered[walk.title] ?? [], "\(walk.title)")
    }
  }
}
