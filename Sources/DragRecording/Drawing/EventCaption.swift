import XDnD

/// The text of an event in a diagram.
struct EventCaption: Equatable {
  /// The text above the arrow, up to half a line.
  var label: String
  /// Further lines below the arrow.
  var details: [String] = []
}

extension WireEvent.Action {
  var caption: EventCaption {
    switch self {
    case .message(let message): return message.caption
    case .conversion(let conversion):
      return EventCaption(
        label: "\(conversion.target?.rawValue ?? "None"), please",
        details: [
          "ConvertSelection \(conversion.selection)"
            + (conversion.property.map { " into \($0)" } ?? "") + ", at \(conversion.time)"
        ])
    case .converted(let answer):
      return EventCaption(
        label: answer.property == nil
          ? "refused: \(answer.target?.rawValue ?? "None")" : "\(answer.target?.rawValue ?? "None") is there",
        details: [
          "SelectionNotify" + (answer.property.map { " in \($0)" } ?? ", property None")
        ])
    case .owner(let selection, .none, _): return EventCaption(label: "nobody has \(selection)")
    case .owner(let selection, let window, _): return EventCaption(label: "\(selection) belongs to \(window)")
    case .property(let property): return property.caption
    case .vanished(let window): return EventCaption(label: "window \(window) is gone")
    }
  }
}

extension WireEvent.Message {
  /// The name of the action atom in a word of the message. The specification's actions lose their prefix: `copy` for
  /// `XdndActionCopy`.
  func action(at place: Int) -> String {
    let name = names[place]?.rawValue ?? (words[place] == 0 ? "nothing" : Hexadecimal.text(words[place]))
    let prefix = "XdndAction"
    return name.hasPrefix(prefix) && name.count > prefix.count ? name.dropFirst(prefix.count).lowercased() : name
  }

  /// The answer of an `XdndStatus`: the action, or `no`.
  var answer: String { xdnd.isAcceptance ? action(at: 4) : "no" }

  fileprivate var caption: EventCaption {
    let proxy = destination.map { [", by \($0)"] }?.joined() ?? ""
    switch kind {
    case .enter:
      let types = inlineTypes.map(\.rawValue)
      return EventCaption(
        label: "\(type), version \(xdnd.statedVersion)\(proxy)",
        details: [
          (types + (xdnd.hasTypeList ? [types.isEmpty ? "types in XdndTypeList" : "more in XdndTypeList"] : []))
            .joined(separator: ", ")
        ])
    case .position:
      return EventCaption(
        label: "\(type) \(xdnd.point), \(action(at: 4))\(proxy)", details: ["at \(xdnd.positionTime)"])
    case .status:
      let wanted = xdnd.wantsPositionsInside ? ", tell all positions" : ""
      let quiet = xdnd.quietRegion
      return EventCaption(
        label: "\(type): \(answer)\(wanted)",
        details: quiet.isEmpty ? [] : ["none within \(quiet.width)×\(quiet.height) at \(quiet.origin)"])
    case .drop: return EventCaption(label: "\(type)\(proxy)", details: ["at \(xdnd.dropTime)"])
    case .finished:
      return EventCaption(
        label: "\(type): " + (xdnd.isSuccess ? "done, \(action(at: 2))" : "failed, or before version 5"))
    case .leave: return EventCaption(label: "\(type)\(proxy)")
    case nil:
      return EventCaption(label: type.rawValue + proxy, details: [words.map(Hexadecimal.text).joined(separator: " ")])
    }
  }
}

extension WireEvent.Property {
  fileprivate var caption: EventCaption {
    let verb =
      switch change {
      case .written: "writes"
      case .read: "reads"
      case .deleted: "deletes"
      case .changed: "changed:"
      case .removed: "deleted:"
      }
    var details: [String] = []
    if !names.isEmpty {
      details = [names.map { $0?.rawValue ?? "None" }.joined(separator: ", ")]
    } else if format > 0 {
      details = [
        "\(type?.rawValue ?? "None"), \(byteCount) byte\(byteCount == 1 ? "" : "s")"
          + (offset > 0 ? " from \(offset)" : "")
      ]
      if format == 32, (1...16).contains(bytes.count) {
        details.append(words.map(Hexadecimal.text).joined(separator: " "))
      } else if format == 8, !bytes.isEmpty, let text = String(validating: bytes.prefix(200), as: UTF8.self) {
        details.append("“\(text.prefix(60))\(text.count > 60 || byteCount > 200 ? "…" : "")”")
      }
    } else if change == .read {
      details = ["there is none"]
    }
    return EventCaption(label: "\(verb) \(name)", details: details)
  }
}
