import XDnD

/// The checks of a target's requests, in the order of the rules.
extension DragStory {
  func finishedAfterData() -> Finding {
    var finding = Finding()
    for visit in visits {
      guard let finished = visit.finished.first else { continue }
      let mine = transfers(of: visit)
      if let late = mine.first(where: { $0.number > finished.number }) {
        finding.fail("\(late.label) is asked for after \(finished.label)")
      } else if let open = mine.first(where: {
        // A target may give up after a long wait.
        ($0.answer?.number ?? .max) > finished.number && !isGivenUp($0, at: finished)
      }) {
        finding.fail("\(finished.label) comes before \(open.label) is answered")
      } else if let open = mine.first(where: { $0.isAnnounced && ($0.lastPart ?? .max) > finished.number }) {
        finding.fail("\(finished.label) comes before all parts of \(open.label) are taken")
      } else if let last = mine.last {
        finding.keep("\(finished.label) comes after \(last.label)")
      }
    }
    return finding
  }

  func fetchAfterDrop() -> Finding {
    var finding = Finding()
    for transfer in transfers where !Self.orders.contains(transfer.target) {
      let last = visits.last { ($0.drop?.number ?? .max) < transfer.number }?.drop
      if let visit = visit(at: transfer.number), visit.drop?.number ?? .max > transfer.number {
        // Unless its time is that of an earlier drop: then it belongs to that drop.
        guard transfer.asked.time == .currentTime || transfer.asked.time.rawValue != last?.word(2) else { continue }
        finding.fail("\(transfer.label) is asked for before the drop, in the visit of \(visit.enter.label)")
      } else if let last {
        finding.keep("\(transfer.label) is asked for after \(last.label)")
      }
    }
    return finding
  }

  func conversionTime() -> Finding {
    var finding = Finding()
    for transfer in transfers {
      // Before a drop, another time is correct; during the next drag, the request cannot be assigned to a drop.
      guard let drop = visit(at: transfer.number)?.drop, drop.number < transfer.number else { continue }
      finding.require(
        transfer.asked.time.rawValue == drop.word(2),
        "\(transfer.label) is asked for with time \(transfer.asked.time), and \(drop.label) says \(drop.word(2))")
    }
    return finding
  }

  func conversionAdvertised() -> Finding {
    var finding = Finding()
    for transfer in transfers where !Self.orders.contains(transfer.target) {
      finding.require(
        isOffered(transfer), "\(transfer.label) is \(isOffered(transfer) ? "" : "not ")offered")
    }
    return finding
  }

  func propertyDeleted() -> Finding {
    var finding = Finding()
    for transfer in transfers {
      guard let answer = transfer.answer, answer.conversion.property != nil else { continue }
      if let removed = transfer.steps.last(where: { $0.property.change == .removed }) {
        finding.keep("#\(removed.number) deletes the property of \(transfer.label)")
      } else if end - answer.time > 900_000 {
        finding.fail("\(transfer.label) is there since #\(answer.number), and its property is not deleted")
      }
    }
    return finding
  }

  func refusedDrop() -> Finding {
    var finding = Finding()
    for visit in visits {
      guard let drop = visit.drop, let status = visit.lastStatus, !status.accepts else { continue }
      let fetched = transfers(of: visit).first
      let isTaken = visit.version >= 5 && visit.finished.first.map { $0.word(1) != 0 } ?? false
      if let fetched {
        finding.fail("\(fetched.label) is asked for, although \(status.label) refused")
      } else if isTaken {
        finding.fail("\(visit.finished[0].label) reports success, although \(status.label) refused")
      } else if let finished = visit.finished.first {
        finding.keep("\(finished.label) reports no success")
      } else {
        finding.keep("\(drop.label) is passed over", remark: "without XdndFinished, for which some sources wait")
      }
    }
    return finding
  }

  func readsIncr() -> Finding {
    var finding = Finding()
    for transfer in transfers where transfer.isAnnounced {
      let parts = transfer.partsWritten
      if transfer.lastPart != nil {
        finding.keep("\(transfer.label) is taken whole, \(transfer.bytesTaken) bytes in \(parts.count - 1) parts")
      } else if end - (transfer.steps.last?.time ?? end) > 900_000 {
        finding.fail(
          "\(transfer.label) is no longer taken after \(parts.count) parts: \(transfer.bytesTaken) of "
            + "\(transfer.bytesAnnounced) bytes")
      }
    }
    return finding
  }

  func incrEndDeleted() -> Finding {
    var finding = Finding()
    for transfer in transfers where transfer.isAnnounced {
      guard let last = transfer.lastPart else { continue }
      if let removed = transfer.steps.first(where: { $0.number > last && $0.property.change == .removed }) {
        finding.keep("#\(removed.number) deletes the empty last part of \(transfer.label)")
      } else if end - (transfer.steps.last?.time ?? end) > 900_000 {
        finding.fail(
          "#\(last) is the empty last part of \(transfer.label), which is taken whole, and it is not deleted")
      }
    }
    return finding
  }

  func refusalEndsDrop() -> Finding {
    var finding = Finding()
    for visit in visits where visit.lastStatus?.accepts ?? false {
      guard case .refused(let transfer) = service(of: visit), let answer = transfer.answer else { continue }
      conclude(visit, "\(transfer.label) was refused by #\(answer.number)", since: answer.time, until: end, &finding)
    }
    return finding
  }

  func silenceEndsDrop() -> Finding {
    var finding = Finding()
    for visit in visits where visit.lastStatus?.accepts ?? false {
      guard case .unanswered(let transfer) = service(of: visit) else { continue }
      // An XdndFinished after a late answer does not show that the target gave up.
      var visit = visit
      visit.finished.removeAll { $0.number > transfer.answer?.number ?? .max }
      conclude(
        visit, "\(transfer.label) was asked for in vain", since: transfer.time, until: transfer.answer?.time ?? end,
        &finding)
    }
    return finding
  }

  /// Checks that a failed drop is finished, and as failed.
  private func conclude(_ visit: Visit, _ reason: String, since start: Int, until end: Int, _ finding: inout Finding) {
    if let finished = visit.finished.first {
      let delay = max(0, finished.time - start) / 1000
      // Before version 5, XdndFinished reports no result.
      let isSuccess = visit.version >= 5 && finished.word(1) != 0
      finding.require(
        !isSuccess,
        "\(finished.label) " + (isSuccess ? "reports success, and" : "comes \(delay) ms after") + " \(reason)")
    } else if end - start >= Self.patience {
      finding.fail("\(reason), and there is no XdndFinished for \((end - start) / 1000) ms")
    }
  }

  /// How long a target may wait for its source, in microseconds. OpenJDK 17 gives up after 10 s.
  private static let patience = 11_000_000

  func sessionForgotten() -> Finding {
    var finding = Finding()
    for status in strayStatuses {
      finding.require(
        !status.accepts, "\(status.label) \(status.accepts ? "accepts" : "refuses") what has left")
    }
    for (index, visit) in visits.enumerated().dropFirst() where visits[index - 1].drop == nil {
      let before = Set(visits[index - 1].types).subtracting(visit.types)
      guard visit.drop != nil, !before.isEmpty else { continue }
      let mine = transfers(of: visit).filter { !Self.orders.contains($0.target) }
      if let old = mine.first(where: { before.contains($0.target) }) {
        finding.fail("\(old.label) was offered by \(visits[index - 1].enter.label), and not by \(visit.enter.label)")
      } else if let first = mine.first {
        finding.keep("\(first.label) is what \(visit.enter.label) offers, and not what the drag before did")
      }
    }
    return finding
  }

  func unknownTypesRefused() -> Finding {
    var finding = Finding()
    for visit in visits where !visit.types.isEmpty && visit.types.allSatisfy({ $0.contains("x-xdnd-probe-unknown") }) {
      guard let status = visit.lastStatus else { continue }
      guard status.accepts else {
        finding.keep("\(status.label) refuses \(visit.types.joined(separator: ", "))")
        continue
      }
      guard visit.drop != nil else { continue }
      let fetched = transfers(of: visit).first { visit.types.contains($0.target) }
      if let fetched {
        finding.keep("\(status.label) accepts it, and \(fetched.label) is asked for")
      } else {
        finding.fail("\(status.label) accepts \(visit.types.joined(separator: ", ")), and does not ask for it")
      }
    }
    return finding
  }

  func versionNegotiated() -> Finding {
    var finding = Finding()
    for visit in visits where visit.version < 5 {
      guard let position = visit.positions.first else { continue }
      if let status = visit.statuses.first {
        finding.keep("\(status.label) answers a source of version \(visit.version)")
      } else if (visit.ends.first?.time ?? end) - position.time > 900_000 {
        finding.fail("\(position.label) of a source of version \(visit.version) has no Status")
      }
    }
    return finding
  }
}

extension DragStory.Transfer {
  /// Whether the recorder, as the source, announced an INCR transfer.
  var isAnnounced: Bool {
    steps.contains { $0.property.change == .written && $0.property.type?.rawValue == "INCR" }
  }

  /// The written parts without the announcement. Each was written after the part before was deleted.
  var partsWritten: [WireEvent.Property] {
    steps.map(\.property).filter { $0.change == .written && $0.type?.rawValue != "INCR" }
  }

  /// The entry that wrote the empty last part, which shows that all content was taken.
  var lastPart: Int? {
    steps.last {
      $0.property.change == .written && $0.property.byteCount == 0 && $0.property.type?.rawValue != "INCR"
    }?.number
  }

  var bytesAnnounced: Int {
    Int(
      steps.first { $0.property.change == .written && $0.property.type?.rawValue == "INCR" }?.property.words.first ?? 0)
  }

  /// The number of bytes that the target has taken: all parts but the last written one, and that one if it was deleted.
  var bytesTaken: Int {
    let isLastTaken =
      steps.last { $0.property.change == .written || $0.property.change == .removed }?.property.change == .removed
    return partsWritten.dropLast(isLastTaken ? 0 : 1).reduce(0) { $0 + $1.byteCount }
  }
}
