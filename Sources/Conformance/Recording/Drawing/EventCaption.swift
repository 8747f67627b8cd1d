import XDnD

/// The text of an event in a diagram.
struct EventCaption: Equatable {
  /// The text above the arrow, on one line.
  var label: String
  /// Further lines below the arrow.
  var details: [String]

  init(_ label: String, _ details: String...) {
    self.label = label
    self.details = details
  }
}

extension WireEvent.Action {
  var caption: EventCaption {
    switch self {
    case .message(let message): return message.caption
    case .conversion(let conversion):
      let place = conversion.property.map { " into \($0)" } ?? ""
      return EventCaption(
        "\(conversion.target.orNone), please",
        "ConvertSelection \(conversion.selection)\(place), at \(conversion.time)")
    case .converted(let answer):
      guard let property = answer.property else {
        return EventCaption("refused: \(answer.target.orNone)", "SelectionNotify, property None")
      }
      return EventCaption("\(answer.target.orNone) is there", "SelectionNotify in \(property)")
    case .owner(let selection, .none, _): return EventCaption("\(selection) has no owner")
    case .owner(let selection, let window, _): return EventCaption("\(selection) belongs to \(window)")
    case .property(let property): return property.caption
    case .vanished(let window): return EventCaption("window \(window) is gone")
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
    let proxy = destination.map { ", by \($0)" } ?? ""
    switch kind {
    case .enter:
      let types = inlineTypes.map(\.rawValue)
      let list = xdnd.hasTypeList ? [types.isEmpty ? "types in XdndTypeList" : "more in XdndTypeList"] : []
      return EventCaption(
        "\(type), version \(xdnd.statedVersion)\(proxy)", (types + list).joined(separator: ", "))
    case .position:
      return EventCaption("\(type) \(xdnd.point), \(action(at: 4))\(proxy)", "at \(xdnd.positionTime)")
    case .status:
      var caption = EventCaption("\(type): \(answer)" + (xdnd.wantsPositionsInside ? ", tell all positions" : ""))
      let region = xdnd.statusRegion
      if !region.isEmpty {
        let effect = xdnd.wantsPositionsInside ? "marks" : "none within"
        caption.details = ["\(effect) \(region.width)×\(region.height) at \(region.origin)"]
      }
      return caption
    case .drop: return EventCaption("\(type)\(proxy)", "at \(xdnd.dropTime)")
    case .finished:
      return EventCaption("\(type): " + (xdnd.isSuccess ? "done, \(action(at: 2))" : "failed, or before version 5"))
    case .leave: return EventCaption("\(type)\(proxy)")
    case nil: return EventCaption(type.rawValue + proxy, words.map(Hexadecimal.text).joined(separator: " "))
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
    var caption = EventCaption("\(verb) \(name)")
    if !names.isEmpty {
      caption.details = [names.map(\.orNone).joined(separator: ", ")]
    } else if format > 0 {
      let start = offset > 0 ? " from \(offset)" : ""
      caption.details = ["\(type.orNone), \(byteCount) byte\(byteCount == 1 ? "" : "s")\(start)"]
      if format == 32, (1...16).contains(bytes.count) {
        caption.details.append(words.map(Hexadecimal.text).joined(separator: " "))
      } else if format == 8, !bytes.isEmpty, let text = String(validating: bytes.prefix(200), as: UTF8.self) {
        caption.details.append("“\(text.prefix(60))\(text.count > 60 || byteCount > 200 ? "…" : "")”")
      }
    } else if change == .read {
      caption.details = ["there is none"]
    }
    return caption
  }
}
