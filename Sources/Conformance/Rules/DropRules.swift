import XDnD

/// How a source ends a visit: `XdndLeave` or `XdndDrop`.
enum DropRules {
  static let all = [leaveOrDrop, dropAccepted, dropAfterStatus, dropTime, dropAfterUngrab, selectionKept]

  static let leaveOrDrop = ConformanceRule(
    "leave-or-drop", of: .source, "Each visit ends with one Leave or one Drop.",
    from: "XDND, example walk-through, step 7", peers: ["LibreOffice f3fa906"], unseen: "no end of a visit"
  ) { trace, result in
    for visit in trace.visits {
      if visit.isReplaced {
        result.fail("\(visit.enter.label) is followed by another one, without Leave or Drop")
      } else if let end = visit.ends.first {
        result.pass("\(visit.enter.label) ends with \(end.label)")
      }
    }
    for stray in trace.strays where stray.kind != .position && !trace.visits.isEmpty {
      result.fail("\(stray.label) ends a visit that was over")
    }
  }

  static let dropAccepted = ConformanceRule(
    "drop-accepted", of: .source, "XdndDrop is sent only if the last XdndStatus has accepted.",
    from: "XDND, example walk-through, step 7", peers: ["FLTK 1.3.8"], unseen: "no end of a visit after an XdndStatus",
    each: \.visits
  ) { visit, _, result in
    let status = visit.lastStatus
    guard let end = visit.ends.first else { return }
    if let drop = visit.drop {
      result.require(
        visit.isAccepted,
        "\(drop.label) follows "
          + (status.map { "\($0.label), which \($0.accepts ? "accepts" : "refuses")" } ?? "no Status"))
    } else if let status, !status.accepts {
      result.pass("\(end.label) follows \(status.label), which refuses")
    }
  }

  static let dropAfterStatus = ConformanceRule(
    "drop-after-status", of: .source, "XdndDrop waits for the XdndStatus that is due.",
    from: "XDND, example walk-through, step 7", peers: ["Chromium 132"], unseen: "no XdndDrop", each: \.visits
  ) { visit, _, result in
    guard let drop = visit.drop, let position = visit.positions.last else { return }
    let isAnswered = visit.statuses.contains { $0.number > position.number && $0.number < drop.number }
    result.require(
      isAnswered, "\(drop.label) comes \(isAnswered ? "after" : "before") the Status for \(position.label)")
  }

  static let dropTime = ConformanceRule(
    "drop-time", of: .source, "XdndDrop has a server time, neither before the last position nor in the future.",
    from: "XDND, XdndDrop", peers: ["tkdnd 2.6", "GTK 4.8.3", "Chromium 132", "JUCE 03cbaad"], unseen: "no XdndDrop",
    eachMessage: \.drops
  ) { visit, drop, _, result in
    let time = drop.xdnd.dropTime
    guard time != .currentTime else {
      return result.fail("\(drop.label) has time 0")
    }
    guard let position = visit.positions.last(where: { $0.word(3) != 0 }) else {
      return result.pass("\(drop.label) has time \(time)")
    }
    let elapsed = Int(Int32(truncatingIfNeeded: time.rawValue &- position.word(3)))
    // The times of a recording need not be in order.
    let possible = (drop.time - position.time) / 1000 + 5000
    result.require(
      elapsed >= 0 && elapsed <= possible,
      "\(drop.label) has time \(time), \(elapsed) ms after that of \(position.label), and came \((drop.time - position.time) / 1000) ms after it"
    )
  }

  static let dropAfterUngrab = ConformanceRule(
    "drop-after-ungrab", of: .source, "The pointer is let go before XdndDrop is sent.",
    from: "FLTK 1.3 ignores it otherwise", peers: ["FLTK 1.3.8", "GTK 4.8.3", "tkdnd 2.6"], isAdvice: true,
    unseen: "no XdndDrop at which is known whether the pointer was grabbed", eachMessage: \.drops
  ) { _, drop, _, result in
    guard let isGrabbed = drop.isPointerGrabbed else { return }
    result.require(
      !isGrabbed, "\(drop.label) comes while the pointer is \(isGrabbed ? "still grabbed" : "free")")
  }

  static let selectionKept = ConformanceRule(
    "selection-kept", of: .source, "The source keeps XdndSelection until XdndFinished.",
    from: "XDND, XdndFinished", peers: ["Mutter 014cde6", "VirtualBox"],
    unseen: "no XdndDrop with a look at the owner of XdndSelection after it", eachMessage: \.drops
  ) { visit, drop, trace, result in
    let end = visit.finished.first?.number ?? .max
    let first = trace.owners.last { $0.number < drop.number }?.window
    let later = trace.owners.filter { $0.number > drop.number && $0.number < end }
    if let lost = later.first(where: { $0.window == .none || (first != nil && $0.window != first) }) {
      result.fail("#\(lost.number) XdndSelection belongs to \(lost.window) between \(drop.label) and XdndFinished")
    } else if let last = later.last {
      result.pass("#\(last.number) XdndSelection still belongs to \(last.window)")
    }
  }
}
