public import DragRecording
public import XDnD

/// Checks a recording for the rules that the peer keeps and breaks.
///
/// The verdicts depend on the recording alone: what it does not contain was not seen. Behavior that the specification
/// leaves open never fails; if it is known to cause trouble, the evidence says so.
public struct Judge: Sendable {
  private let story: DragStory

  /// Creates the checker of a recording.
  ///
  /// - Parameters:
  ///   - role: The side that made the recording. The other side is checked.
  ///   - entries: The recording's entries.
  ///   - frame: The target window's frame, in root pixels. Without it, some errors cannot be seen.
  public init(role: Recording.Role, entries: [Recording.Entry], frame: Rect? = nil) {
    story = DragStory(role: role, entries: entries, frame: frame)
  }

  /// The side that is checked.
  public var side: ConformanceRule.Side { story.role == .target ? .source : .target }

  /// The verdicts on all rules of the checked side, in the order of ``ConformanceRule/all(of:)``.
  public func verdicts() -> [Verdict] { ConformanceRule.all(of: side).map { verdict(on: $0) } }

  /// The verdict on one rule. It is ``Verdict/Result/notSeen`` for rules of the side that made the recording.
  public func verdict(on rule: ConformanceRule) -> Verdict {
    guard rule.side == side else {
      return Verdict(rule.id, .notSeen, "the recording is by the \(rule.side.rawValue) itself")
    }
    let table = side == .source ? Self.source : Self.target
    return (table[rule.id]?(story) ?? Finding()).verdict(on: rule)
  }

  private static let source: [String: @Sendable (DragStory) -> Finding] = [
    "enter-version": { $0.enterVersion() }, "enter-first": { $0.enterFirst() },
    "source-window": { $0.sourceWindow() }, "type-list-bit": { $0.typeListBit() },
    "type-list-names": { $0.typeListNames() }, "inline-types": { $0.inlineTypes() },
    "selection-owned": { $0.selectionOwned() }, "position-waits": { $0.positionWaits() },
    "position-time": { $0.positionTime() }, "position-action": { $0.positionAction() },
    "position-coordinates": { $0.positionCoordinates() }, "action-list": { $0.actionList() },
    "quiet-rectangle": { $0.quietRectangle() }, "drop-after-ungrab": { $0.dropAfterUngrab() },
    "hidden-requestor-served": { $0.hiddenRequestorServed() },
    "leave-or-drop": { $0.leaveOrDrop() }, "drop-accepted": { $0.dropAccepted() },
    "drop-after-status": { $0.dropAfterStatus() }, "drop-time": { $0.dropTime() },
    "selection-kept": { $0.selectionKept() }, "conversion-answered": { $0.conversionAnswered() },
    "advertised-delivered": { $0.advertisedDelivered() }, "answer-fields": { $0.answerFields() },
    "data-type": { $0.dataType() }, "targets": { $0.targets() }, "timestamp": { $0.timestamp() },
    "multiple": { $0.multiple() }, "unadvertised-refused": { $0.unadvertisedRefused() },
    "uri-list-form": { $0.uriListForm() }, "text-form": { $0.textForm() }, "incr-form": { $0.incrForm() },
    "unused-words-zero": { $0.unusedWordsZero() }, "direct-save": { $0.directSave() },
  ]

  private static let target: [String: @Sendable (DragStory) -> Finding] = [
    "aware-version": { $0.awareVersion() }, "proxy-self": { $0.proxySelf() },
    "status-answers": { $0.statusAnswers() }, "status-window": { $0.statusWindow() },
    "status-action": { $0.statusAction() }, "status-refusal": { $0.statusRefusal() },
    "status-reserved": { $0.statusReserved() }, "status-rectangle": { $0.statusRectangle() },
    "status-unasked": { $0.statusUnasked() }, "finished-once": { $0.finishedOnce() },
    "finished-window": { $0.finishedWindow() }, "finished-result": { $0.finishedResult() },
    "finished-action": { $0.finishedAction() }, "finished-after-data": { $0.finishedAfterData() },
    "fetch-after-drop": { $0.fetchAfterDrop() }, "conversion-time": { $0.conversionTime() },
    "conversion-advertised": { $0.conversionAdvertised() }, "property-deleted": { $0.propertyDeleted() },
    "refused-drop": { $0.refusedDrop() }, "reads-incr": { $0.readsIncr() },
    "incr-end-deleted": { $0.incrEndDeleted() }, "refusal-ends-drop": { $0.refusalEndsDrop() },
    "silence-ends-drop": { $0.silenceEndsDrop() },
    "session-forgotten": { $0.sessionForgotten() }, "unknown-types-refused": { $0.unknownTypesRefused() },
    "version-negotiated": { $0.versionNegotiated() },
  ]
}
