import XDnD

/// A source's part in direct save (XDS).
enum DirectSaveRules {
  static let all = [directSave]

  static let directSave = ConformanceRule(
    "direct-save", of: .source,
    "XdndDirectSave0 is also a property with a bare file name, and its conversion answers S, F or E.",
    from: "XDS (Direct Save)", peers: ["Emacs", "ROX-Filer dbc7794", "Thunar b1d2264"],
    unseen: "no offer of XdndDirectSave0"
  ) { trace, result in
    for visit in trace.visits where visit.types.contains("XdndDirectSave0") {
      let window = visit.enter.xdnd.sender
      // Whether the property exists is known only if the recorder has read it.
      let name = trace.properties("XdndDirectSave0", of: window).first {
        $0.number > visit.enter.number && $0.property.change == .read
      }
      if let (number, property) = name {
        let leaf = String(decoding: property.bytes.prefix { $0 != 0 }, as: UTF8.self)
        let type = property.type.orNone
        result.require(
          !leaf.isEmpty && !leaf.utf8.contains(UInt8(ascii: "/")) && leaf != "." && leaf != ".."
            && type.hasPrefix("text/plain"), "#\(number) XdndDirectSave0 is \(type): \(leaf)")
      }
    }
    for transfer in trace.transfers where transfer.target == "XdndDirectSave0" {
      guard let content = SelectionOwnerRules.requiredContent(of: transfer, in: trace, &result) else { continue }
      let letter = String(decoding: content.bytes.prefix(1), as: UTF8.self)
      result.require(["S", "F", "E"].contains(letter), "\(transfer.label) is answered with \(letter)")
    }
  }
}
