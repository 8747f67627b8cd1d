extension ConformanceRule {
  /// The rules for drag sources.
  static let source: [ConformanceRule] = [
    ConformanceRule(
      "enter-version", .source, "XdndEnter names the smaller of both versions, and one from 3 to 5.",
      "XDND, XdndEnter", hazards: ["Q1", "Q2"],
      unseen: "no XdndEnter"),
    ConformanceRule(
      "enter-first", .source, "Position, Leave and Drop come only after XdndEnter, and not after Leave or Drop.",
      "XDND, the protocol step by step",
      unseen: "nothing that comes after an XdndEnter"),
    ConformanceRule(
      "source-window", .source, "The first word of each message is the source's window, one for the whole visit.",
      "XDND, client messages",
      unseen: "no XdndEnter"),
    ConformanceRule(
      "type-list-bit", .source, "With more than three types bit 0 of XdndEnter is set, and XdndTypeList is there.",
      "XDND, XdndEnter", hazards: ["Q3"],
      unseen: "no XdndEnter, or no look at XdndTypeList"),
    ConformanceRule(
      "type-list-names", .source, "XdndTypeList is a list of atoms, of format 32, and each of them has a name.",
      "XDND, XdndTypeList", hazards: ["Q48"],
      unseen: "no XdndEnter that points to XdndTypeList"),
    ConformanceRule(
      "inline-types", .source, "XdndEnter itself holds the first three types; only unused places are None.",
      "XDND, XdndEnter", hazards: ["Q3"],
      unseen: "no XdndEnter"),
    ConformanceRule(
      "selection-owned", .source, "The source owns XdndSelection before it sends XdndEnter.",
      "XDND, the protocol step by step", hazards: ["Q10"],
      unseen: "no look at the owner of XdndSelection"),
    ConformanceRule(
      "position-waits", .source, "No second XdndPosition is sent before the first has its XdndStatus.",
      "XDND, XdndPosition", hazards: ["Q13", "Q46"],
      unseen: "no second XdndPosition in one visit"),
    ConformanceRule(
      "position-time", .source, "XdndPosition has a server time, and it does not go backwards.", "XDND, XdndPosition",
      hazards: ["Q25"],
      unseen: "no XdndPosition"),
    ConformanceRule(
      "position-action", .source, "XdndPosition names the action that is asked for.", "XDND, XdndPosition",
      hazards: ["Q35"],
      unseen: "no XdndPosition"),
    ConformanceRule(
      "position-coordinates", .source, "XdndPosition has the pointer's place in root coordinates.",
      "XDND, XdndPosition", hazards: ["Q14", "Q15"],
      unseen: "no XdndPosition"),
    ConformanceRule(
      "action-list", .source, "XdndActionList, where there is one, is a list of atoms that name actions.",
      "XDND, XdndActionList", hazards: ["Q35"], unseen: "no XdndActionList"),
    ConformanceRule(
      "quiet-rectangle", .source,
      "Within the rectangle of a Status that asks for silence, no positions are sent.", "XDND, XdndStatus",
      isAdvice: true,
      unseen: "no XdndStatus that asks for silence"),
    ConformanceRule(
      "leave-or-drop", .source, "Each visit ends with one Leave or one Drop.", "XDND, the protocol step by step",
      hazards: ["Q49"],
      unseen: "no end of a visit"),
    ConformanceRule(
      "drop-accepted", .source, "XdndDrop is sent only if the last XdndStatus has accepted.", "XDND, XdndDrop",
      hazards: ["Q46"],
      unseen: "no end of a visit after an XdndStatus"),
    ConformanceRule(
      "drop-after-status", .source, "XdndDrop waits for the XdndStatus that is due.", "XDND, XdndDrop",
      hazards: ["Q27"],
      unseen: "no XdndDrop"),
    ConformanceRule(
      "drop-time", .source, "XdndDrop has a server time, not before that of the last position and not in the future.",
      "XDND, XdndDrop", hazards: ["Q24", "Q25"],
      unseen: "no XdndDrop"),
    ConformanceRule(
      "drop-after-ungrab", .source, "The pointer is let go before XdndDrop is sent.", "FLTK 1.3 ignores it otherwise",
      isAdvice: true, unseen: "no XdndDrop at which is known whether the pointer was grabbed"),
    ConformanceRule(
      "selection-kept", .source, "The source keeps XdndSelection until XdndFinished.", "XDND, XdndFinished",
      hazards: ["Q10", "Q53"],
      unseen: "no XdndDrop with a look at the owner of XdndSelection after it"),
    ConformanceRule(
      "conversion-answered", .source, "Each conversion is answered, also when it is refused.", "ICCCM 2.2",
      unseen: "no request"),
    ConformanceRule(
      "advertised-delivered", .source, "Each type that is offered is delivered.", "XDND, XdndEnter", hazards: ["Q9"],
      unseen: "no request for a type that is offered"),
    ConformanceRule(
      "hidden-requestor-served", .source,
      "Content is delivered also to a window that is not the target's, and asks with time 0.", "as GTK 4 asks",
      hazards: ["Q22"], isAdvice: true, unseen: "no request with time 0 from another window"),
    ConformanceRule(
      "answer-fields", .source, "An answer repeats selection, target and time, and names the property or None.",
      "ICCCM 2.2",
      unseen: "no answer to a request"),
    ConformanceRule(
      "data-type", .source, "The property has the type that was asked for.", "ICCCM 2.6.2",
      unseen: "no content of a type whose property has to be of the same"),
    ConformanceRule(
      "targets", .source, "TARGETS is a list of atoms that has all types that are offered.", "ICCCM 2.6.2",
      hazards: ["Q28"],
      unseen: "no request for TARGETS"),
    ConformanceRule(
      "timestamp", .source, "TIMESTAMP is the time at which the selection was taken.", "ICCCM 2.6.2",
      hazards: ["Q28"],
      unseen: "no request for TIMESTAMP"),
    ConformanceRule(
      "multiple", .source, "MULTIPLE delivers what is listed, and puts None where it does not.", "ICCCM 2.6.2",
      hazards: ["Q28"],
      unseen: "no request for MULTIPLE"),
    ConformanceRule(
      "unadvertised-refused", .source, "A type that is not offered is refused.", "ICCCM 2.2",
      unseen: "no request for a type that is not offered"),
    ConformanceRule(
      "uri-list-form", .source, "text/uri-list has escaped URIs, each on a line that ends with CR LF.", "RFC 2483",
      hazards: ["Q41"],
      unseen: "no text/uri-list that was delivered"),
    ConformanceRule(
      "text-form", .source, "Text that is called UTF-8 is UTF-8, and no text ends with a NUL.", "XDND, data types",
      hazards: ["Q44"],
      unseen: "no text that was delivered whole"),
    ConformanceRule(
      "incr-form", .source, "INCR announces no more than it sends, keeps to one type, and ends with an empty part.",
      "ICCCM 2.7.2",
      unseen: "no content that came in parts (INCR)"),
    ConformanceRule(
      "unused-words-zero", .source, "Words and bits without a meaning are 0.", "XDND, client messages",
      unseen: "no XdndEnter"),
    ConformanceRule(
      "direct-save", .source,
      "XdndDirectSave0 is also a property with a bare file name, and its conversion answers S, F or E.",
      "XDS (Direct Save)", hazards: ["Q40", "Q59"],
      unseen: "no offer of XdndDirectSave0"),
  ]
}
