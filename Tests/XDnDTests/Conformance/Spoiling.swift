import DragRecording
import XDnD

/// How a good recording is made to break one rule.
struct Spoiling {
  let change: @Sendable (inout RecordedDrag) -> Void
  /// Rules that cannot but be broken with it.
  let others: Set<String>

  init(others: Set<String> = [], _ change: @escaping @Sendable (inout RecordedDrag) -> Void) {
    self.change = change
    self.others = others
  }

  static let all = source.merging(target) { first, _ in first }

  private static func isRemoval(_ entry: Recording.Entry) -> Bool {
    if case .property(let property) = entry.event.action { property.change == .removed } else { false }
  }

  private static func isIncr(_ property: WireEvent.Property) -> Bool { property.type?.rawValue == "INCR" }

  private static func has(_ type: String) -> @Sendable (WireEvent.Property) -> Bool {
    { $0.type?.rawValue == type && $0.change == .read }
  }

  private static let source: [String: Spoiling] = [
    "enter-version": Spoiling { $0.change("XdndEnter") { $0.words[1] = 6 << 24 | 1 } },
    "enter-first": Spoiling { drag in
      drag.position(200, 200, time: 2000)
    },
    "source-window": Spoiling { $0.set("XdndPosition", 1, word: 0, 0x20_0009) },
    "type-list-bit": Spoiling { $0.change("XdndEnter") { $0.words[1] &= ~1 } },
    "type-list-names": Spoiling { $0.changeProperties("XdndTypeList") { $0.type = AtomName(rawValue: "STRING") } },
    "inline-types": Spoiling { drag in
      for word in 2...4 { drag.set("XdndEnter", word: word, 0) }
    },
    "selection-owned": Spoiling(others: ["selection-kept"]) { drag in
      for index in drag.entries.indices {
        if case .owner(let name, _, let time) = drag.entries[index].event.action, index < 10 {
          drag.entries[index].event.action = .owner(of: name, WindowID(rawValue: 0x60_0001), time)
        }
      }
    },
    "position-waits": Spoiling { $0.delay("XdndStatus", 1, by: 1) },
    "position-time": Spoiling { $0.set("XdndPosition", word: 3, 0) },
    "position-action": Spoiling { $0.set("XdndPosition", word: 4, 0) },
    "position-coordinates": Spoiling { $0.set("XdndPosition", word: 2, 10 << 16 | 10) },
    "action-list": Spoiling { drag in
      drag.changeProperties("XdndActionList") { $0.names = [AtomName(rawValue: "copy")] }
    },
    "drop-after-ungrab": Spoiling { $0.entries[$0.index(of: "XdndDrop")].isPointerGrabbed = true },
    "hidden-requestor-served": Spoiling { drag in
      for index in drag.entries.indices {
        guard case .converted(var answer) = drag.entries[index].event.action, answer.time == .currentTime else {
          continue
        }
        answer.property = nil
        drag.entries[index].event.action = .converted(answer)
      }
    },
    "quiet-rectangle": Spoiling { $0.set("XdndPosition", 2, word: 2, 201 << 16 | 201) },
    "leave-or-drop": Spoiling { $0.remove("XdndLeave") },
    "drop-accepted": Spoiling { drag in
      drag.set("XdndStatus", 2, word: 1, 0)
    },
    "drop-after-status": Spoiling { $0.delay("XdndStatus", 2, by: 1) },
    "drop-time": Spoiling { $0.set("XdndDrop", word: 2, 1_002_888_080) },
    "selection-kept": Spoiling { drag in
      let index = drag.index(of: "XdndDrop")
      drag.entries.insert(drag.entries[drag.entries.count - 1], at: index + 1)
    },
    "conversion-answered": Spoiling(others: ["text-form", "data-type"]) { drag in
      drag.remove {
        guard case .converted(let answer) = $0 else { return false }
        return answer.target?.rawValue == "UTF8_STRING" && answer.requestor == RecordedDrag.target
      }
      drag.clock += 2000
      drag.owner(.none)
    },
    // Also to the window that asks without a time.
    "advertised-delivered": Spoiling(others: ["hidden-requestor-served"]) {
      $0.changeAnswer(to: "UTF8_STRING") { $0.property = nil }
    },
    "answer-fields": Spoiling {
      $0.changeAnswer(to: "UTF8_STRING") { $0.time = Timestamp(rawValue: $0.time.rawValue + 1) }
    },
    "data-type": Spoiling {
      $0.changeProperties("DATA", where: has("text/uri-list")) { $0.type = AtomName(rawValue: "UTF8_STRING") }
    },
    "targets": Spoiling {
      $0.changeProperties("DATA", where: has("ATOM")) { $0.names.removeLast(2) }
    },
    "timestamp": Spoiling {
      $0.changeProperties("DATA", where: has("INTEGER")) { $0.bytes[0] = 1 }
    },
    "multiple": Spoiling { $0.changeAnswer(to: "MULTIPLE") { $0.property = nil } },
    "unadvertised-refused": Spoiling { drag in
      drag.changeAnswer(to: "application/x-unheard-of") { $0.property = AtomName(rawValue: "DATA") }
      let isAnswer = { (entry: Recording.Entry) in
        if case .converted(let answer) = entry.event.action {
          answer.target?.rawValue == "application/x-unheard-of"
        } else {
          false
        }
      }
      guard let index = drag.entries.firstIndex(where: isAnswer) else { return }
      var extra = RecordedDrag(.target)
      extra.property(.read, "DATA", of: RecordedDrag.target, type: "STRING", [1])
      drag.entries.insert(extra.entries[0], at: index + 1)
    },
    "uri-list-form": Spoiling {
      $0.changeProperties("DATA", where: has("text/uri-list")) { $0.bytes = Array("file:///tmp/a\n".utf8) }
    },
    "text-form": Spoiling {
      $0.changeProperties("DATA", where: has("UTF8_STRING")) { $0.bytes[2] = 0xFF }
    },
    "incr-form": Spoiling {
      $0.changeProperties("DATA", where: isIncr) { $0.bytes[1] = 1 }
    },
    "unused-words-zero": Spoiling { $0.set("XdndDrop", word: 4, 1) },
    "direct-save": Spoiling {
      $0.changeProperties("XdndDirectSave0") { $0.bytes = Array("../a".utf8) }
    },
  ]

  private static let target: [String: Spoiling] = [
    "aware-version": Spoiling { $0.changeProperties("XdndAware") { $0.bytes[0] = 2 } },
    "proxy-self": Spoiling {
      $0.changeProperties("XdndProxy", where: { $0.window == RecordedDrag.proxy }) { $0.bytes[0] = 9 }
    },
    "status-answers": Spoiling(others: ["version-negotiated"]) { drag in
      let index = drag.index(of: "XdndStatus", 1)
      drag.entries.remove(at: index)
      for later in drag.entries.indices where later >= index { drag.entries[later].time += 2_000_000 }
    },
    "status-window": Spoiling { $0.set("XdndStatus", 3, word: 0, 0x40_0009) },
    "status-action": Spoiling { $0.set("XdndStatus", 1, word: 4, 0) },
    "status-refusal": Spoiling { $0.set("XdndStatus", word: 4, RecordedDrag.atom("XdndActionCopy")) },
    "status-reserved": Spoiling { $0.set("XdndStatus", 3, word: 1, 0xBDEB_DD43) },
    "status-rectangle": Spoiling { $0.set("XdndStatus", 2, word: 2, 0) },
    "status-unasked": Spoiling { $0.repeatMessage("XdndStatus", 3) },
    "finished-once": Spoiling { $0.repeatMessage("XdndFinished", 1) },
    "finished-window": Spoiling { $0.set("XdndFinished", 1, word: 0, 0x40_0009) },
    "finished-result": Spoiling { $0.set("XdndFinished", 1, word: 1, 2) },
    "finished-action": Spoiling { $0.set("XdndFinished", 1, word: 2, 0) },
    "finished-after-data": Spoiling { drag in
      let entry = drag.entries.remove(at: drag.index(of: "XdndFinished", 1))
      drag.entries.insert(entry, at: drag.index(of: "XdndDrop", 1) + 1)
    },
    "fetch-after-drop": Spoiling { drag in
      var extra = RecordedDrag(.source)
      extra.convert("text/uri-list", time: 1200, isRefused: true)
      drag.entries.insert(contentsOf: extra.entries, at: drag.index(of: "XdndStatus", 2))
    },
    "conversion-time": Spoiling { drag in
      for index in drag.entries.indices {
        if case .conversion(var asked) = drag.entries[index].event.action {
          asked.time = .currentTime
          drag.entries[index].event.action = .conversion(asked)
        }
      }
    },
    "conversion-advertised": Spoiling(others: ["finished-after-data"]) { drag in
      var extra = RecordedDrag(.source)
      extra.convert("image/png", time: 1310, isRefused: true)
      drag.entries.insert(contentsOf: extra.entries, at: drag.index(of: "XdndDrop", 1) + 1)
    },
    "property-deleted": Spoiling(others: ["incr-end-deleted"]) { drag in
      drag.remove { if case .property(let property) = $0 { property.change == .removed } else { false } }
    },
    "refused-drop": Spoiling(others: ["finished-result"]) { drag in
      drag.change("XdndFinished") { message in
        message.words[1] = 1
        message.words[2] = RecordedDrag.atom("XdndActionCopy")
        message.names[2] = AtomName(rawValue: "XdndActionCopy")
      }
    },
    // tkdnd 2.6 stops in the middle, and says that it is done.
    "reads-incr": Spoiling(others: ["finished-after-data"]) { drag in
      let removals = drag.entries.indices.filter { isRemoval(drag.entries[$0]) }
      guard let last = removals.last, let part = removals.dropLast().last else { return }
      drag.entries.removeSubrange(part...last)
    },
    "incr-end-deleted": Spoiling { drag in
      guard let last = drag.entries.lastIndex(where: isRemoval) else { return }
      drag.entries.remove(at: last)
    },
    // Qt 5.15 and 6.4, and SDL 2.
    "refusal-ends-drop": Spoiling { drag in
      drag.change("XdndFinished", 2) { message in
        message.words[1] = 1
        message.words[2] = RecordedDrag.atom("XdndActionCopy")
        message.names[2] = AtomName(rawValue: "XdndActionCopy")
      }
    },
    // GTK 3 and 4, FLTK, SDL 2 and GLFW.
    "silence-ends-drop": Spoiling { drag in
      drag.remove("XdndFinished", 3)
      drag.clock += 10_000
      drag.owner(.none)
    },
    "session-forgotten": Spoiling { drag in
      for index in drag.entries.indices {
        let action = drag.entries[index].event.action
        if case .conversion(var asked) = action {
          asked.target = AtomName(rawValue: "text/uri-list")
          drag.entries[index].event.action = .conversion(asked)
        }
      }
    },
    "unknown-types-refused": Spoiling(others: ["finished-once"]) { drag in
      drag.change("XdndStatus") { message in
        message.words[1] = 3
        message.words[4] = RecordedDrag.atom("XdndActionCopy")
        message.names[4] = AtomName(rawValue: "XdndActionCopy")
      }
    },
    "version-negotiated": Spoiling(others: ["status-answers"]) { drag in
      let index = drag.index(of: "XdndStatus", 1)
      drag.entries.remove(at: index)
      for later in drag.entries.indices where later >= index { drag.entries[later].time += 2_000_000 }
    },
  ]
}
