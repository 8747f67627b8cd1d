import XDnD

/// The checks of a target's messages, in the order of the rules.
extension DragStory {
  func awareVersion() -> Finding {
    var finding = Finding()
    for (number, property) in properties("XdndAware") where property.change == .read {
      let version = property.words.first
      finding.require(
        property.type?.rawValue == "ATOM" && property.format == 32 && (3...5).contains(version ?? 0),
        "#\(number) XdndAware is \(property.type?.rawValue ?? "None") of format \(property.format): "
          + (version.map(String.init) ?? "nothing"))
    }
    return finding
  }

  func proxySelf() -> Finding {
    var finding = Finding()
    let proxies = properties("XdndProxy").filter { $0.property.change == .read }
    for (number, property) in proxies {
      guard let proxy = property.words.first.map(WindowID.init(rawValue:)), proxy != property.window else { continue }
      guard let own = proxies.first(where: { $0.property.window == proxy })?.property.words else { continue }
      finding.require(
        own.first == proxy.rawValue,
        "#\(number) XdndProxy is \(proxy), whose own XdndProxy is \(own.first.map(hexadecimal) ?? "not there")")
    }
    return finding
  }

  func statusAnswers() -> Finding {
    var finding = Finding()
    for visit in visits {
      for (index, position) in visit.positions.enumerated() {
        let next = visit.positions.dropFirst(index + 1).first?.number ?? .max
        let status = visit.statuses.first { $0.number > position.number && $0.number < next }
        let patience = (visit.positions.dropFirst(index + 1).first ?? visit.ends.first)?.time ?? end
        if let status {
          finding.keep("\(status.label) answers \(position.label) after \((status.time - position.time) / 1000) ms")
        } else if patience - position.time > 900_000 {
          finding.fail("\(position.label) has no Status for \((patience - position.time) / 1000) ms")
        }
      }
    }
    return finding
  }

  func statusWindow() -> Finding {
    var finding = Finding()
    for visit in visits {
      for status in visit.statuses {
        finding.require(
          status.word(0) == visit.enter.content.window.rawValue,
          "\(status.label) is for \(hexadecimal(status.word(0))), and the position was for \(visit.enter.content.window)"
        )
      }
    }
    return finding
  }

  func statusAction() -> Finding {
    var finding = Finding()
    for visit in visits {
      for status in visit.statuses where status.accepts && visit.version >= 2 {
        let asked = visit.positions.last { $0.number < status.number }?.name(4)
        let name = status.name(4)
        let allowed = [asked, "XdndActionCopy", "XdndActionPrivate"]
        finding.require(
          name != nil && allowed.contains(name),
          "\(status.label) accepts with \(name ?? "no action") where \(asked ?? "nothing") was asked for")
      }
    }
    return finding
  }

  func statusRefusal() -> Finding {
    var finding = Finding()
    for visit in visits {
      for status in visit.statuses where !status.accepts {
        let evidence = "\(status.label) refuses with \(status.name(4) ?? hexadecimal(status.word(4)))"
        if status.word(4) != 0 {
          finding.fail(evidence)
        } else if status.word(1) & 2 != 0 {
          // Qt 5.15 and 6.4 sources treat any set bit as acceptance.
          finding.keep(evidence, remark: "bit 1 is set, which some sources take for a yes")
        } else {
          finding.keep(evidence)
        }
      }
    }
    return finding
  }

  func statusReserved() -> Finding {
    var finding = Finding()
    for visit in visits {
      for status in visit.statuses {
        finding.require(status.word(1) & ~3 == 0, "\(status.label) has \(hexadecimal(status.word(1))) in word 1")
      }
    }
    return finding
  }

  func statusRectangle() -> Finding {
    var finding = Finding()
    for visit in visits {
      for status in visit.statuses {
        let rectangle = status.rectangle
        guard !rectangle.isEmpty else {
          finding.keep("\(status.label) has no rectangle")
          continue
        }
        let position = visit.positions.last { $0.number < status.number }?.point(2)
        let isThere = position.map(rectangle.contains) ?? false
        let isInside = frame.map { rectangle.meets($0) } ?? false
        finding.require(
          isThere || isInside,
          "\(status.label) has \(rectangle), the pointer is at \(position?.description ?? "?")"
            + (frame.map { ", the window is \($0)" } ?? ""))
      }
    }
    return finding
  }

  func statusUnasked() -> Finding {
    var finding = Finding()
    for stray in strayAnswers where stray.kind == "XdndStatus" { finding.fail("\(stray.label) comes before any drag") }
    for visit in visits {
      var due = 0
      for message in visit.timeline {
        if message.kind == "XdndPosition" {
          due += 1
        } else if let end = visit.ends.first, message.number > end.number, due <= 0 {
          finding.fail("\(message.label) comes after \(end.label)")
        } else {
          finding.require(due > 0, "\(message.label) answers " + (due > 0 ? "a position" : "no position"))
          due -= 1
        }
      }
    }
    return finding
  }

  func finishedOnce() -> Finding {
    var finding = Finding()
    for stray in strayAnswers where stray.kind == "XdndFinished" {
      finding.fail("\(stray.label) comes before any drop")
    }
    for visit in visits {
      guard let drop = visit.drop else { continue }
      let mine = visit.finished
      if let first = mine.first, mine.count == 1 {
        finding.keep("\(first.label) follows \(drop.label) after \((first.time - drop.time) / 1000) ms")
      } else if mine.count > 1 {
        finding.fail(
          "\(mine.map { "#\($0.number)" }.joined(separator: ", ")): \(mine.count) XdndFinished for \(drop.label)")
      } else if visit.lastStatus?.accepts ?? false, end - drop.time > 900_000 {
        // Refused drops and drops whose source does not deliver have rules of their own.
        switch service(of: visit) {
        case .refused, .unanswered: continue
        case .nothingAsked, .delivered: break
        }
        finding.fail("\(drop.label) has no XdndFinished for \((end - drop.time) / 1000) ms")
      }
    }
    return finding
  }

  func finishedWindow() -> Finding {
    var finding = Finding()
    for visit in visits {
      for finished in visit.finished {
        finding.require(
          finished.word(0) == visit.enter.content.window.rawValue,
          "\(finished.label) is from \(hexadecimal(finished.word(0))), and dropped was on \(visit.enter.content.window)"
        )
      }
    }
    return finding
  }

  func finishedResult() -> Finding {
    var finding = Finding()
    for visit in visits where visit.version >= 5 {
      for finished in visit.finished.prefix(1) {
        let evidence = "\(finished.label) has \(hexadecimal(finished.word(1))) in word 1"
        let served = transfers.contains {
          $0.number > visit.drop?.number ?? .max && $0.number < finished.number && $0.answer != nil && !$0.isRefused
        }
        if finished.word(1) & ~1 != 0 {
          finding.fail(evidence)
        } else if finished.word(1) == 0, finished.word(2) != 0 {
          finding.fail("\(evidence), and names \(finished.name(2) ?? hexadecimal(finished.word(2)))")
        } else if finished.word(1) == 1, !served, !(visit.lastStatus?.accepts ?? false) {
          finding.fail("\(evidence), and nothing was accepted")
        } else if finished.word(1) == 0, served {
          finding.keep(evidence, remark: "although the content was delivered")
        } else if finished.word(1) == 0, visit.lastStatus?.accepts ?? false, case .nothingAsked = service(of: visit) {
          finding.keep(evidence, remark: "and nothing was asked for")
        } else if finished.word(1) == 1, !served {
          finding.keep(evidence, remark: "although nothing was delivered")
        } else {
          finding.keep(evidence)
        }
      }
    }
    return finding
  }

  func finishedAction() -> Finding {
    var finding = Finding()
    for visit in visits where visit.version >= 5 {
      for finished in visit.finished.prefix(1) {
        let name = finished.name(2)
        let accepted = visit.lastStatus?.name(4)
        let evidence = "\(finished.label) says \(name ?? hexadecimal(finished.word(2)))"
        if finished.word(1) == 0 {
          finding.require(finished.word(2) == 0, "\(evidence) of a drop that failed")
        } else if name == nil {
          finding.fail("\(evidence) of a drop that was taken")
        } else if name != accepted, accepted != "XdndActionAsk" {
          finding.keep(evidence, remark: "its last Status said \(accepted ?? "nothing")")
        } else {
          finding.keep(evidence)
        }
      }
    }
    return finding
  }
}

extension Rect {
  /// Whether the rectangles overlap.
  func meets(_ other: Rect) -> Bool {
    origin.x < other.origin.x + other.width && other.origin.x < origin.x + width
      && origin.y < other.origin.y + other.height && other.origin.y < origin.y + height
  }
}
