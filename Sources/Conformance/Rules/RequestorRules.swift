import XDnD

/// How a target requests and reads content.
enum RequestorRules {
  static let all = [
    fetchAfterDrop, conversionTime, conversionAdvertised, propertyDeleted, refusedDrop, readsIncr, incrEndDeleted,
  ]

  static let fetchAfterDrop = ConformanceRule(
    "fetch-after-drop", of: .target, "Content is asked for after the drop, and not while the drag is passing.",
    from: "XDND, XdndDrop", peers: ["Wine f838a34", "Chromium 132", "PCManFM 1.3.2"], isAdvice: true,
    unseen: "no request for content", each: \.contentTransfers
  ) { transfer, trace, result in
    let last = trace.visits.last { ($0.drop?.number ?? .max) < transfer.number }?.drop
    if let visit = trace.visit(at: transfer.number), visit.drop?.number ?? .max > transfer.number {
      // A request with the time of an earlier drop belongs to that drop.
      guard transfer.asked.time == .currentTime || transfer.asked.time.rawValue != last?.word(2) else { return }
      result.fail("\(transfer.label) is asked for before the drop, in the visit of \(visit.enter.label)")
    } else if let last {
      result.pass("\(transfer.label) is asked for after \(last.label)")
    }
  }

  static let conversionTime = ConformanceRule(
    "conversion-time", of: .target, "Content is asked for with the time in XdndDrop.",
    from: "XDND, XdndDrop", peers: ["GTK 4.8.3", "JUCE 03cbaad", "Aseprite"], unseen: "no request after an XdndDrop",
    each: \.transfers
  ) { transfer, trace, result in
    // Before a drop, another time is correct; during the next drag, the request cannot be assigned to a drop.
    guard let drop = trace.visit(at: transfer.number)?.drop, drop.number < transfer.number else { return }
    result.require(
      transfer.asked.time.rawValue == drop.word(2),
      "\(transfer.label) is asked for with time \(transfer.asked.time), and \(drop.label) says \(drop.word(2))")
  }

  static let conversionAdvertised = ConformanceRule(
    "conversion-advertised", of: .target, "Only types that are offered are asked for.",
    from: "XDND, XdndEnter", unseen: "no request for content", each: \.contentTransfers
  ) { transfer, trace, result in
    let isOffered = trace.isOffered(transfer)
    result.require(isOffered, "\(transfer.label) is \(isOffered ? "" : "not ")offered")
  }

  static let propertyDeleted = ConformanceRule(
    "property-deleted", of: .target, "Who has asked deletes the property when the content is read.",
    from: "ICCCM 2.4", unseen: "no content that was delivered", each: \.transfers
  ) { transfer, trace, result in
    guard let answer = transfer.answer, answer.conversion.property != nil else { return }
    if let removed = transfer.steps.last(where: { $0.property.change == .removed }) {
      result.pass("#\(removed.number) deletes the property of \(transfer.label)")
    } else if trace.isOverdue(since: answer.time) {
      result.fail("\(transfer.label) is there since #\(answer.number), and its property is not deleted")
    }
  }

  static let refusedDrop = ConformanceRule(
    "refused-drop", of: .target, "A drop that was refused is finished without success, and nothing is fetched.",
    from: "XDND, example walk-through, step 8", peers: ["FLTK 1.3.8"], unseen: "no XdndDrop after a refusal",
    each: \.visits
  ) { visit, trace, result in
    guard let drop = visit.drop, let status = visit.lastStatus, !status.accepts else { return }
    let fetched = trace.transfers(of: visit).first
    let isTaken = visit.version >= 5 && visit.finished.first.map { $0.xdnd.isSuccess } ?? false
    if let fetched {
      result.fail("\(fetched.label) is asked for, although \(status.label) refused")
    } else if isTaken {
      result.fail("\(visit.finished[0].label) reports success, although \(status.label) refused")
    } else if let finished = visit.finished.first {
      result.pass("\(finished.label) reports no success")
    } else {
      result.pass("\(drop.label) is passed over", remark: "without XdndFinished, for which some sources wait")
    }
  }

  static let readsIncr = ConformanceRule(
    "reads-incr", of: .target, "Content that comes in parts is read to its end.",
    from: "ICCCM 2.7.2", peers: ["tkdnd 2.6", "tkdnd 2.10.3", "FLTK 1.3.8", "SDL 2.26.5", "GLFW 3.3.8"],
    unseen: "no content that was delivered in parts (INCR)", each: \.transfers
  ) { transfer, trace, result in
    guard transfer.isAnnounced else { return }
    let parts = transfer.partsWritten
    if transfer.lastPart != nil {
      result.pass("\(transfer.label) is taken whole, \(transfer.bytesTaken) bytes in \(parts.count - 1) parts")
    } else if trace.isOverdue(since: transfer.steps.last?.time ?? trace.end) {
      result.fail(
        "\(transfer.label) is no longer taken after \(parts.count) parts: \(transfer.bytesTaken) of "
          + "\(transfer.bytesAnnounced) bytes")
    }
  }

  static let incrEndDeleted = ConformanceRule(
    "incr-end-deleted", of: .target, "The empty part that ends content in parts is deleted, too.",
    from: "ICCCM 2.7.2", isAdvice: true, unseen: "no content that was delivered in parts (INCR)", each: \.transfers
  ) { transfer, trace, result in
    guard transfer.isAnnounced, let last = transfer.lastPart else { return }
    if let removed = transfer.steps.first(where: { $0.number > last && $0.property.change == .removed }) {
      result.pass("#\(removed.number) deletes the empty last part of \(transfer.label)")
    } else if trace.isOverdue(since: transfer.steps.last?.time ?? trace.end) {
      result.fail(
        "#\(last) is the empty last part of \(transfer.label), which is taken whole, and it is not deleted")
    }
  }
}
