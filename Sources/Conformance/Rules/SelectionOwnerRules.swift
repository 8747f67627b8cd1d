import XDnD

/// How a source, as the owner of `XdndSelection`, answers conversion requests.
enum SelectionOwnerRules {
  static let all = [
    conversionAnswered, advertisedDelivered, hiddenRequestorServed, answerFields, dataType, targets, timestamp,
    multiple, unadvertisedRefused,
  ]

  static let conversionAnswered = ConformanceRule(
    "conversion-answered", of: .source, "Each conversion is answered, also when it is refused.",
    from: "ICCCM 2.2", unseen: "no request", each: \.transfers
  ) { transfer, trace, result in
    if let answer = transfer.answer {
      result.pass("\(transfer.label) is answered by #\(answer.number)")
    } else if trace.isOverdue(since: transfer.time) {
      result.fail("\(transfer.label) has no answer for \((trace.end - transfer.time) / 1000) ms")
    }
  }

  static let advertisedDelivered = ConformanceRule(
    "advertised-delivered", of: .source, "Each type that is offered is delivered.",
    from: "XDND, XdndEnter", peers: ["winit 874a1e3"], unseen: "no request for a type that is offered"
  ) { trace, result in
    let missing = unrequestedTypes(in: trace)
    for transfer in trace.contentTransfers
    where trace.isOffered(transfer) && !isByHiddenRequestor(transfer, in: trace) {
      switch trace.delivery(of: transfer) {
      case .refused(let answer): result.fail("\(transfer.label) is offered and refused by #\(answer)")
      case .content(let content):
        result.pass(
          "\(transfer.label) is \(content.byteCount) bytes",
          remark: "\(missing.count) of \(missing.offered) types were not asked for", if: missing.count > 0)
      case .missing: result.fail("\(transfer.label) is answered, and there is no property")
      case .unanswered, .open: break
      }
    }
  }

  static let hiddenRequestorServed = ConformanceRule(
    "hidden-requestor-served", of: .source,
    "Content is delivered also to a window that is not the target's, and asks with time 0.",
    from: "as GTK 4 asks", peers: ["GTK 4.8.3", "Qt 5.15.8", "Qt 6.4.2", "Qt 6.12.0"], isAdvice: true,
    unseen: "no request with time 0 from another window", each: \.transfers
  ) { transfer, trace, result in
    guard trace.isOffered(transfer), isByHiddenRequestor(transfer, in: trace) else { return }
    let evidence = "\(transfer.label), asked for by window \(transfer.asked.requestor) with time 0, is"
    switch trace.delivery(of: transfer) {
    case .refused(let answer): result.fail("\(evidence) refused by #\(answer)")
    case .content(let content): result.pass("\(evidence) \(content.byteCount) bytes")
    case .unanswered: result.fail("\(evidence) not answered")
    case .missing, .open: break
    }
  }

  static let answerFields = ConformanceRule(
    "answer-fields", of: .source, "An answer repeats selection, target and time, and names the property or None.",
    from: "ICCCM 2.2", unseen: "no answer to a request", each: \.transfers
  ) { transfer, _, result in
    guard let (number, _, answer) = transfer.answer else { return }
    let asked = transfer.asked
    let wrong: String? =
      if answer.selection != asked.selection {
        "selection \(answer.selection)"
      } else if answer.target != asked.target {
        "target \(answer.target.orNone) for \(transfer.target)"
      } else if let property = answer.property, property != asked.property {
        "property \(property) for \(asked.property.orNone)"
      } else if answer.time != asked.time {
        "time \(answer.time) for \(asked.time)"
      } else {
        nil
      }
    result.require(wrong == nil, "#\(number) answers #\(transfer.number) with " + (wrong ?? "all its fields"))
  }

  static let dataType = ConformanceRule(
    "data-type", of: .source, "The property has the type that was asked for.",
    from: "ICCCM 2.6.2", unseen: "no content of a type whose property has to be of the same", each: \.contentTransfers
  ) { transfer, trace, result in
    guard trace.isOffered(transfer) else { return }
    guard let content = transfer.content, transfer.target.contains("/") || transfer.target == "UTF8_STRING" else {
      return
    }
    let isText = transfer.target.hasPrefix("text/") || transfer.target == "UTF8_STRING"
    result.require(
      content.type == transfer.target && (!isText || content.format == 8),
      "\(transfer.label) is \(content.type) of format \(content.format)")
  }

  static let targets = ConformanceRule(
    "targets", of: .source, "TARGETS is a list of atoms that has all types that are offered.",
    from: "ICCCM 2.6.2", peers: ["Qt 5.15.8", "Qt 6.4.2"], unseen: "no request for TARGETS", each: \.transfers
  ) { transfer, trace, result in
    guard transfer.target == "TARGETS", let content = requiredContent(of: transfer, in: trace, &result) else { return }
    let names = transfer.reads.flatMap(\.names).compactMap { $0?.rawValue }
    let missing = (trace.visit(at: transfer.number)?.types ?? []).filter { !names.contains($0) }
    let required = ["TARGETS", "MULTIPLE", "TIMESTAMP"].filter { !names.contains($0) }
    if content.type != "ATOM" || content.format != 32 {
      result.fail("\(transfer.label) is \(content.type) of format \(content.format)")
    } else if !missing.isEmpty {
      result.fail("\(transfer.label) lacks \(missing.joined(separator: ", "))")
    } else {
      result.pass(
        "\(transfer.label) has \(names.count)", remark: "without \(required.joined(separator: ", "))",
        if: !required.isEmpty)
    }
  }

  static let timestamp = ConformanceRule(
    "timestamp", of: .source, "TIMESTAMP is the time at which the selection was taken.",
    from: "ICCCM 2.6.2", peers: ["Qt 5.15.8", "Qt 6.4.2"], unseen: "no request for TIMESTAMP", each: \.transfers
  ) { transfer, trace, result in
    guard transfer.target == "TIMESTAMP" else { return }
    guard let content = requiredContent(of: transfer, in: trace, &result) else { return }
    guard content.type == "INTEGER", content.format == 32, let word = content.words.first else {
      return result.fail("\(transfer.label) is \(content.type) of format \(content.format)")
    }
    let time = Timestamp(rawValue: word)
    let owned = trace.owners.last { $0.number < transfer.number && $0.time != .currentTime }?.time
    let position = trace.visit(at: transfer.number)?.positions.first { $0.word(3) != 0 }
    if time == .currentTime {
      result.fail("\(transfer.label) is 0")
    } else if let owned {
      result.require(time == owned, "\(transfer.label) is \(time), and the selection was taken at \(owned)")
    } else if let position, time.isLater(than: position.xdnd.positionTime) {
      result.fail("\(transfer.label) is \(time), after \(position.label) at \(position.word(3))")
    } else {
      result.pass("\(transfer.label) is \(time)")
    }
  }

  static let multiple = ConformanceRule(
    "multiple", of: .source, "MULTIPLE delivers the listed types, and puts None for each that it does not.",
    from: "ICCCM 2.6.2", peers: ["Qt 5.15.8", "Qt 6.4.2"], unseen: "no request for MULTIPLE", each: \.transfers
  ) { transfer, trace, result in
    guard transfer.target == "MULTIPLE", let content = requiredContent(of: transfer, in: trace, &result) else { return }
    let lists = transfer.asked.property.map { trace.properties($0.rawValue, of: transfer.asked.requestor) } ?? []
    let asked = lists.last { $0.property.change == .written && $0.number < transfer.number }?.property.words ?? []
    let pairs = content.words
    guard pairs.count == asked.count, !pairs.isEmpty else {
      return result.fail("\(transfer.label) has \(pairs.count) atoms for \(asked.count)")
    }
    // The first pair names an offered type, the last one does not. ICCCM 2.6.2 leaves open which atom of a pair
    // becomes None: OpenJDK replaces the target, most others the property.
    if pairs.prefix(2).contains(0) {
      result.fail("\(transfer.label) does not deliver a type that is offered")
    } else if pairs.count > 2, !pairs.suffix(2).contains(0) {
      result.fail("\(transfer.label) does not put None where a type is not offered")
    } else {
      result.pass("\(transfer.label) delivers what is offered, and has None for what is not")
    }
  }

  static let unadvertisedRefused = ConformanceRule(
    "unadvertised-refused", of: .source, "A type that is not offered is refused.",
    from: "ICCCM 2.2", unseen: "no request for a type that is not offered", each: \.contentTransfers
  ) { transfer, trace, result in
    guard !trace.isOffered(transfer) else { return }
    switch trace.delivery(of: transfer) {
    case .refused(let answer): result.pass("\(transfer.label) is refused by #\(answer)")
    case .content(let content):
      result.fail("\(transfer.label) is not offered, and delivered with \(content.byteCount) bytes")
    case .unanswered: result.fail("\(transfer.label) is not offered, and has no answer")
    case .missing, .open: break
    }
  }

  /// The number of types in dropped drags that were not requested, and the number of all types in these drags.
  private static func unrequestedTypes(in trace: DragTrace) -> (count: Int, offered: Int) {
    let offered = Set(trace.drops.flatMap(\.visit.types)).subtracting(ContentTransfer.otherTargets)
    return (offered.subtracting(trace.transfers.map(\.target)).count, offered.count)
  }

  /// Whether a request has time 0 and comes from a window other than the drag's target, as in GTK 4.
  private static func isByHiddenRequestor(_ transfer: ContentTransfer, in trace: DragTrace) -> Bool {
    guard let visit = trace.visit(at: transfer.number) else { return false }
    return transfer.asked.time == .currentTime && transfer.asked.requestor != visit.enter.content.window
  }

  /// Returns the content of a target that ICCCM 2.6.2 or XDS requires. A refusal or a missing answer breaks the rule.
  static func requiredContent(
    of transfer: ContentTransfer, in trace: DragTrace, _ result: inout RuleResult
  ) -> ContentTransfer.Content? {
    if transfer.isRefused { result.fail("\(transfer.label) is refused by #\(transfer.answer?.number ?? 0)") }
    if transfer.answer == nil, trace.isOverdue(since: transfer.time) {
      result.fail("\(transfer.label) is not answered")
    }
    return transfer.content
  }
}
