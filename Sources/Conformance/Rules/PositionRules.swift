import XDnD

/// The `XdndPosition` messages and actions of a source.
enum PositionRules {
  static let all = [positionWaits, positionTime, positionAction, positionCoordinates, actionList, quietRectangle]

  static let positionWaits = ConformanceRule(
    "position-waits", of: .source, "No second XdndPosition is sent before the first has its XdndStatus.",
    from: "XDND, example walk-through, step 6",
    peers: ["OpenJDK 17", "FLTK 1.3.8", "Mutter 014cde6", "wlroots 0855cda"],
    unseen: "no second XdndPosition in one visit", each: \.visits
  ) { visit, _, result in
    var open: RecordedMessage?
    for message in visit.timeline {
      if message.kind == .position, let waiting = open {
        let wait = message.time - waiting.time
        // A source that has waited 3 s for a Status may continue.
        if wait < 3_000_000 {
          result.fail(
            "\(message.label) comes \(wait / 1000) ms after #\(waiting.number), which has no Status yet")
        }
      } else if message.kind == .position, message.number != visit.positions.first?.number {
        result.pass("\(message.label) comes after a Status")
      }
      open = message.kind == .status ? nil : message
    }
  }

  static let positionTime = ConformanceRule(
    "position-time", of: .source, "XdndPosition has a server time, and it does not go backwards.",
    from: "XDND, XdndPosition", peers: ["tkdnd 2.6", "Chromium 132", "KWin 035ea75"], unseen: "no XdndPosition",
    each: \.visits
  ) { visit, _, result in
    var last = Timestamp.currentTime
    for position in visit.positions {
      let time = position.xdnd.positionTime
      if time == .currentTime {
        result.fail("\(position.label) has time 0")
      } else if last != .currentTime, last.isLater(than: time) {
        result.fail("\(position.label) has time \(time), and the position before \(last)")
      } else {
        result.pass("\(position.label) has time \(time)")
      }
      last = time
    }
  }

  static let positionAction = ConformanceRule(
    "position-action", of: .source, "XdndPosition names the action that is asked for.",
    from: "XDND, XdndPosition", peers: ["Chromium 132", "GTK 4.16.1"], unseen: "no XdndPosition", each: \.visits
  ) { visit, trace, result in
    let list = trace.actionList(for: visit)?.property.names.compactMap { $0?.rawValue }
    for position in visit.positions {
      guard let name = position.name(4) else {
        result.fail("\(position.label) names no action: \(hexadecimal(position.word(4)))")
        continue
      }
      result.pass(
        "\(position.label) asks for \(name)",
        remark: "XdndActionList has \(list?.joined(separator: ", ") ?? "")", if: list?.contains(name) == false)
    }
  }

  static let positionCoordinates = ConformanceRule(
    "position-coordinates", of: .source, "XdndPosition has the pointer's place in root coordinates.",
    from: "XDND, XdndPosition", peers: ["GTK 4.16.1", "GLFW 92dcf4c", "FLTK b425747"], unseen: "no XdndPosition",
    eachMessage: \.positions
  ) { _, position, trace, result in
    let point = position.xdnd.point
    guard let frame = trace.frame else {
      return result.pass("\(position.label) is at \(point)", remark: "where the window is was not recorded")
    }
    // The pointer may move between the source's hit test and the message.
    let near = frame.insetBy(dx: -8, dy: -8)
    result.require(near.contains(point), "\(position.label) is at \(point), the window is \(frame)")
  }

  static let actionList = ConformanceRule(
    "action-list", of: .source, "XdndActionList, if present, is a list of atoms that name actions.",
    from: "XDND, XdndActionList", peers: ["tkdnd 2.6", "tkdnd 2.10.3"], unseen: "no XdndActionList", each: \.visits
  ) { visit, trace, result in
    guard let (number, list) = trace.actionList(for: visit), list.format > 0 else { return }
    let names = list.names.compactMap { $0?.rawValue }
    let others = names.filter { !$0.hasPrefix("XdndAction") }
    let evidence = "#\(number) XdndActionList has \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"
    if let fault = list.atomListFault(at: number) {
      result.fail(fault)
    } else if others.count == names.count, !names.isEmpty {
      result.fail("\(evidence), of which none is an action")
    } else {
      result.pass(
        evidence, remark: "\(others.joined(separator: ", ")): no action of the specification", if: !others.isEmpty)
    }
  }

  static let quietRectangle = ConformanceRule(
    "quiet-rectangle", of: .source, "Within the rectangle of a Status that asks for silence, no positions are sent.",
    from: "XDND, XdndStatus", isAdvice: true, unseen: "no XdndStatus that asks for silence", each: \.visits
  ) { visit, _, result in
    var quiet: RecordedMessage?
    var before: RecordedMessage?
    for message in visit.timeline {
      if message.kind == .status {
        let wantsSilence = !message.xdnd.wantsPositionsInside && !message.xdnd.statusRegion.isEmpty
        if wantsSilence { result.pass("\(message.label) asks for silence in \(message.xdnd.statusRegion)") }
        quiet = wantsSilence ? message : nil
      } else {
        // A source reports a change of the action even inside the rectangle.
        if let quiet, quiet.xdnd.statusRegion.contains(message.xdnd.point), message.word(4) == before?.word(4) {
          result.fail(
            "\(message.label) at \(message.xdnd.point) is within the rectangle of #\(quiet.number), \(quiet.xdnd.statusRegion)"
          )
        }
        before = message
      }
    }
  }
}
