import XDnD

/// What a target asks for, in the order of the rules.
extension DragStory {
  func finishedAfterData() -> Finding {
    var finding = Finding()
    for visit in visits {
      guard let finished = visit.finished.first, let drop = visit.drop else { continue }
      let next = visits.first { $0.enter.number > drop.number }?.enter.number ?? .max
      let mine = transfers.filter { $0.number > drop.number && $0.number < next }
      if let late = mine.first(where: { $0.number > finished.number }) {
        finding.fail("\(late.label) is asked for after \(finished.label)")
      } else if let open = mine.first(where: { ($0.answer?.number ?? .max) > finished.number }) {
        finding.fail("\(finished.label) comes before \(open.label) is answered")
      } else if let open = mine.first(where: { $0.isAnnounced && ($0.emptied ?? .max) > finished.number }) {
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
        // Or it is for a drop before this drag: the time says so.
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
      // Before a drop there is another time, and after the next drag has come in nobody knows.
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
      let next = visits.first { $0.enter.number > drop.number }?.enter.number ?? .max
      let fetched = transfers.first { $0.number > drop.number && $0.number < next }
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
      let parts = transfer.steps.filter { $0.property.change == .written }.count - 1
      if let emptied = transfer.emptied {
        finding.keep("\(transfer.label) is taken in \(parts - 1) parts, the last with #\(emptied)")
      } else if end - (transfer.steps.last?.time ?? end) > 900_000 {
        finding.fail("\(transfer.label) is no longer taken after \(parts) parts")
      }
    }
    return finding
  }

  func sessionForgotten() -> Finding {
    var finding = Finding()
    for status in strayStatuses {
      finding.require(
        !status.accepts, "\(status.label) \(status.accepts ? "accepts" : "refuses") what has left")
    }
    for (index, visit) in visits.enumerated().dropFirst() where visits[index - 1].drop == nil {
      let before = Set(visits[index - 1].types).subtracting(visit.types)
      guard let drop = visit.drop, !before.isEmpty else { continue }
      let next = visits.dropFirst(index + 1).first?.enter.number ?? .max
      let mine = transfers.filter { $0.number > drop.number && $0.number < next && !Self.orders.contains($0.target) }
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
      guard let drop = visit.drop else { continue }
      let next = visits.first { $0.enter.number > drop.number }?.enter.number ?? .max
      let fetched = transfers.first { $0.number > drop.number && $0.number < next && visit.types.contains($0.target) }
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
  /// Whether it was announced to come in parts, by us.
  var isAnnounced: Bool {
    steps.contains { $0.property.change == .written && $0.property.type?.rawValue == "INCR" }
  }

  /// The entry with which the empty part was taken.
  var emptied: Int? {
    guard
      let empty = steps.last(where: {
        $0.property.change == .written && $0.property.byteCount == 0 && $0.property.type?.rawValue != "INCR"
      })
    else { return nil }
    return steps.first { $0.number > empty.number && $0.property.change == .removed }?.number
  }
}
