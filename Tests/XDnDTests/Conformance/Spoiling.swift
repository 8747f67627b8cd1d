import XDnDConformance

@testable import XDnD

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

  private static func isIncr(_ property: WireEvent.Property) -> Bool { property.type == .incr }

  private static func has(_ type: AtomName) -> @Sendable (WireEvent.Property) -> Bool {
    { $0.type == type && $0.change == .read }
  }

  private static let uriList = AtomName("text/uri-list")
  private static let unheardOf = AtomName("application/x-unheard-of")

  private static let source: [String: Spoiling] = [
    "enter-version": Spoiling { $0.set(.enterFlags, to: 6 << 24 | 1) },
    "enter-first": Spoiling { drag in
      drag.position(200, 200, time: 2000)
    },
    "source-window": Spoiling { $0.set(.positionSource, 1, to: 0x20_0009) },
    "type-list-bit": Spoiling { $0.change(.enterFlags) { $0 &= ~1 } },
    "type-list-names": Spoiling { $0.changeProperties(.xdndTypeList) { $0.type = .string } },
    "inline-types": Spoiling { drag in
      for word in RecordedDrag.Word.enterTypes { drag.set(word, to: 0) }
    },
    "selection-owned": Spoiling(others: ["selection-kept"]) { drag in
      for index in 0..<drag.index(of: .enter, 1) {
        if case .owner(let name, _, let time) = drag.entries[index].event.action {
          drag.entries[index].event.action = .owner(of: name, WindowID(rawValue: 0x60_0001), time)
        }
      }
    },
    "position-waits": Spoiling { $0.delay(.status, 1, by: 1) },
    "position-time": Spoiling { $0.set(.positionTime, to: 0) },
    "position-action": Spoiling { $0.set(.positionAction, to: 0) },
    "position-coordinates": Spoiling { $0.set(.positionPoint, to: 10 << 16 | 10) },
    "action-list": Spoiling { drag in
      drag.changeProperties(.xdndActionList) { $0.names = [AtomName("copy")] }
    },
    "drop-after-ungrab": Spoiling { $0.entries[$0.index(of: .drop)].isPointerGrabbed = true },
    "hidden-requestor-served": Spoiling {
      $0.changeAnswers(where: { $0.time == .currentTime }) { $0.property = nil }
    },
    "quiet-rectangle": Spoiling { $0.set(.positionPoint, 2, to: 201 << 16 | 201) },
    "leave-or-drop": Spoiling { $0.remove(.leave) },
    "drop-accepted": Spoiling { $0.set(.statusFlags, 2, to: 0) },
    "drop-after-status": Spoiling { $0.delay(.status, 2, by: 1) },
    "drop-time": Spoiling { $0.set(.dropTime, to: 1_002_888_080) },
    "selection-kept": Spoiling { drag in
      let index = drag.index(of: .drop)
      drag.entries.insert(drag.entries[drag.entries.count - 1], at: index + 1)
    },
    "conversion-answered": Spoiling(others: ["text-form", "data-type"]) { drag in
      drag.remove {
        guard case .converted(let answer) = $0 else { return false }
        return answer.target == .utf8String && answer.requestor == RecordedDrag.target
      }
      drag.clock += 2000
      drag.owner(.none)
    },
    // Also to the window that asks without a time.
    "advertised-delivered": Spoiling(others: ["hidden-requestor-served"]) {
      $0.changeAnswers(to: .utf8String) { $0.property = nil }
    },
    "answer-fields": Spoiling {
      $0.changeAnswers(to: .utf8String) { $0.time = Timestamp(rawValue: $0.time.rawValue + 1) }
    },
    "data-type": Spoiling {
      $0.changeProperties(RecordedDrag.data, where: has(uriList)) { $0.type = .utf8String }
    },
    "targets": Spoiling {
      $0.changeProperties(RecordedDrag.data, where: has(.atom)) { $0.names.removeLast(2) }
    },
    "timestamp": Spoiling {
      $0.changeProperties(RecordedDrag.data, where: has(.integer)) { $0.bytes[0] = 1 }
    },
    "multiple": Spoiling { $0.changeAnswers(to: .multiple) { $0.property = nil } },
    "unadvertised-refused": Spoiling { drag in
      drag.changeAnswers(to: unheardOf) { $0.property = RecordedDrag.data }
      let isAnswer = { (entry: Recording.Entry) in
        if case .converted(let answer) = entry.event.action {
          answer.target == unheardOf
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
      $0.changeProperties(RecordedDrag.data, where: has(uriList)) { $0.bytes = Array("file:///tmp/a\n".utf8) }
    },
    "text-form": Spoiling {
      $0.changeProperties(RecordedDrag.data, where: has(.utf8String)) { $0.bytes[2] = 0xFF }
    },
    "incr-form": Spoiling {
      $0.changeProperties(RecordedDrag.data, where: isIncr) { $0.bytes[1] = 1 }
    },
    "unused-words-zero": Spoiling { $0.set(.dropUnused, to: 1) },
    "direct-save": Spoiling {
      $0.changeProperties(.xdndDirectSave) { $0.bytes = Array("../a".utf8) }
    },
  ]

  private static let target: [String: Spoiling] = [
    "aware-version": Spoiling { $0.changeProperties(.xdndAware) { $0.bytes[0] = 2 } },
    "proxy-self": Spoiling {
      $0.changeProperties(.xdndProxy, where: { $0.window == RecordedDrag.proxy }) { $0.bytes[0] = 9 }
    },
    "status-answers": Spoiling(others: ["version-negotiated"]) { drag in
      let index = drag.index(of: .status, 1)
      drag.entries.remove(at: index)
      for later in drag.entries.indices where later >= index { drag.entries[later].time += 2_000_000 }
    },
    "status-window": Spoiling { $0.set(.statusTarget, 3, to: 0x40_0009) },
    "status-action": Spoiling { $0.set(.statusAction, 1, to: 0) },
    "status-refusal": Spoiling { $0.set(.statusAction, to: RecordedDrag.atom("XdndActionCopy")) },
    "status-reserved": Spoiling { $0.set(.statusFlags, 3, to: 0xBDEB_DD43) },
    "status-rectangle": Spoiling { $0.set(.statusOrigin, 2, to: 0) },
    "status-unasked": Spoiling { $0.repeatMessage(.status, 3) },
    "finished-once": Spoiling { $0.repeatMessage(.finished, 1) },
    "finished-window": Spoiling { $0.set(.finishedTarget, 1, to: 0x40_0009) },
    "finished-result": Spoiling { $0.set(.finishedFlags, 1, to: 2) },
    "finished-action": Spoiling { $0.set(.finishedAction, 1, to: 0) },
    "finished-after-data": Spoiling { drag in
      let entry = drag.entries.remove(at: drag.index(of: .finished, 1))
      drag.entries.insert(entry, at: drag.index(of: .drop, 1) + 1)
    },
    "fetch-after-drop": Spoiling { drag in
      var extra = RecordedDrag(.source)
      extra.convert("text/uri-list", time: 1200, isRefused: true)
      drag.entries.insert(contentsOf: extra.entries, at: drag.index(of: .status, 2))
    },
    "conversion-time": Spoiling { $0.changeConversions { $0.time = .currentTime } },
    "conversion-advertised": Spoiling(others: ["finished-after-data"]) { drag in
      var extra = RecordedDrag(.source)
      extra.convert("image/png", time: 1310, isRefused: true)
      drag.entries.insert(contentsOf: extra.entries, at: drag.index(of: .drop, 1) + 1)
    },
    "property-deleted": Spoiling(others: ["incr-end-deleted"]) { drag in
      drag.entries.removeAll(where: isRemoval)
    },
    "refused-drop": Spoiling(others: ["finished-result"]) { drag in
      drag.set(.finishedFlags, to: 1)
      drag.set(.finishedAction, toAtom: "XdndActionCopy")
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
      drag.set(.finishedFlags, 2, to: 1)
      drag.set(.finishedAction, 2, toAtom: "XdndActionCopy")
    },
    // GTK 3 and 4, FLTK, SDL 2 and GLFW.
    "silence-ends-drop": Spoiling { drag in
      drag.remove(.finished, 3)
      drag.clock += 10_000
      drag.owner(.none)
    },
    "session-forgotten": Spoiling { $0.changeConversions { $0.target = uriList } },
    "unknown-types-refused": Spoiling(others: ["finished-once"]) { drag in
      drag.set(.statusFlags, to: 3)
      drag.set(.statusAction, toAtom: "XdndActionCopy")
    },
    "version-negotiated": Spoiling(others: ["status-answers"]) { drag in
      let index = drag.index(of: .status, 1)
      drag.entries.remove(at: index)
      for later in drag.entries.indices where later >= index { drag.entries[later].time += 2_000_000 }
    },
  ]
}
