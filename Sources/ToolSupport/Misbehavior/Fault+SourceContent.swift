import XDnD

/// Faults in the content that a source delivers. They are named after the rules that they break.
extension Fault {
  static var ofSourceContent: [Fault] {
    [
      .answer("conversion-answered") { _, _ in [] },
      // The content is written, but the answer names no property.
      .answer("advertised-delivered") { answer, memory in
        guard let target = answer.target, memory.types.contains(target) else { return [.converted(answer)] }
        return [.converted(answer.with(property: nil))]
      },
      // Qt 5.15, 6.4 and 6.12 do this if the request also comes from another window than the target's.
      .answer("hidden-requestor-served") { answer, _ in
        [.converted(answer.time == .currentTime ? answer.with(property: nil) : answer)]
      },
      .answer("answer-fields") { answer, _ in
        var wrong = answer
        wrong.time = Timestamp(rawValue: answer.time.rawValue &+ 1)
        return [.converted(wrong)]
      },
      .property("data-type", .written) { property, memory in
        [memory.isContent(property) && !property.isAnnouncement ? property.with(type: "x-wrong/type") : property]
      },
      .property("targets", .written) { property, memory in
        guard memory.target(of: property)?.rawValue == "TARGETS" else { return [property] }
        return [property.with(bytes: Array(property.bytes.prefix(4)))]
      },
      .property("timestamp", .written) { property, memory in
        [memory.target(of: property)?.rawValue == "TIMESTAMP" ? property.with(word: 0, appended: false) : property]
      },
      .answer("multiple") { answer, _ in
        [.converted(answer.target?.rawValue == "MULTIPLE" ? answer.with(property: nil) : answer)]
      },
      .answer("unadvertised-refused") { answer, memory in
        guard answer.property == nil, let target = answer.target,
          let property = memory.requests.values.first(where: {
            $0.requestor == answer.requestor && $0.target == target
          })?.property
        else { return [.converted(answer)] }
        let nonsense = WireEvent.Property(
          .written, property, of: answer.requestor, type: target, format: 8, bytes: Array("nonsense".utf8))
        return [.property(nonsense), .converted(answer.with(property: property))]
      },
      .property("uri-list-form", .written) { property, memory in
        guard memory.target(of: property)?.rawValue == "text/uri-list" else { return [property] }
        return [property.with(bytes: property.bytes.filter { $0 != UInt8(ascii: "\r") })]
      },
      .property("text-form", .written) { property, memory in
        guard memory.isWhole(property), let target = memory.target(of: property)?.rawValue,
          target.hasPrefix("text/plain") || target == "UTF8_STRING" || target == "STRING"
        else { return [property] }
        return [property.with(bytes: property.bytes + [0])]
      },
      .property("incr-form", .written) { property, _ in
        [property.isAnnouncement ? property.with(word: 0x0FFF_FFFF, appended: false) : property]
      },
      .property("direct-save", .written) { property, memory in
        if memory.target(of: property)?.rawValue == "XdndDirectSave0" {
          return [property.with(bytes: [UInt8(ascii: "X")])]
        }
        guard property.name.rawValue == "XdndDirectSave0" else { return [property] }
        return [property.with(bytes: Array("../".utf8) + property.bytes)]
      },
    ]
  }
}

extension WireEvent.Conversion {
  /// The same answer with another property; `nil` refuses.
  func with(property: AtomName?) -> WireEvent.Conversion {
    var conversion = self
    conversion.property = property
    return conversion
  }
}
