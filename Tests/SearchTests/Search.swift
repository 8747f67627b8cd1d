import Foundation
import Synchronization

/// Everything of which a rule is a matter, as one value, with what may happen to it next.
protocol SearchedWorld: Sendable {
  associatedtype Event: Sendable

  /// A hash of all that the future depends on.
  var fingerprint: UInt64 { get }
  /// What may happen next, each of which leads to another world.
  var possibleEvents: [Event] { get }
  mutating func perform(_ event: Event)
  /// The rule that has been broken.
  var complaint: String? { get }

  /// Lets go: from now on nobody does anything, and only messages, answers of the server and time pass.
  mutating func becomeQuiet()
  /// Does what happens next in a quiet world.
  ///
  /// - Returns: Whether anything was left to happen.
  mutating func passQuietly() -> Bool
  /// The rule that a world breaks in which nothing is left to happen.
  var complaintAtRest: String? { get }
}

/// A search through all worlds that events lead to: breadth first, so that the shortest way to a broken rule is the one
/// that is reported.
struct Search<World: SearchedWorld> {
  struct Report {
    /// How many worlds were looked at, not counting those in which all is quiet.
    var states = 0
    /// How many quiet worlds were looked at.
    var quietStates = 0
    /// How many events were performed to find them.
    var transitions = 0
    var depth = 0
    var mistake: Mistake?
  }

  struct Mistake {
    var complaint: String
    var events: [World.Event]
  }

  var start: World
  /// The events that lead from the start to the first world that is looked at.
  var beginning: [World.Event] = []
  /// How many events to go from there.
  var depth: Int
  /// The search ends with the depth at which it has found more worlds.
  var limit = Int.max
  var capacity: Int
  var threads = 1

  private struct Step {
    var parent: Int
    var event: World.Event
  }

  /// What one thread has found at one depth.
  private struct Findings {
    var worlds: [World] = []
    var steps: [Step] = []
    var transitions = 0
    var mistake: (complaint: String, step: Step)?
  }

  func run() -> Report {
    var first = start
    for event in beginning { first.perform(event) }
    let seen = FingerprintSet(capacity: capacity)
    let quiet = FingerprintSet(capacity: capacity)
    _ = seen.insert(first.fingerprint)
    var report = Report()
    var frontier = [first]
    // By depth: how each world there was reached.
    var steps: [[Step]] = []
    for depth in 1...depth where !frontier.isEmpty && seen.count < limit {
      let isLast = depth == self.depth
      let findings = share(frontier) { advance($0, from: $1, seen, quiet, isLast: isLast) }
      report.depth = depth
      report.transitions += findings.reduce(0) { $0 + $1.transitions }
      if let mistake = findings.compactMap(\.mistake).first {
        report.mistake = Mistake(complaint: mistake.complaint, events: way(to: mistake.step, steps))
        break
      }
      frontier = findings.flatMap(\.worlds)
      steps.append(findings.flatMap(\.steps))
    }
    (report.states, report.quietStates) = (seen.count, quiet.count)
    return report
  }

  private func way(to last: Step, _ steps: [[Step]]) -> [World.Event] {
    var (events, parent) = ([last.event], last.parent)
    for level in steps.reversed() {
      events.append(level[parent].event)
      parent = level[parent].parent
    }
    return beginning + events.reversed()
  }

  /// Divides worlds among the threads.
  private func share(
    _ worlds: [World], _ body: @escaping @Sendable (Range<Int>, [World]) -> Findings
  ) -> [Findings] {
    let size = max(1, min(4096, worlds.count / threads + 1))
    let chunks = stride(from: 0, to: worlds.count, by: size).map { $0..<min($0 + size, worlds.count) }
    guard threads > 1, chunks.count > 1 else { return [body(worlds.indices, worlds)] }
    let next = Atomic(0)
    let results = Mutex<[Int: Findings]>([:])
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < chunks.count else { return }
        let findings = body(chunks[index], worlds)
        results.withLock { $0[index] = findings }
      }
    }
    return results.withLock { results in chunks.indices.compactMap { results[$0] } }
  }

  private func advance(
    _ range: Range<Int>, from worlds: [World], _ seen: FingerprintSet, _ quiet: FingerprintSet, isLast: Bool
  ) -> Findings {
    var findings = Findings()
    for index in range {
      for event in worlds[index].possibleEvents {
        var world = worlds[index]
        world.perform(event)
        findings.transitions += 1
        guard seen.insert(world.fingerprint) else { continue }
        let step = Step(parent: index, event: event)
        if let complaint = world.complaint ?? complaintWhenQuiet(world, quiet) {
          findings.mistake = (complaint, step)
          return findings
        }
        guard !isLast else { continue }
        findings.worlds.append(world)
        findings.steps.append(step)
      }
    }
    return findings
  }

  /// Follows a world until nothing is left to happen, or what happens is known already.
  private func complaintWhenQuiet(_ start: World, _ quiet: FingerprintSet) -> String? {
    var world = start
    world.becomeQuiet()
    var passed: [UInt64] = []
    while passed.count < 200 {
      if let complaint = world.complaint { return complaint }
      let fingerprint = world.fingerprint
      guard !passed.contains(fingerprint) else { break }
      guard quiet.insert(fingerprint) else { return nil }
      passed.append(fingerprint)
      guard world.passQuietly() else { return world.complaintAtRest }
    }
    return "it never comes to rest"
  }
}

extension Search.Report {
  /// The shortest list of inputs that breaks a rule, as a test.
  func test(of start: String) -> String? {
    guard let mistake else { return nil }
    // Without the names of the types: `deliver(.window)`.
    let events = mistake.events.map { ".\($0)".replacing(/\(.*\./, with: "(.") }.joined(separator: ", ")
    return """
      @Test func `\(mistake.complaint)`() {
        var world = \(start)
        for event in [
          \(events),
        ] as [DragWorld.Event] { world.perform(event) }
        #expect(world.complaint == nil)
        #expect(world.complaintWhenQuiet == nil)
      }
      """
  }
}

extension SearchedWorld {
  /// The rule that is broken once nobody does anything more.
  var complaintWhenQuiet: String? {
    var world = self
    world.becomeQuiet()
    for _ in 0..<200 {
      if let complaint = world.complaint { return complaint }
      guard world.passQuietly() else { return world.complaintAtRest }
    }
    return "it never comes to rest"
  }
}
