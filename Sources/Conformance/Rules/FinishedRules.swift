import XDnD

/// How a target ends a drop.
enum FinishedRules {
  static let all = [finishedOnce, finishedWindow, finishedResult, finishedAction, finishedAfterData]

  static let finishedOnce = ConformanceRule(
    "finished-once", of: .target, "Each XdndDrop is followed by one XdndFinished, and nothing else is.",
    from: "XDND, XdndFinished", peers: ["GTK 4.8.3", "Firefox", "winit 874a1e3"],
    unseen: "no XdndDrop that was accepted"
  ) { trace, result in
    for stray in trace.strayAnswers where stray.kind == .finished {
      result.fail("\(stray.label) comes before any drop")
    }
    for (visit, drop) in trace.drops {
      let mine = visit.finished
      if let first = mine.first, mine.count == 1 {
        result.pass("\(first.label) follows \(drop.label) after \((first.time - drop.time) / 1000) ms")
      } else if mine.count > 1 {
        result.fail(
          "\(mine.map { "#\($0.number)" }.joined(separator: ", ")): \(mine.count) XdndFinished for \(drop.label)")
      } else if visit.isAccepted, trace.isOverdue(since: drop.time) {
        // Other rules cover refused drops, and drops whose source does not deliver.
        switch trace.dropDelivery(of: visit) {
        case .refused, .unanswered: continue
        case .nothingRequested, .delivered: break
        }
        result.fail("\(drop.label) has no XdndFinished for \((trace.end - drop.time) / 1000) ms")
      }
    }
  }

  static let finishedWindow = ConformanceRule(
    "finished-window", of: .target, "The first word of XdndFinished is the window that was dropped on.",
    from: "XDND, XdndFinished", peers: ["GTK 4.16.1"], unseen: "no XdndFinished", eachMessage: \.finished
  ) { visit, finished, _, result in
    result.require(
      finished.word(0) == visit.enter.content.window.rawValue,
      "\(finished.label) is from \(hexadecimal(finished.word(0))), and dropped was on \(visit.enter.content.window)"
    )
  }

  static let finishedResult = ConformanceRule(
    "finished-result", of: .target, "Of the second word of XdndFinished only bit 0 is used, and it says what happened.",
    from: "XDND, XdndFinished", peers: ["GLFW 3.3.8", "tkdnd 2.6", "tkdnd 2.10.3", "JX 7d41cf9", "SDL 2.26.5"],
    unseen: "no XdndFinished of version 5", eachMessage: \.firstFinished
  ) { visit, finished, trace, result in
    guard visit.version >= 5 else { return }
    let evidence = "\(finished.label) has \(hexadecimal(finished.word(1))) in word 1"
    let served = trace.transfers.contains {
      $0.number > visit.drop?.number ?? .max && $0.number < finished.number && $0.answer != nil && !$0.isRefused
    }
    if finished.word(1) & ~1 != 0 {
      result.fail(evidence)
    } else if finished.word(1) == 0, finished.word(2) != 0 {
      result.fail("\(evidence), and names \(finished.name(2) ?? hexadecimal(finished.word(2)))")
    } else if finished.word(1) == 1, !served, !visit.isAccepted {
      result.fail("\(evidence), and nothing was accepted")
    } else if finished.word(1) == 0, served {
      result.pass(evidence, remark: "although the content was delivered")
    } else if finished.word(1) == 0, visit.isAccepted, case .nothingRequested = trace.dropDelivery(of: visit) {
      result.pass(evidence, remark: "and nothing was asked for")
    } else if finished.word(1) == 1, !served {
      result.pass(evidence, remark: "although nothing was delivered")
    } else {
      result.pass(evidence)
    }
  }

  static let finishedAction = ConformanceRule(
    "finished-action", of: .target, "XdndFinished names what was done, and nothing if the drop was refused.",
    from: "XDND, XdndFinished", unseen: "no XdndFinished of version 5", eachMessage: \.firstFinished
  ) { visit, finished, _, result in
    guard visit.version >= 5 else { return }
    let name = finished.name(2)
    let accepted = visit.lastStatus?.name(4)
    let evidence = "\(finished.label) says \(name ?? hexadecimal(finished.word(2)))"
    if finished.word(1) == 0 {
      result.require(finished.word(2) == 0, "\(evidence) of a drop that failed")
    } else if name == nil {
      result.fail("\(evidence) of a drop that was taken")
    } else {
      result.pass(
        evidence, remark: "its last Status said \(accepted ?? "nothing")",
        if: name != accepted && accepted != "XdndActionAsk")
    }
  }

  static let finishedAfterData = ConformanceRule(
    "finished-after-data", of: .target, "XdndFinished comes when all data is there, and nothing is asked for after it.",
    from: "XDND, XdndFinished", peers: ["Qt 6", "tkdnd 2.6"], unseen: "no request of a drop with an XdndFinished",
    eachMessage: \.firstFinished
  ) { visit, finished, trace, result in
    let mine = trace.transfers(of: visit)
    if let late = mine.first(where: { $0.number > finished.number }) {
      result.fail("\(late.label) is asked for after \(finished.label)")
    } else if let open = mine.first(where: {
      // A target may give up after a long wait.
      ($0.answer?.number ?? .max) > finished.number && !trace.isGivenUp($0, at: finished)
    }) {
      result.fail("\(finished.label) comes before \(open.label) is answered")
    } else if let open = mine.first(where: { $0.isAnnounced && ($0.lastPart ?? .max) > finished.number }) {
      result.fail("\(finished.label) comes before all parts of \(open.label) are taken")
    } else if let last = mine.last {
      result.pass("\(finished.label) comes after \(last.label)")
    }
  }
}
