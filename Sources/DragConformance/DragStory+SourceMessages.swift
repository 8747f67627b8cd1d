import XDnD

/// The checks of a source's messages, in the order of the rules.
extension DragStory {
  func enterVersion() -> Finding {
    var finding = Finding()
    let aware = properties("XdndAware").first?.property.words.first.map(Int.init) ?? 5
    for visit in visits {
      finding.require(
        (3...max(3, min(5, aware))).contains(visit.version),
        "\(visit.enter.label) says version \(visit.version), and the target \(aware)")
    }
    return finding
  }

  func enterFirst() -> Finding {
    var finding = Finding()
    for stray in strays { finding.fail("\(stray.label) belongs to no XdndEnter") }
    for visit in visits {
      if let first = visit.positions.first ?? visit.ends.first {
        finding.keep("\(visit.enter.label) before \(first.label)")
      }
    }
    return finding
  }

  func sourceWindow() -> Finding {
    var finding = Finding()
    for visit in visits {
      let window = visit.enter.word(0)
      finding.require(window != 0, "\(visit.enter.label) says window \(hexadecimal(window))")
      for message in visit.positions + visit.ends {
        finding.require(
          message.word(0) == window,
          "\(message.label) says \(hexadecimal(message.word(0))), #\(visit.enter.number) \(hexadecimal(window))")
      }
    }
    return finding
  }

  func typeListBit() -> Finding {
    var finding = Finding()
    for visit in visits {
      let count = typeList(for: visit)?.property.names.count
      switch (visit.hasTypeList, count) {
      // The recorder has not read the list.
      case (true, nil): break
      case (true, 0): finding.fail("\(visit.enter.label) sets bit 0, and there is no XdndTypeList")
      case (true, let count?) where count <= 3:
        finding.keep("\(visit.enter.label) sets bit 0", remark: "with \(count) types nothing demands it")
      case (true, let count?): finding.keep("\(visit.enter.label) sets bit 0 for \(count) types")
      case (false, let count?) where count > 3 && !visit.inlineTypes.isEmpty:
        finding.fail("\(visit.enter.label) does not set bit 0, and XdndTypeList has \(count) types")
      case (false, _): finding.keep("\(visit.enter.label) has all \(visit.inlineTypes.count) types in itself")
      }
    }
    return finding
  }

  func typeListNames() -> Finding {
    var finding = Finding()
    for visit in visits where visit.hasTypeList {
      guard let (number, list) = typeList(for: visit) else { continue }
      if list.type?.rawValue != "ATOM" || list.format != 32 {
        finding.fail("#\(number) XdndTypeList is \(list.type?.rawValue ?? "of no type") of format \(list.format)")
      } else if let place = list.names.firstIndex(of: nil) {
        finding.fail("#\(number) XdndTypeList has no atom in place \(place)")
      } else if Set(list.names).count < list.names.count {
        finding.keep("#\(number) XdndTypeList has \(list.names.count) types", remark: "some of them twice")
      } else {
        finding.keep("#\(number) XdndTypeList has \(list.names.count) types")
      }
    }
    return finding
  }

  func inlineTypes() -> Finding {
    var finding = Finding()
    for visit in visits {
      let words = [2, 3, 4].map(visit.enter.word)
      let used = words.prefix { $0 != 0 }.count
      let list = visit.hasTypeList ? visit.types : []
      let expected = visit.hasTypeList ? min(3, list.count) : 1
      if words.dropFirst(used).contains(where: { $0 != 0 }) {
        finding.fail("\(visit.enter.label) has a type behind an empty place: \(words.map(hexadecimal))")
      } else if used < expected {
        finding.fail("\(visit.enter.label) has \(used) types in itself" + (list.isEmpty ? "" : " of \(list.count)"))
      } else if visit.inlineTypes.count < used {
        finding.fail("\(visit.enter.label) has a type that is no atom: \(words.map(hexadecimal))")
      } else if let wrong = visit.inlineTypes.first(where: { !list.isEmpty && !list.contains($0) }) {
        finding.fail("\(visit.enter.label) has \(wrong), which is not in XdndTypeList")
      } else {
        finding.keep("\(visit.enter.label) has \(visit.inlineTypes.joined(separator: ", "))")
      }
    }
    return finding
  }

  func positionWaits() -> Finding {
    var finding = Finding()
    for visit in visits {
      var open: Message?
      for message in visit.timeline {
        if message.kind == "XdndStatus" {
          open = nil
        } else if let waiting = open {
          // A source that has waited 3 s for a Status may go on.
          if message.time - waiting.time < 3_000_000 {
            finding.fail(
              "\(message.label) comes \((message.time - waiting.time) / 1000) ms after #\(waiting.number), which has no Status yet"
            )
          }
          open = message
        } else {
          if message.number != visit.positions.first?.number { finding.keep("\(message.label) comes after a Status") }
          open = message
        }
      }
    }
    return finding
  }

  func positionTime() -> Finding {
    var finding = Finding()
    for visit in visits {
      var last = Timestamp.currentTime
      for position in visit.positions {
        let time = Timestamp(rawValue: position.word(3))
        if time == .currentTime {
          finding.fail("\(position.label) has time 0")
        } else if last != .currentTime, last.isLater(than: time) {
          finding.fail("\(position.label) has time \(time), and the position before \(last)")
        } else {
          finding.keep("\(position.label) has time \(time)")
        }
        last = time
      }
    }
    return finding
  }

  func positionAction() -> Finding {
    var finding = Finding()
    for visit in visits {
      let list = properties("XdndActionList", of: WindowID(rawValue: visit.enter.word(0)))
        .last { $0.number > visit.enter.number }?.property.names.compactMap { $0?.rawValue }
      for position in visit.positions {
        guard let name = position.name(4) else {
          finding.fail("\(position.label) names no action: \(hexadecimal(position.word(4)))")
          continue
        }
        if let list, !list.contains(name) {
          finding.keep(
            "\(position.label) asks for \(name)", remark: "XdndActionList has \(list.joined(separator: ", "))")
        } else {
          finding.keep("\(position.label) asks for \(name)")
        }
      }
    }
    return finding
  }

  func actionList() -> Finding {
    var finding = Finding()
    for visit in visits {
      let lists = properties("XdndActionList", of: WindowID(rawValue: visit.enter.word(0)))
      guard let (number, list) = lists.last(where: { $0.number > visit.enter.number }), list.format > 0 else {
        continue
      }
      let names = list.names.compactMap { $0?.rawValue }
      let others = names.filter { !$0.hasPrefix("XdndAction") }
      if list.type?.rawValue != "ATOM" || list.format != 32 {
        finding.fail("#\(number) XdndActionList is \(list.type?.rawValue ?? "of no type") of format \(list.format)")
      } else if let place = list.names.firstIndex(of: nil) {
        finding.fail("#\(number) XdndActionList has no atom in place \(place)")
      } else if others.count == names.count, !names.isEmpty {
        finding.fail("#\(number) XdndActionList has \(names.joined(separator: ", ")), of which none is an action")
      } else if !others.isEmpty {
        finding.keep(
          "#\(number) XdndActionList has \(names.joined(separator: ", "))",
          remark: "\(others.joined(separator: ", ")): no action of the specification")
      } else {
        finding.keep("#\(number) XdndActionList has \(names.isEmpty ? "nothing" : names.joined(separator: ", "))")
      }
    }
    return finding
  }

  func positionCoordinates() -> Finding {
    var finding = Finding()
    for visit in visits {
      for position in visit.positions {
        let point = position.point(2)
        guard let frame else {
          finding.keep("\(position.label) is at \(point)", remark: "where the window is was not recorded")
          continue
        }
        // The pointer may move between the source's hit test and the message.
        let near = Rect(
          x: frame.origin.x - 8, y: frame.origin.y - 8, width: frame.width + 16, height: frame.height + 16)
        finding.require(near.contains(point), "\(position.label) is at \(point), the window is \(frame)")
      }
    }
    return finding
  }

  func quietRectangle() -> Finding {
    var finding = Finding()
    for visit in visits {
      var quiet: Message?
      var before: Message?
      for message in visit.timeline {
        if message.kind == "XdndStatus" {
          let wantsSilence = message.word(1) & 2 == 0 && !message.rectangle.isEmpty
          if wantsSilence { finding.keep("\(message.label) asks for silence in \(message.rectangle)") }
          quiet = wantsSilence ? message : nil
        } else {
          // Inside the rectangle, too, a source reports a change of the action.
          if let quiet, quiet.rectangle.contains(message.point(2)), message.word(4) == before?.word(4) {
            finding.fail(
              "\(message.label) at \(message.point(2)) is within the rectangle of #\(quiet.number), \(quiet.rectangle)")
          }
          before = message
        }
      }
    }
    return finding
  }

  func leaveOrDrop() -> Finding {
    var finding = Finding()
    for visit in visits {
      if visit.isReplaced {
        finding.fail("\(visit.enter.label) is followed by another one, without Leave or Drop")
      } else if let end = visit.ends.first {
        finding.keep("\(visit.enter.label) ends with \(end.label)")
      }
    }
    for stray in strays where stray.kind != "XdndPosition" && !visits.isEmpty {
      finding.fail("\(stray.label) ends a visit that was over")
    }
    return finding
  }

  func dropAccepted() -> Finding {
    var finding = Finding()
    for visit in visits {
      let status = visit.lastStatus
      guard let end = visit.ends.first else { continue }
      if let drop = visit.drop {
        finding.require(
          status?.accepts ?? false,
          "\(drop.label) follows "
            + (status.map { "\($0.label), which \($0.accepts ? "accepts" : "refuses")" } ?? "no Status"))
      } else if let status, !status.accepts {
        finding.keep("\(end.label) follows \(status.label), which refuses")
      }
    }
    return finding
  }

  func dropAfterStatus() -> Finding {
    var finding = Finding()
    for visit in visits {
      guard let drop = visit.drop, let position = visit.positions.last else { continue }
      let isAnswered = visit.statuses.contains { $0.number > position.number && $0.number < drop.number }
      finding.require(
        isAnswered, "\(drop.label) comes \(isAnswered ? "after" : "before") the Status for \(position.label)")
    }
    return finding
  }

  func dropAfterUngrab() -> Finding {
    var finding = Finding()
    for drop in visits.compactMap(\.drop) {
      guard let isGrabbed = drop.isPointerGrabbed else { continue }
      finding.require(
        !isGrabbed, "\(drop.label) comes while the pointer is \(isGrabbed ? "still grabbed" : "free")")
    }
    return finding
  }

  func dropTime() -> Finding {
    var finding = Finding()
    for visit in visits {
      guard let drop = visit.drop else { continue }
      let time = Timestamp(rawValue: drop.word(2))
      guard time != .currentTime else {
        finding.fail("\(drop.label) has time 0")
        continue
      }
      guard let position = visit.positions.last(where: { $0.word(3) != 0 }) else {
        finding.keep("\(drop.label) has time \(time)")
        continue
      }
      let elapsed = Int(Int32(truncatingIfNeeded: time.rawValue &- position.word(3)))
      let possible = (drop.time - position.time) / 1000 + 5000
      finding.require(
        (0...possible).contains(elapsed),
        "\(drop.label) has time \(time), \(elapsed) ms after that of \(position.label), and came \((drop.time - position.time) / 1000) ms after it"
      )
    }
    return finding
  }

  func unusedWordsZero() -> Finding {
    var finding = Finding()
    for visit in visits {
      check(visit.enter, [(1, 0x00FF_FFFE)], &finding)
      // Bits 0 to 10 are for scrolling since the change of the specification on 2009-06-17.
      for position in visit.positions { check(position, [(1, ~0x7FF)], &finding) }
      for end in visit.ends {
        check(end, (end.kind == "XdndDrop" ? [1, 3, 4] : [1, 2, 3, 4]).map { ($0, ~0) }, &finding)
      }
    }
    return finding
  }

  private func check(_ message: Message, _ places: [(word: Int, mask: UInt32)], _ finding: inout Finding) {
    let wrong = places.first { message.word($0.word) & $0.mask != 0 }
    finding.require(
      wrong == nil,
      wrong.map { "\(message.label) has \(hexadecimal(message.word($0.word))) in word \($0.word)" }
        ?? "\(message.label) has nothing in the others")
  }
}
