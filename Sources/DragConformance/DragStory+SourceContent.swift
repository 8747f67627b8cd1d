import XDnD

/// The checks of how a source serves its selection, in the order of the rules.
extension DragStory {
  func selectionOwned() -> Finding {
    var finding = Finding()
    for visit in visits {
      let limit = visit.timeline.first { $0.kind == "XdndStatus" }?.number ?? .max
      guard
        let owner = owners.first(where: { $0.number > visit.enter.number && $0.number < limit })
          ?? owners.last(where: { $0.number < visit.enter.number })
      else { continue }
      let source = WindowID(rawValue: visit.enter.word(0))
      let evidence =
        "#\(owner.number) XdndSelection belongs to \(owner.window), and \(visit.enter.label) is from \(source)"
      if owner.window == .none {
        finding.fail("#\(owner.number) nobody owns XdndSelection after \(visit.enter.label)")
      } else if owner.window == source {
        finding.keep(evidence)
      } else {
        // In Xorg, with its default limit of 256 clients, the bits above these 21 identify the client.
        let isSameClient = (owner.window.rawValue ^ source.rawValue) & ~0x1F_FFFF == 0
        if isSameClient {
          finding.keep(evidence, remark: "another window of the same program")
        } else {
          finding.fail(evidence)
        }
      }
    }
    return finding
  }

  func selectionKept() -> Finding {
    var finding = Finding()
    for visit in visits {
      guard let drop = visit.drop else { continue }
      let end = visit.finished.first?.number ?? .max
      let first = owners.last { $0.number < drop.number }?.window
      let later = owners.filter { $0.number > drop.number && $0.number < end }
      if let lost = later.first(where: { $0.window == .none || (first != nil && $0.window != first) }) {
        finding.fail("#\(lost.number) XdndSelection belongs to \(lost.window) between \(drop.label) and XdndFinished")
      } else if let last = later.last {
        finding.keep("#\(last.number) XdndSelection still belongs to \(last.window)")
      }
    }
    return finding
  }

  func conversionAnswered() -> Finding {
    var finding = Finding()
    for transfer in transfers {
      if let answer = transfer.answer {
        finding.keep("\(transfer.label) is answered by #\(answer.number)")
      } else if end - transfer.time > 900_000 {
        finding.fail("\(transfer.label) has no answer for \((end - transfer.time) / 1000) ms")
      }
    }
    return finding
  }

  func advertisedDelivered() -> Finding {
    var finding = Finding()
    let missing = unexamined
    for transfer in transfers
    where isOffered(transfer) && !Self.orders.contains(transfer.target) && !isByHiddenRequestor(transfer) {
      if transfer.isRefused {
        finding.fail("\(transfer.label) is offered and refused by #\(transfer.answer?.number ?? 0)")
      } else if let content = transfer.content {
        let evidence = "\(transfer.label) is \(content.byteCount) bytes"
        if missing.types > 0 {
          finding.keep(evidence, remark: "\(missing.types) of \(missing.offered) types were not asked for")
        } else {
          finding.keep(evidence)
        }
      } else if transfer.answer != nil, end - transfer.time > 900_000 {
        finding.fail("\(transfer.label) is answered, and there is no property")
      }
    }
    return finding
  }

  /// The number of types in dropped drags that were not requested, and the number of all types in them.
  private var unexamined: (types: Int, offered: Int) {
    let offered = Set(visits.filter { $0.drop != nil }.flatMap(\.types)).subtracting(Self.orders)
    return (offered.subtracting(transfers.map(\.target)).count, offered.count)
  }

  func hiddenRequestorServed() -> Finding {
    var finding = Finding()
    for transfer in transfers where isOffered(transfer) && isByHiddenRequestor(transfer) {
      let evidence = "\(transfer.label), asked for by window \(transfer.asked.requestor) with time 0, is"
      if transfer.isRefused {
        finding.fail("\(evidence) refused by #\(transfer.answer?.number ?? 0)")
      } else if let content = transfer.content {
        finding.keep("\(evidence) \(content.byteCount) bytes")
      } else if transfer.answer == nil, end - transfer.time > 900_000 {
        finding.fail("\(evidence) not answered")
      }
    }
    return finding
  }

  /// Whether a request comes without a time and from a window that the drag's messages are not addressed to, as those
  /// of GTK 4.
  private func isByHiddenRequestor(_ transfer: Transfer) -> Bool {
    guard let visit = visit(at: transfer.number) else { return false }
    return transfer.asked.time == .currentTime && transfer.asked.requestor != visit.enter.content.window
  }

  func answerFields() -> Finding {
    var finding = Finding()
    for transfer in transfers {
      guard let (number, _, answer) = transfer.answer else { continue }
      let asked = transfer.asked
      let wrong: String? =
        if answer.selection != asked.selection {
          "selection \(answer.selection)"
        } else if answer.target != asked.target {
          "target \(answer.target?.rawValue ?? "None") for \(transfer.target)"
        } else if let property = answer.property, property != asked.property {
          "property \(property) for \(asked.property?.rawValue ?? "None")"
        } else if answer.time != asked.time {
          "time \(answer.time) for \(asked.time)"
        } else {
          nil
        }
      finding.require(wrong == nil, "#\(number) answers #\(transfer.number) with " + (wrong ?? "all its fields"))
    }
    return finding
  }

  func dataType() -> Finding {
    var finding = Finding()
    for transfer in transfers where isOffered(transfer) && !Self.orders.contains(transfer.target) {
      guard let content = transfer.content, transfer.target.contains("/") || transfer.target == "UTF8_STRING" else {
        continue
      }
      let isText = transfer.target.hasPrefix("text/") || transfer.target == "UTF8_STRING"
      finding.require(
        content.type == transfer.target && (!isText || content.format == 8),
        "\(transfer.label) is \(content.type) of format \(content.format)")
    }
    return finding
  }

  func targets() -> Finding {
    var finding = Finding()
    for transfer in transfers where transfer.target == "TARGETS" {
      guard let content = answered(transfer, &finding) else { continue }
      let names = transfer.reads.flatMap(\.names).compactMap { $0?.rawValue }
      let missing = (visit(at: transfer.number)?.types ?? []).filter { !names.contains($0) }
      let required = ["TARGETS", "MULTIPLE", "TIMESTAMP"].filter { !names.contains($0) }
      if content.type != "ATOM" || content.format != 32 {
        finding.fail("\(transfer.label) is \(content.type) of format \(content.format)")
      } else if !missing.isEmpty {
        finding.fail("\(transfer.label) lacks \(missing.joined(separator: ", "))")
      } else if !required.isEmpty {
        finding.keep("\(transfer.label) has \(names.count)", remark: "without \(required.joined(separator: ", "))")
      } else {
        finding.keep("\(transfer.label) has \(names.count)")
      }
    }
    return finding
  }

  func timestamp() -> Finding {
    var finding = Finding()
    for transfer in transfers where transfer.target == "TIMESTAMP" {
      guard let content = answered(transfer, &finding) else { continue }
      guard content.type == "INTEGER", content.format == 32, let word = content.words.first else {
        finding.fail("\(transfer.label) is \(content.type) of format \(content.format)")
        continue
      }
      let time = Timestamp(rawValue: word)
      let owned = owners.last { $0.number < transfer.number && $0.time != .currentTime }?.time
      let position = visit(at: transfer.number)?.positions.first { $0.word(3) != 0 }
      if time == .currentTime {
        finding.fail("\(transfer.label) is 0")
      } else if let owned {
        finding.require(time == owned, "\(transfer.label) is \(time), and the selection was taken at \(owned)")
      } else if let position, time.isLater(than: Timestamp(rawValue: position.word(3))) {
        finding.fail("\(transfer.label) is \(time), after \(position.label) at \(position.word(3))")
      } else {
        finding.keep("\(transfer.label) is \(time)")
      }
    }
    return finding
  }

  func multiple() -> Finding {
    var finding = Finding()
    for transfer in transfers where transfer.target == "MULTIPLE" {
      guard let content = answered(transfer, &finding) else { continue }
      let lists = transfer.asked.property.map { properties($0.rawValue, of: transfer.asked.requestor) } ?? []
      let asked = lists.last { $0.property.change == .written && $0.number < transfer.number }?.property.words ?? []
      let pairs = content.words
      guard pairs.count == asked.count, !pairs.isEmpty else {
        finding.fail("\(transfer.label) has \(pairs.count) atoms for \(asked.count)")
        continue
      }
      // The first pair names an offered type, the last one does not. ICCCM 2.6.2 leaves open which atom of a pair
      // becomes None: OpenJDK replaces the target, most others the property.
      if pairs.prefix(2).contains(0) {
        finding.fail("\(transfer.label) does not deliver a type that is offered")
      } else if pairs.count > 2, !pairs.suffix(2).contains(0) {
        finding.fail("\(transfer.label) does not put None where a type is not offered")
      } else {
        finding.keep("\(transfer.label) delivers what is offered, and has None for what is not")
      }
    }
    return finding
  }

  /// The content of an answer to a target that ICCCM 2.6.2 demands. A refusal or no answer is a failure.
  private func answered(_ transfer: Transfer, _ finding: inout Finding) -> Content? {
    if transfer.isRefused { finding.fail("\(transfer.label) is refused by #\(transfer.answer?.number ?? 0)") }
    if transfer.answer == nil, end - transfer.time > 900_000 { finding.fail("\(transfer.label) is not answered") }
    return transfer.content
  }

  func unadvertisedRefused() -> Finding {
    var finding = Finding()
    for transfer in transfers where !isOffered(transfer) && !Self.orders.contains(transfer.target) {
      if transfer.isRefused {
        finding.keep("\(transfer.label) is refused by #\(transfer.answer?.number ?? 0)")
      } else if let content = transfer.content {
        finding.fail("\(transfer.label) is not offered, and delivered with \(content.byteCount) bytes")
      } else if transfer.answer == nil, end - transfer.time > 900_000 {
        finding.fail("\(transfer.label) is not offered, and has no answer")
      }
    }
    return finding
  }

  func directSave() -> Finding {
    var finding = Finding()
    for visit in visits where visit.types.contains("XdndDirectSave0") {
      let window = WindowID(rawValue: visit.enter.word(0))
      // Whether the property exists is known only if the recorder has read it.
      let name = properties("XdndDirectSave0", of: window).first {
        $0.number > visit.enter.number && $0.property.change == .read
      }
      if let (number, property) = name {
        let leaf = String(decoding: property.bytes.prefix { $0 != 0 }, as: UTF8.self)
        let type = property.type?.rawValue ?? "None"
        finding.require(
          !leaf.isEmpty && !leaf.utf8.contains(UInt8(ascii: "/")) && leaf != "." && leaf != ".."
            && type.hasPrefix("text/plain"), "#\(number) XdndDirectSave0 is \(type): \(leaf)")
      }
    }
    for transfer in transfers where transfer.target == "XdndDirectSave0" {
      guard let content = answered(transfer, &finding) else { continue }
      let letter = String(decoding: content.bytes.prefix(1), as: UTF8.self)
      finding.require(["S", "F", "E"].contains(letter), "\(transfer.label) is answered with \(letter)")
    }
    return finding
  }

  /// Whether any visit of the source offers the type that a conversion requests.
  func isOffered(_ transfer: Transfer) -> Bool { visits.contains { $0.types.contains(transfer.target) } }

  /// Targets that request no content.
  static let orders: Set<String> = ["TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE", "SAVE_TARGETS", "XdndDirectSave0"]
}

extension DragStory {
  /// The content of a transfer.
  struct Content {
    var type: String
    var format: Int
    /// The beginning of the content; recordings cut long content.
    var bytes: [UInt8]
    var byteCount: Int
    var words: [UInt32]
    var isWhole: Bool { bytes.count == byteCount }
  }
}

extension DragStory.Transfer {
  /// The reads of the property after the answer.
  var reads: [WireEvent.Property] {
    steps.filter { $0.property.change == .read && $0.number > answer?.number ?? .max }.map(\.property)
  }

  var isIncremental: Bool { reads.first?.type?.rawValue == "INCR" }

  /// The reads of an INCR transfer. Each part may have been read in several steps.
  var parts: [WireEvent.Property] { isIncremental ? Array(reads.dropFirst()) : [] }

  var content: DragStory.Content? {
    let all = isIncremental ? parts : reads
    guard let first = all.first else { return nil }
    return DragStory.Content(
      type: first.type?.rawValue ?? "None", format: first.format, bytes: all.flatMap(\.bytes),
      byteCount: all.reduce(0) { $0 + $1.byteCount }, words: all.flatMap(\.words))
  }
}

extension WireEvent.Property {
  /// The 32-bit units of a property of format 32; otherwise empty.
  var words: [UInt32] {
    guard format == 32 else { return [] }
    return stride(from: 0, to: bytes.count - 3, by: 4).map { start in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt32.self) }
    }
  }
}
