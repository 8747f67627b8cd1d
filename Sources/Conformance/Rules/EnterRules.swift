import XDnD

/// How a source enters: `XdndEnter`, its types and the selection.
enum EnterRules {
  static let all = [enterVersion, enterFirst, sourceWindow, typeListBit, typeListNames, inlineTypes, selectionOwned]

  static let enterVersion = ConformanceRule(
    "enter-version", of: .source, "XdndEnter names the smaller of both versions, and one from 3 to 5.",
    from: "XDND, XdndEnter", peers: ["GTK 4.16.1", "Chromium 132", "Mutter 014cde6", "wlroots 0855cda"],
    unseen: "no XdndEnter"
  ) { trace, result in
    let aware = trace.properties("XdndAware").first?.property.words.first.map(Int.init) ?? 5
    for visit in trace.visits {
      result.require(
        (3...max(3, min(5, aware))).contains(visit.version),
        "\(visit.enter.label) says version \(visit.version), and the target \(aware)")
    }
  }

  static let enterFirst = ConformanceRule(
    "enter-first", of: .source, "Position, Leave and Drop come only after XdndEnter, and not after Leave or Drop.",
    from: "XDND, example walk-through", unseen: "nothing that comes after an XdndEnter"
  ) { trace, result in
    for stray in trace.strays { result.fail("\(stray.label) belongs to no XdndEnter") }
    for visit in trace.visits {
      if let first = visit.positions.first ?? visit.ends.first {
        result.pass("\(visit.enter.label) before \(first.label)")
      }
    }
  }

  static let sourceWindow = ConformanceRule(
    "source-window", of: .source, "The first word of each message is the source's window, one for the whole visit.",
    from: "XDND, client messages", unseen: "no XdndEnter", each: \.visits
  ) { visit, _, result in
    let window = visit.enter.word(0)
    result.require(window != 0, "\(visit.enter.label) says window \(hexadecimal(window))")
    for message in visit.positions + visit.ends {
      result.require(
        message.word(0) == window,
        "\(message.label) says \(hexadecimal(message.word(0))), #\(visit.enter.number) \(hexadecimal(window))")
    }
  }

  static let typeListBit = ConformanceRule(
    "type-list-bit", of: .source, "With more than three types bit 0 of XdndEnter is set, and XdndTypeList is there.",
    from: "XDND, XdndEnter", peers: ["Mutter 014cde6"], unseen: "no XdndEnter, or no look at XdndTypeList",
    each: \.visits
  ) { visit, trace, result in
    let list = trace.typeList(for: visit)?.property
    let count = list?.names.count
    // A list that begins with other types is left over from an earlier drag.
    let isPresent = list?.names.prefix(3).map(\.?.rawValue) == visit.inlineTypes.map(Optional.some)
    switch (visit.hasTypeList, count) {
    // The recorder has not read the list.
    case (true, nil): break
    case (true, 0): result.fail("\(visit.enter.label) sets bit 0, and there is no XdndTypeList")
    case (true, let count?) where count <= 3:
      result.pass("\(visit.enter.label) sets bit 0", remark: "with \(count) types nothing demands it")
    case (true, let count?): result.pass("\(visit.enter.label) sets bit 0 for \(count) types")
    case (false, let count?) where count > 3 && isPresent:
      result.fail("\(visit.enter.label) does not set bit 0, and XdndTypeList has \(count) types")
    case (false, _): result.pass("\(visit.enter.label) has all \(visit.inlineTypes.count) types in itself")
    }
  }

  static let typeListNames = ConformanceRule(
    "type-list-names", of: .source, "XdndTypeList is a list of atoms, of format 32, and each of them has a name.",
    from: "XDND, XdndTypeList", peers: ["SDL 3 (38aace9)"], unseen: "no XdndEnter that points to XdndTypeList",
    each: \.visits
  ) { visit, trace, result in
    guard visit.hasTypeList, let (number, list) = trace.typeList(for: visit) else { return }
    if let fault = list.atomListFault(at: number) {
      result.fail(fault)
    } else {
      result.pass(
        "#\(number) XdndTypeList has \(list.names.count) types", remark: "some of them twice",
        if: Set(list.names).count < list.names.count)
    }
  }

  static let inlineTypes = ConformanceRule(
    "inline-types", of: .source, "XdndEnter itself holds the first three types; only unused places are None.",
    from: "XDND, XdndEnter", peers: ["GTK 3.24.38", "wxWidgets 3.2", "Mutter 014cde6"], unseen: "no XdndEnter",
    each: \.visits
  ) { visit, _, result in
    let words = [2, 3, 4].map(visit.enter.word)
    let used = words.prefix { $0 != 0 }.count
    let list = visit.hasTypeList ? visit.types : []
    let expected = visit.hasTypeList ? min(3, list.count) : 1
    if words.dropFirst(used).contains(where: { $0 != 0 }) {
      result.fail("\(visit.enter.label) has a type behind an empty place: \(words.map(hexadecimal))")
    } else if used < expected {
      result.fail("\(visit.enter.label) has \(used) types in itself" + (list.isEmpty ? "" : " of \(list.count)"))
    } else if visit.inlineTypes.count < used {
      result.fail("\(visit.enter.label) has a type that is no atom: \(words.map(hexadecimal))")
    } else if let wrong = visit.inlineTypes.first(where: { !list.isEmpty && !list.contains($0) }) {
      result.fail("\(visit.enter.label) has \(wrong), which is not in XdndTypeList")
    } else {
      result.pass("\(visit.enter.label) has \(visit.inlineTypes.joined(separator: ", "))")
    }
  }

  static let selectionOwned = ConformanceRule(
    "selection-owned", of: .source, "The source owns XdndSelection before it sends XdndEnter.",
    from: "XDND, example walk-through, step 1", peers: ["KWin 035ea75", "Mutter 014cde6"],
    unseen: "no look at the owner of XdndSelection", each: \.visits
  ) { visit, trace, result in
    let limit = visit.timeline.first { $0.kind == .status }?.number ?? .max
    guard
      let owner = trace.owners.first(where: { $0.number > visit.enter.number && $0.number < limit })
        ?? trace.owners.last(where: { $0.number < visit.enter.number })
    else { return }
    let source = visit.enter.xdnd.sender
    let evidence =
      "#\(owner.number) XdndSelection belongs to \(owner.window), and \(visit.enter.label) is from \(source)"
    if owner.window == .none {
      result.fail("#\(owner.number) nobody owns XdndSelection after \(visit.enter.label)")
    } else if ClientID(of: owner.window, resourceMask: xorgMask) == ClientID(of: source, resourceMask: xorgMask) {
      result.pass(evidence, remark: "another window of the same program", if: owner.window != source)
    } else {
      result.fail(evidence)
    }
  }

  /// The bits of a window's ID that clients choose in Xorg, with its default limit of 256 clients.
  private static let xorgMask: UInt32 = 0x1F_FFFF
}
