extension ConformanceRule {
  /// The rules for drop targets.
  static let target: [ConformanceRule] = [
    ConformanceRule(
      "aware-version", .target, "XdndAware is an ATOM of format 32 and says a version from 3 to 5.",
      "XDND, XdndAware", hazards: ["Q2"],
      unseen: "no look at XdndAware"),
    ConformanceRule(
      "proxy-self", .target, "The window that XdndProxy names has an XdndProxy that names itself.",
      "XDND, XdndProxy", hazards: ["Q31", "Q32"],
      unseen: "no XdndProxy"),
    ConformanceRule(
      "status-answers", .target, "Each XdndPosition is answered by an XdndStatus.", "XDND, XdndStatus",
      hazards: ["Q27"],
      unseen: "no XdndPosition"),
    ConformanceRule(
      "status-window", .target, "The first word of XdndStatus is the window that the position was addressed to.",
      "XDND, XdndStatus", hazards: ["Q17", "Q57"],
      unseen: "no XdndStatus"),
    ConformanceRule(
      "status-action", .target,
      "An accepting Status names the action that was asked for, XdndActionCopy or XdndActionPrivate.",
      "XDND, XdndStatus", hazards: ["Q45", "Q51"],
      unseen: "no XdndStatus that accepts"),
    ConformanceRule(
      "status-refusal", .target, "A refusing Status names no action.", "XDND, XdndStatus", hazards: ["Q8"],
      unseen: "no XdndStatus that refuses"),
    ConformanceRule(
      "status-reserved", .target, "The bits of XdndStatus above the two that have a meaning are 0.",
      "XDND, XdndStatus",
      unseen: "no XdndStatus"),
    ConformanceRule(
      "status-rectangle", .target, "The rectangle of XdndStatus is in root coordinates.", "XDND, XdndStatus",
      unseen: "no XdndStatus"),
    ConformanceRule(
      "status-unasked", .target, "XdndStatus answers a position, and there are no more of them than positions.",
      "XDND, XdndStatus", hazards: ["Q57"], isAdvice: true,
      unseen: "no XdndStatus"),
    ConformanceRule(
      "finished-once", .target, "Each XdndDrop is followed by one XdndFinished, and nothing else is.",
      "XDND, XdndFinished", hazards: ["Q9", "Q18", "Q19", "Q20"],
      unseen: "no XdndDrop that was accepted"),
    ConformanceRule(
      "finished-window", .target, "The first word of XdndFinished is the window that was dropped on.",
      "XDND, XdndFinished", hazards: ["Q17"],
      unseen: "no XdndFinished"),
    ConformanceRule(
      "finished-result", .target, "Of the second word of XdndFinished only bit 0 is used, and it says what happened.",
      "XDND, XdndFinished", hazards: ["Q4", "Q5", "Q6", "Q7"],
      unseen: "no XdndFinished of version 5"),
    ConformanceRule(
      "finished-action", .target, "XdndFinished names what was done, and nothing if the drop was refused.",
      "XDND, XdndFinished",
      unseen: "no XdndFinished of version 5"),
    ConformanceRule(
      "finished-after-data", .target, "XdndFinished comes when all data is there, and nothing is asked for after it.",
      "XDND, XdndFinished", hazards: ["Q21"],
      unseen: "no request of a drop with an XdndFinished"),
    ConformanceRule(
      "fetch-after-drop", .target, "Content is asked for after the drop, and not while the drag is passing.",
      "XDND, XdndDrop", hazards: ["Q26"], isAdvice: true,
      unseen: "no request for content"),
    ConformanceRule(
      "conversion-time", .target, "Content is asked for with the time in XdndDrop.", "XDND, XdndDrop",
      hazards: ["Q22", "Q23", "Q24"],
      unseen: "no request after an XdndDrop"),
    ConformanceRule(
      "conversion-advertised", .target, "Only types that are offered are asked for.", "XDND, XdndEnter",
      unseen: "no request for content"),
    ConformanceRule(
      "property-deleted", .target, "Who has asked deletes the property when the content is read.", "ICCCM 2.4",
      unseen: "no content that was delivered"),
    ConformanceRule(
      "refused-drop", .target, "A drop that was refused is finished without success, and nothing is fetched.",
      "XDND, XdndDrop", hazards: ["Q46"],
      unseen: "no XdndDrop after a refusal"),
    ConformanceRule(
      "reads-incr", .target, "Content that comes in parts is read to its end.", "ICCCM 2.7.2", hazards: ["Q53"],
      unseen: "no content that was delivered in parts (INCR)"),
    ConformanceRule(
      "incr-end-deleted", .target, "The empty part that ends content in parts is deleted, too.", "ICCCM 2.7.2",
      isAdvice: true, unseen: "no content that was delivered in parts (INCR)"),
    ConformanceRule(
      "refusal-ends-drop", .target, "A drop whose content the source refuses is finished, and without success.",
      "XDND, XdndFinished", hazards: ["Q9"], unseen: "no drop whose content was refused"),
    ConformanceRule(
      "silence-ends-drop", .target, "A drop whose source never answers is finished in the end, and without success.",
      "XDND, XdndFinished", hazards: ["Q9"], isAdvice: true, unseen: "no drop whose source did not answer"),
    ConformanceRule(
      "session-forgotten", .target, "What a drag has offered is forgotten when it has left.", "XDND, XdndLeave",
      hazards: ["Q9"], isAdvice: true,
      unseen: "nothing after a drag that has left"),
    ConformanceRule(
      "unknown-types-refused", .target, "What is accepted is also asked for: content of no use is refused.",
      "XDND, XdndStatus",
      unseen: "no offer of only what nobody knows"),
    ConformanceRule(
      "version-negotiated", .target, "Sources of versions 3 and 4 are answered, too.", "XDND, XdndEnter",
      hazards: ["Q1"],
      unseen: "no source of version 3 or 4"),
  ]
}
