import XDnD

/// The formats of a source's content and messages.
enum SourceFormatRules {
  static let all = [uriListForm, textForm, incrForm, unusedWordsZero]

  static let uriListForm = ConformanceRule(
    "uri-list-form", of: .source, "text/uri-list has escaped URIs, each on a line that ends with CR LF.",
    from: "RFC 2483", peers: ["Chromium 132"], unseen: "no text/uri-list that was delivered", each: \.transfers
  ) { transfer, _, result in
    guard transfer.target == "text/uri-list" else { return }
    guard let content = transfer.content, content.format == 8, !content.bytes.isEmpty else { return }
    let bytes = content.bytes
    let uris = bytes.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }.joined()
    let isLoneFeed = bytes.indices.contains { bytes[$0] == 0x0A && ($0 == 0 || bytes[$0 - 1] != 0x0D) }
    if bytes.contains(0) {
      result.fail("\(transfer.label) has a NUL among \(bytes.count) bytes")
    } else if isLoneFeed {
      result.fail("\(transfer.label) has a line that ends with LF alone")
    } else if let raw = uris.first(where: { $0 <= 0x20 && $0 != 0x0D || $0 > 0x7E }) {
      result.fail("\(transfer.label) has byte \(hexadecimal(UInt32(raw))) unescaped")
    } else if content.isWhole, bytes.last != 0x0A {
      result.pass("\(transfer.label) is \(bytes.count) bytes", remark: "the last line does not end with CR LF")
    } else {
      result.pass("\(transfer.label) is \(bytes.count) bytes, and its lines end with CR LF")
    }
  }

  static let textForm = ConformanceRule(
    "text-form", of: .source, "Text that is called UTF-8 is UTF-8, and no text ends with a NUL.",
    from: "XDND, data types", peers: ["Qt 6"], unseen: "no text that was delivered whole", each: \.transfers
  ) { transfer, _, result in
    let isUTF8 = transfer.target == "UTF8_STRING" || transfer.target.lowercased().hasSuffix("charset=utf-8")
    let isText = ["text/plain", "STRING", "text/html"].contains(transfer.target)
    guard isUTF8 || isText, let content = transfer.content, content.format == 8, content.isWhole else { return }
    if isUTF8, String(validating: content.bytes, as: UTF8.self) == nil {
      result.fail("\(transfer.label) is not UTF-8")
    } else if content.bytes.last == 0, content.bytes.count % 2 == 1 || !content.bytes.dropLast().contains(0) {
      // UTF-16, in which some sources send HTML, contains many NUL bytes.
      result.fail("\(transfer.label) ends with a NUL")
    } else {
      result.pass("\(transfer.label) is \(content.byteCount) bytes")
    }
  }

  static let incrForm = ConformanceRule(
    "incr-form", of: .source, "INCR announces no more than it sends, keeps to one type, and ends with an empty part.",
    from: "ICCCM 2.7.2", unseen: "no content that came in parts (INCR)", each: \.transfers
  ) { transfer, trace, result in
    guard transfer.isIncremental else { return }
    let parts = transfer.parts
    let total = parts.reduce(0) { $0 + $1.byteCount }
    let announced = Int(transfer.reads.first?.words.first ?? 0)
    if let odd = parts.first(where: { $0.type != parts.first?.type || $0.format != parts.first?.format }) {
      result.fail(
        "\(transfer.label) has parts of type \(parts[0].type.orNone) and \(odd.type.orNone)"
      )
    } else if parts.last?.byteCount != 0 {
      if trace.isOverdue(since: transfer.steps.last?.time ?? trace.end) {
        result.fail("\(transfer.label) stops after \(total) bytes, without an empty part")
      }
    } else if announced > total {
      result.fail("\(transfer.label) announces \(announced) bytes and sends \(total)")
    } else {
      result.pass("\(transfer.label) is \(total) bytes in \(parts.count - 1) parts")
    }
  }

  static let unusedWordsZero = ConformanceRule(
    "unused-words-zero", of: .source, "Words and bits without a meaning are 0.",
    from: "XDND, client messages", unseen: "no XdndEnter", each: \.visits
  ) { visit, _, result in
    check(visit.enter, [(1, 0x00FF_FFFE)], &result)
    // Bits 0 to 10 are for scrolling since the change of the specification on 2009-06-17.
    for position in visit.positions { check(position, [(1, ~0x7FF)], &result) }
    for end in visit.ends {
      check(end, (end.kind == .drop ? [1, 3, 4] : [1, 2, 3, 4]).map { ($0, ~0) }, &result)
    }
  }

  private static func check(
    _ message: RecordedMessage, _ places: [(word: Int, mask: UInt32)], _ result: inout RuleResult
  ) {
    let wrong = places.first { message.word($0.word) & $0.mask != 0 }
    result.require(
      wrong == nil,
      wrong.map { "\(message.label) has \(hexadecimal(message.word($0.word))) in word \($0.word)" }
        ?? "\(message.label) has nothing in the others")
  }
}
