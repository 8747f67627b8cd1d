import XDnD

/// A target's answers to positions.
enum StatusRules {
  static let all = [
    statusAnswers, statusWindow, statusAction, statusRefusal, statusReserved, statusRectangle, statusUnasked,
  ]

  static let statusAnswers = ConformanceRule(
    "status-answers", of: .target, "Each XdndPosition is answered by an XdndStatus.",
    from: "XDND, XdndStatus", peers: ["Chromium 132"], unseen: "no XdndPosition", each: \.visits
  ) { visit, trace, result in
    for (index, position) in visit.positions.enumerated() {
      let next = visit.positions.dropFirst(index + 1).first?.number ?? .max
      let status = visit.statuses.first { $0.number > position.number && $0.number < next }
      let patience = (visit.positions.dropFirst(index + 1).first ?? visit.ends.first)?.time ?? trace.end
      if let status {
        result.pass("\(status.label) answers \(position.label) after \((status.time - position.time) / 1000) ms")
      } else if trace.isOverdue(since: position.time, at: patience) {
        result.fail("\(position.label) has no Status for \((patience - position.time) / 1000) ms")
      }
    }
  }

  static let statusWindow = ConformanceRule(
    "status-window", of: .target, "The first word of XdndStatus is the window that the position was addressed to.",
    from: "XDND, XdndStatus", peers: ["GTK 4.16.1"], unseen: "no XdndStatus", eachMessage: \.statuses
  ) { visit, status, _, result in
    result.require(
      status.word(0) == visit.enter.content.window.rawValue,
      "\(status.label) is for \(hexadecimal(status.word(0))), and the position was for \(visit.enter.content.window)"
    )
  }

  static let statusAction = ConformanceRule(
    "status-action", of: .target,
    "An accepting Status names the action that was asked for, XdndActionCopy or XdndActionPrivate.",
    from: "XDND, XdndStatus", peers: ["Emacs 28", "KWin 035ea75", "Mutter 014cde6"],
    unseen: "no XdndStatus that accepts", eachMessage: \.statuses
  ) { visit, status, _, result in
    guard status.accepts, visit.version >= 2 else { return }
    let asked = visit.positions.last { $0.number < status.number }?.name(4)
    let name = status.name(4)
    let allowed = [asked, "XdndActionCopy", "XdndActionPrivate"]
    result.require(
      name != nil && allowed.contains(name),
      "\(status.label) accepts with \(name ?? "no action") where \(asked ?? "nothing") was asked for")
  }

  static let statusRefusal = ConformanceRule(
    "status-refusal", of: .target, "A refusing Status names no action.",
    from: "XDND, XdndStatus", peers: ["SDL 3 (38aace9)"], unseen: "no XdndStatus that refuses", eachMessage: \.statuses
  ) { _, status, _, result in
    guard !status.accepts else { return }
    let evidence = "\(status.label) refuses with \(status.name(4) ?? hexadecimal(status.word(4)))"
    if status.word(4) != 0 {
      result.fail(evidence)
    } else {
      // Qt 5.15 and 6.4 sources treat any set bit as acceptance.
      result.pass(
        evidence, remark: "bit 1 is set, which some sources take for a yes", if: status.xdnd.wantsPositionsInside)
    }
  }

  static let statusReserved = ConformanceRule(
    "status-reserved", of: .target, "The bits of XdndStatus above the two that have a meaning are 0.",
    from: "XDND, XdndStatus", unseen: "no XdndStatus", eachMessage: \.statuses
  ) { _, status, _, result in
    result.require(status.word(1) & ~3 == 0, "\(status.label) has \(hexadecimal(status.word(1))) in word 1")
  }

  static let statusRectangle = ConformanceRule(
    "status-rectangle", of: .target, "The rectangle of XdndStatus is in root coordinates.",
    from: "XDND, XdndStatus", unseen: "no XdndStatus", eachMessage: \.statuses
  ) { visit, status, trace, result in
    let rectangle = status.xdnd.statusRegion
    guard !rectangle.isEmpty else {
      return result.pass("\(status.label) has no rectangle")
    }
    let position = visit.positions.last { $0.number < status.number }?.xdnd.point
    let isThere = position.map(rectangle.contains) ?? false
    let isInside = trace.frame.map { !rectangle.intersection($0).isEmpty } ?? false
    result.require(
      isThere || isInside,
      "\(status.label) has \(rectangle), the pointer is at \(position?.description ?? "?")"
        + (trace.frame.map { ", the window is \($0)" } ?? ""))
  }

  static let statusUnasked = ConformanceRule(
    "status-unasked", of: .target, "XdndStatus answers a position, and there are no more of them than positions.",
    from: "XDND, XdndStatus", peers: ["Qt 6", "Chromium 132"], isAdvice: true, unseen: "no XdndStatus"
  ) { trace, result in
    for stray in trace.strayAnswers where stray.kind == .status {
      result.fail("\(stray.label) comes before any drag")
    }
    for visit in trace.visits {
      var due = 0
      for message in visit.timeline {
        if message.kind == .position {
          due += 1
        } else if let end = visit.ends.first, message.number > end.number, due <= 0 {
          result.fail("\(message.label) comes after \(end.label)")
        } else {
          result.require(due > 0, "\(message.label) answers " + (due > 0 ? "a position" : "no position"))
          due -= 1
        }
      }
    }
  }
}
