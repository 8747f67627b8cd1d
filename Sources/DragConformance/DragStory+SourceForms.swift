import XDnD

/// The checks of the content that a source delivers.
extension DragStory {
  func uriListForm() -> Finding {
    var finding = Finding()
    for transfer in transfers where transfer.target == "text/uri-list" {
      guard let content = transfer.content, content.format == 8, !content.bytes.isEmpty else { continue }
      let bytes = content.bytes
      let isLoneFeed = bytes.indices.contains { bytes[$0] == 0x0A && ($0 == 0 || bytes[$0 - 1] != 0x0D) }
      if bytes.contains(0) {
        finding.fail("\(transfer.label) has a NUL among \(bytes.count) bytes")
      } else if isLoneFeed {
        finding.fail("\(transfer.label) has a line that ends with LF alone")
      } else if let raw = bytes.first(where: { $0 == 0x20 || $0 > 0x7E || ($0 < 0x20 && $0 != 0x0A && $0 != 0x0D) }),
        !bytes.starts(with: [UInt8(ascii: "#")])
      {
        finding.fail("\(transfer.label) has byte \(hexadecimal(UInt32(raw))) unescaped")
      } else if content.isWhole, bytes.last != 0x0A {
        finding.keep("\(transfer.label) is \(bytes.count) bytes", remark: "the last line does not end with CR LF")
      } else {
        finding.keep("\(transfer.label) is \(bytes.count) bytes, and its lines end with CR LF")
      }
    }
    return finding
  }

  func textForm() -> Finding {
    var finding = Finding()
    for transfer in transfers {
      let isUTF8 = transfer.target == "UTF8_STRING" || transfer.target.lowercased().hasSuffix("charset=utf-8")
      let isText = ["text/plain", "STRING", "text/html"].contains(transfer.target)
      guard isUTF8 || isText, let content = transfer.content, content.format == 8, content.isWhole else { continue }
      if isUTF8, String(validating: content.bytes, as: UTF8.self) == nil {
        finding.fail("\(transfer.label) is not UTF-8")
      } else if content.bytes.last == 0, content.bytes.count % 2 == 1 || !content.bytes.dropLast().contains(0) {
        // UTF-16, in which some sources send HTML, contains many NUL bytes.
        finding.fail("\(transfer.label) ends with a NUL")
      } else {
        finding.keep("\(transfer.label) is \(content.byteCount) bytes")
      }
    }
    return finding
  }

  func incrForm() -> Finding {
    var finding = Finding()
    for transfer in transfers where transfer.isIncremental {
      let parts = transfer.parts
      let total = parts.reduce(0) { $0 + $1.byteCount }
      let announced = Int(transfer.reads.first?.words.first ?? 0)
      if let odd = parts.first(where: { $0.type != parts.first?.type || $0.format != parts.first?.format }) {
        finding.fail(
          "\(transfer.label) has parts of type \(parts[0].type?.rawValue ?? "None") and \(odd.type?.rawValue ?? "None")"
        )
      } else if parts.last?.byteCount != 0 {
        if end - (transfer.steps.last?.time ?? end) > 900_000 {
          finding.fail("\(transfer.label) stops after \(total) bytes, without an empty part")
        }
      } else if announced > total {
        finding.fail("\(transfer.label) announces \(announced) bytes and sends \(total)")
      } else {
        finding.keep("\(transfer.label) is \(total) bytes in \(parts.count - 1) parts")
      }
    }
    return finding
  }
}
