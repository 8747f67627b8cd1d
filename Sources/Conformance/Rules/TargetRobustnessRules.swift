import XDnD

/// How a target copes with sources that fail, leave, offer unknown types, or use an old version.
enum TargetRobustnessRules {
  static let all = [refusalEndsDrop, silenceEndsDrop, sessionForgotten, unknownTypesRefused, versionNegotiated]

  static let refusalEndsDrop = ConformanceRule(
    "refusal-ends-drop", of: .target, "A drop whose content the source refuses is finished, and without success.",
    from: "XDND, XdndFinished", peers: ["FLTK 1.3.8", "GLFW 3.3.8", "SDL 2.26.5", "Qt 5.15.8", "Qt 6.4.2"],
    unseen: "no drop whose content was refused", each: \.visits
  ) { visit, trace, result in
    guard visit.isAccepted else { return }
    guard case .refused(let transfer) = trace.dropDelivery(of: visit), let answer = transfer.answer else { return }
    conclude(
      visit, "\(transfer.label) was refused by #\(answer.number)", since: answer.time, until: trace.end, &result)
  }

  static let silenceEndsDrop = ConformanceRule(
    "silence-ends-drop", of: .target, "A drop whose source never answers is finished in the end, and without success.",
    from: "XDND, XdndFinished", peers: ["GTK 3.24.38", "GTK 4.8.3"], isAdvice: true,
    unseen: "no drop whose source did not answer", each: \.visits
  ) { visit, trace, result in
    guard visit.isAccepted, case .unanswered(let transfer) = trace.dropDelivery(of: visit) else { return }
    // An XdndFinished after a late answer does not show that the target gave up.
    var visit = visit
    visit.finished.removeAll { $0.number > transfer.answer?.number ?? .max }
    conclude(
      visit, "\(transfer.label) was asked for in vain", since: transfer.time,
      until: transfer.answer?.time ?? trace.end,
      &result)
  }

  static let sessionForgotten = ConformanceRule(
    "session-forgotten", of: .target, "What a drag has offered is forgotten when it has left.",
    from: "XDND, example walk-through, step 8", peers: ["winit 874a1e3", "Qt 5.15.8", "Qt 6.4.2"], isAdvice: true,
    unseen: "nothing after a drag that has left"
  ) { trace, result in
    for status in trace.strayStatuses {
      result.require(
        !status.accepts, "\(status.label) \(status.accepts ? "accepts" : "refuses") what has left")
    }
    for (index, visit) in trace.visits.enumerated().dropFirst() where trace.visits[index - 1].drop == nil {
      let before = Set(trace.visits[index - 1].types).subtracting(visit.types)
      guard visit.drop != nil, !before.isEmpty else { continue }
      let mine = trace.transfers(of: visit).filter(\.requestsContent)
      if let old = mine.first(where: { before.contains($0.target) }) {
        result.fail(
          "\(old.label) was offered by \(trace.visits[index - 1].enter.label), and not by \(visit.enter.label)")
      } else if let first = mine.first {
        result.pass("\(first.label) is what \(visit.enter.label) offers, and not what the drag before did")
      }
    }
  }

  static let unknownTypesRefused = ConformanceRule(
    "unknown-types-refused", of: .target, "What is accepted is also asked for: content of no use is refused.",
    from: "XDND, XdndStatus", unseen: "no offer of only what nobody knows"
  ) { trace, result in
    for visit in trace.visits
    where !visit.types.isEmpty && visit.types.allSatisfy({ $0.contains("x-xdnd-probe-unknown") }) {
      guard let status = visit.lastStatus else { continue }
      guard status.accepts else {
        result.pass("\(status.label) refuses \(visit.types.joined(separator: ", "))")
        continue
      }
      guard visit.drop != nil else { continue }
      let fetched = trace.transfers(of: visit).first { visit.types.contains($0.target) }
      if let fetched {
        result.pass("\(status.label) accepts it, and \(fetched.label) is asked for")
      } else {
        result.fail("\(status.label) accepts \(visit.types.joined(separator: ", ")), and does not ask for it")
      }
    }
  }

  static let versionNegotiated = ConformanceRule(
    "version-negotiated", of: .target, "Sources of versions 3 and 4 are answered, too.",
    from: "XDND, XdndEnter", peers: ["JX 7d41cf9"], unseen: "no source of version 3 or 4", each: \.visits
  ) { visit, trace, result in
    guard visit.version < 5, let position = visit.positions.first else { return }
    if let status = visit.statuses.first {
      result.pass("\(status.label) answers a source of version \(visit.version)")
    } else if trace.isOverdue(since: position.time, at: visit.ends.first?.time) {
      result.fail("\(position.label) of a source of version \(visit.version) has no Status")
    }
  }

  /// Checks that a failed drop is finished without success.
  private static func conclude(
    _ visit: Visit, _ reason: String, since start: Int, until end: Int, _ result: inout RuleResult
  ) {
    if let finished = visit.finished.first {
      let delay = max(0, finished.time - start) / 1000
      // Before version 5, XdndFinished reports no result.
      let isSuccess = visit.version >= 5 && finished.xdnd.isSuccess
      result.require(
        !isSuccess,
        "\(finished.label) " + (isSuccess ? "reports success, and" : "comes \(delay) ms after") + " \(reason)")
    } else if end - start >= patience {
      result.fail("\(reason), and there is no XdndFinished for \((end - start) / 1000) ms")
    }
  }

  /// How long a target may wait for its source, in microseconds. OpenJDK 17 gives up after 10 s.
  private static let patience = 11_000_000
}
