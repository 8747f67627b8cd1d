extension ConformanceRule {
  /// What a source has to do.
  static let source: [ConformanceRule] = [
    ConformanceRule(
      "enter-version", .source, "XdndEnter names the smaller of both versions, and one from 3 to 5.",
      "XDND, XdndEnter", hazards: ["Q1", "Q2"]),
    ConformanceRule(
      "enter-first", .source, "Position, Leave and Drop come only after XdndEnter, and not after Leave or Drop.",
      "XDND, the protocol step by step"),
    ConformanceRule(
      "source-window", .source, "The first word of each message is the source's window, one for the whole visit.",
      "XDND, client messages"),
    ConformanceRule(
      "type-list-bit", .source, "With more than three types bit 0 of XdndEnter is set, and XdndTypeList is there.",
      "XDND, XdndEnter", hazards: ["Q3"]),
    ConformanceRule(
      "type-list-names", .source, "XdndTypeList is a list of atoms, of format 32, and each of them has a name.",
      "XDND, XdndTypeList", hazards: ["Q48"]),
    ConformanceRule(
      "inline-types", .source, "XdndEnter itself holds the first three types; only unused places are None.",
      "XDND, XdndEnter", hazards: ["Q3"]),
    ConformanceRule(
      "selection-owned", .source, "The source owns XdndSelection before it sends XdndEnter.",
      "XDND, the protocol step by step", hazards: ["Q10"]),
    ConformanceRule(
      "position-waits", .source, "No second XdndPosition is sent before the first has its XdndStatus.",
      "XDND, XdndPosition", hazards: ["Q13", "Q46"]),
    ConformanceRule(
      "position-time", .source, "XdndPosition has a server time, and it does not go backwards.", "XDND, XdndPosition",
      hazards: ["Q25"]),
    ConformanceRule(
      "position-action", .source, "XdndPosition names the action that is asked for.", "XDND, XdndPosition",
      hazards: ["Q35"]),
    ConformanceRule(
      "position-coordinates", .source, "XdndPosition has the pointer's place in root coordinates.",
      "XDND, XdndPosition", hazards: ["Q14", "Q15"]),
    ConformanceRule(
      "quiet-rectangle", .source,
      "Within the rectangle of a Status that asks for silence, no positions are sent.", "XDND, XdndStatus",
      isAdvice: true),
    ConformanceRule(
      "leave-or-drop", .source, "Each visit ends with one Leave or one Drop.", "XDND, the protocol step by step",
      hazards: ["Q49"]),
    ConformanceRule(
      "drop-accepted", .source, "XdndDrop is sent only if the last XdndStatus has accepted.", "XDND, XdndDrop",
      hazards: ["Q46"]),
    ConformanceRule(
      "drop-after-status", .source, "XdndDrop waits for the XdndStatus that is due.", "XDND, XdndDrop",
      hazards: ["Q27"]),
    ConformanceRule(
      "drop-time", .source, "XdndDrop has a server time, not before that of the last position and not in the future.",
      "XDND, XdndDrop", hazards: ["Q24", "Q25"]),
    ConformanceRule(
      "selection-kept", .source, "The source keeps XdndSelection until XdndFinished.", "XDND, XdndFinished",
      hazards: ["Q10", "Q53"]),
    ConformanceRule(
      "conversion-answered", .source, "Each conversion is answered, also when it is refused.", "ICCCM 2.2"),
    ConformanceRule(
      "advertised-delivered", .source, "Each type that is offered is delivered.", "XDND, XdndEnter", hazards: ["Q9"]),
    ConformanceRule(
      "answer-fields", .source, "An answer repeats selection, target and time, and names the property or None.",
      "ICCCM 2.2"),
    ConformanceRule(
      "data-type", .source, "The property has the type that was asked for.", "ICCCM 2.6.2"),
    ConformanceRule(
      "targets", .source, "TARGETS is a list of atoms that has all types that are offered.", "ICCCM 2.6.2",
      hazards: ["Q28"]),
    ConformanceRule(
      "timestamp", .source, "TIMESTAMP is the time at which the selection was taken.", "ICCCM 2.6.2",
      hazards: ["Q28"]),
    ConformanceRule(
      "multiple", .source, "MULTIPLE delivers what is listed, and puts None where it does not.", "ICCCM 2.6.2",
      hazards: ["Q28"]),
    ConformanceRule(
      "unadvertised-refused", .source, "A type that is not offered is refused.", "ICCCM 2.2"),
    ConformanceRule(
      "uri-list-form", .source, "text/uri-list has escaped URIs, each on a line that ends with CR LF.", "RFC 2483",
      hazards: ["Q41"]),
    ConformanceRule(
      "text-form", .source, "Text that is called UTF-8 is UTF-8, and no text ends with a NUL.", "XDND, data types",
      hazards: ["Q44"]),
    ConformanceRule(
      "incr-form", .source, "INCR announces no more than it sends, keeps to one type, and ends with an empty part.",
      "ICCCM 2.7.2"),
    ConformanceRule(
      "unused-words-zero", .source, "Words and bits without a meaning are 0.", "XDND, client messages"),
    ConformanceRule(
      "direct-save", .source,
      "XdndDirectSave0 is also a property with a bare file name, and its conversion answers S, F or E.",
      "XDS (Direct Save)", hazards: ["Q40", "Q59"]),
  ]
}
