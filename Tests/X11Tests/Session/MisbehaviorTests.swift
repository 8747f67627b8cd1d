import XDnDX11
import Glibc
import TestSupport
import Testing
import XDnDToolSupport

@testable import XDnD

/// Each way to do wrong, as the other end of a drag sees it. That somebody dies is seen in `MisbehaviorToolTests`.
@Suite("Misbehaviour on the wire", .requiresXvfb, .timeLimit(.minutes(5)))
struct MisbehaviorTests {
  /// A fault, what is dragged where, and what the other end has to see.
  struct Wrong: Sendable, CustomTestStringConvertible {
    var id: String
    var scene = Scene.plain
    var isSeen: @Sendable (Log) -> Bool
    var testDescription: String { id }

    init(_ id: String, _ scene: Scene = .plain, _ isSeen: @escaping @Sendable (Log) -> Bool) {
      (self.id, self.scene, self.isSeen) = (id, scene, isSeen)
    }
  }

  /// What is dragged where.
  enum Scene: Sendable {
    /// Text, to somebody who takes it.
    case plain
    /// To somebody who says no.
    case refused
    /// To somebody who says no, and the source drops all the same.
    case refusedDrop
    /// In parts.
    case large
    case files
    case promise
    /// To somebody who asks for this.
    case asking(ContentType)
    /// To somebody who asks for several things at once.
    case askingForSeveral
    /// To somebody who wants to hear of no position but the first.
    case quiet
    /// Along a path.
    case path
    /// A drag that goes away again.
    case left
    /// From a source of an old version.
    case old
    /// To somebody who asks with time 0.
    case withoutTime
    /// From a source that refuses all content.
    case refusing
    /// From a source that never answers.
    case silent
  }

  @Test func `there is a test for each fault but deaths and slowness`() {
    func ids(_ side: Misbehavior.Side) -> [String] {
      Misbehavior.ids(of: side).filter { !$0.hasPrefix("die-") && $0 != "slow" }
    }
    #expect(Set(Self.ofSource.map(\.id)) == Set(ids(.source)))
    #expect(Set(Self.ofTarget.map(\.id)) == Set(ids(.target)))
    #expect(Set(ids(.source)).count == ids(.source).count && Set(ids(.target)).count == ids(.target).count)
  }

  @Test(arguments: ofSource) func `a target sees what a source does wrong, and only then`(_ wrong: Wrong) async throws {
    try await XServer.with { server in
      try await onOwnThread { [name = server.displayName] in
        let right = try Self.log(on: name, wrong.scene) { $0.target }
        let isSeen = wrong.isSeen(right)
        #expect(!isSeen, "\(right.lines.joined(separator: "\n"))")
        let log = try Self.log(on: name, wrong.scene, source: wrong.id) { $0.target }
        let isSeenNow = wrong.isSeen(log)
        #expect(isSeenNow, "\(log.lines.joined(separator: "\n"))")
      }
    }
  }

  @Test(arguments: ofTarget) func `a source sees what a target does wrong, and only then`(_ wrong: Wrong) async throws {
    try await XServer.with { server in
      try await onOwnThread { [name = server.displayName] in
        let right = try Self.log(on: name, wrong.scene) { $0.source }
        let isSeen = wrong.isSeen(right)
        #expect(!isSeen, "\(right.lines.joined(separator: "\n"))")
        let log = try Self.log(on: name, wrong.scene, target: wrong.id) { $0.source }
        let isSeenNow = wrong.isSeen(log)
        #expect(isSeenNow, "\(log.lines.joined(separator: "\n"))")
      }
    }
  }

  @Test func `a slow one is late with each message`() async throws {
    try await XServer.with { server in
      try await onOwnThread { [name = server.displayName] in
        let start = ContinuousClock.now
        _ = try Self.log(on: name, .plain, target: "slow") { $0.source }
        #expect(ContinuousClock.now - start > .seconds(2))
      }
    }
  }

  // MARK: What is wrong

  private static let ofSource = [
    Wrong("enter-version") { $0.words("XdndEnter", 1).contains { $0 >> 24 == 9 } },
    Wrong("enter-first") { $0.messages.first?.type.rawValue == "XdndPosition" },
    Wrong("source-window") { Set($0.words("XdndPosition", 0)).count == 2 },
    Wrong("type-list-bit") { $0.words("XdndEnter", 1).contains { $0 & 1 == 0 } },
    Wrong("type-list-names") { $0.read("XdndTypeList").contains { $0.names.contains(nil) } },
    Wrong("inline-types") { $0.messages("XdndEnter").contains { $0.words[2...] == [0, 0, 0] } },
    Wrong("selection-owned") { $0.owners.isEmpty && !$0.words("XdndEnter", 0).isEmpty },
    Wrong("position-waits") { $0.words("XdndPosition", 0).count == 2 },
    Wrong("position-time") { $0.words("XdndPosition", 3).contains(0) },
    Wrong("position-action") { $0.words("XdndPosition", 4).contains(0) },
    Wrong("position-coordinates") { $0.words("XdndPosition", 2).contains(0x7FFF_7FFF) },
    Wrong("action-list") { $0.read("XdndActionList").contains { $0.names == [AtomName("PRIMARY")] } },
    Wrong("hidden-requestor-served", .withoutTime) { $0.answers.contains { $0.property == nil } },
    Wrong("quiet-rectangle", .quiet) { $0.words("XdndPosition", 0).count == 3 },
    Wrong("leave-or-drop") { $0.messages.suffix(2).map(\.type.rawValue) == ["XdndDrop", "XdndLeave"] },
    Wrong("leave-or-drop", .left) { $0.messages("XdndLeave").isEmpty },
    Wrong("drop-accepted", .refused) { !$0.messages("XdndDrop").isEmpty },
    Wrong("drop-after-status") {
      $0.messages.map(\.type.rawValue) == ["XdndEnter", "XdndPosition", "XdndPosition", "XdndDrop"]
    },
    Wrong("drop-time") { $0.words("XdndDrop", 2) == [0] },
    Wrong("selection-kept") { $0.owners.contains(.none) },
    Wrong("unused-words-zero") { $0.words("XdndDrop", 3) == [0xDEAD] },
    Wrong("conversion-answered") { $0.answers.isEmpty },
    Wrong("advertised-delivered") { $0.answers.contains { $0.target?.rawValue == "text/plain" && $0.property == nil } },
    Wrong("answer-fields") { log in log.answers.contains { $0.time.rawValue == log.words("XdndDrop", 2)[0] + 1 } },
    Wrong("data-type") { $0.content.contains { $0.type?.rawValue == "x-wrong/type" } },
    Wrong("targets", .asking("TARGETS")) { $0.content.contains { $0.names.count == 1 } },
    Wrong("timestamp", .asking("TIMESTAMP")) { $0.content.contains { $0.bytes == [0, 0, 0, 0] } },
    Wrong("multiple", .askingForSeveral) {
      $0.answers.contains { $0.target?.rawValue == "MULTIPLE" && $0.property == nil }
    },
    Wrong("unadvertised-refused", .asking("a/nothing")) { $0.content.contains { $0.bytes == Array("nonsense".utf8) } },
    Wrong("uri-list-form", .files) { log in
      log.content.contains { $0.bytes.last == 0x0A && !$0.bytes.contains(0x0D) && $0.type == AtomName("text/uri-list") }
    },
    Wrong("text-form") { $0.content.contains { $0.bytes.last == 0 } },
    Wrong("incr-form", .large) { log in
      log.content.contains { $0.type == .incr && $0.bytes == [0xFF, 0xFF, 0xFF, 0x0F] }
    },
    Wrong("direct-save", .promise) { $0.read("XdndDirectSave0").contains { $0.bytes.starts(with: Array("../".utf8)) } },
    Wrong("silent") { $0.answers.isEmpty && !$0.messages("XdndDrop").isEmpty },
    Wrong("flood") { $0.messages("XdndPosition").count == 300 },
    Wrong("version-3") { $0.words("XdndEnter", 1).contains { $0 >> 24 == 3 } },
    Wrong("version-4") { $0.words("XdndEnter", 1).contains { $0 >> 24 == 4 } },
  ]

  private static let ofTarget = [
    Wrong("aware-version") { $0.read("XdndAware").contains { $0.bytes == [9, 0, 0, 0] } },
    Wrong("proxy-self") { $0.read("XdndProxy").contains { $0.bytes == [1, 0, 0, 0] } },
    Wrong("status-answers") { $0.messages("XdndStatus").isEmpty },
    Wrong("status-window") { log in log.words("XdndStatus", 0).contains { $0 == log.window.rawValue + 1 } },
    Wrong("status-action") { $0.messages("XdndStatus").contains { $0.names[4]?.rawValue.contains("text") == true } },
    Wrong("status-refusal", .refused) { $0.words("XdndStatus", 4).contains { $0 != 0 } },
    Wrong("status-reserved") { $0.words("XdndStatus", 1).contains { $0 > 3 } },
    Wrong("status-rectangle") { $0.words("XdndStatus", 3).contains(20 << 16 | 20) },
    Wrong("status-unasked") { $0.messages("XdndStatus").count == 2 },
    Wrong("finished-once") { $0.messages("XdndFinished").count == 2 },
    Wrong("finished-window") { log in log.words("XdndFinished", 0) == [log.window.rawValue + 1] },
    Wrong("finished-result") { $0.words("XdndFinished", 1) == [3] },
    Wrong("finished-action") { $0.words("XdndFinished", 2) == [0] },
    Wrong("finished-after-data", .large) { log in
      guard let finished = log.index(of: "< XdndFinished"), let last = log.index(of: "> written XDND_TRANSFER") else {
        return false
      }
      return finished < last
    },
    Wrong("refused-drop", .refusedDrop) { $0.words("XdndFinished", 1) == [1] },
    Wrong("session-forgotten", .left) { $0.words("XdndStatus", 1).count { $0 & 1 == 1 } == 2 },
    Wrong("unknown-types-refused", .refused) { $0.words("XdndStatus", 1).contains { $0 & 1 == 1 } },
    Wrong("version-negotiated", .old) { $0.messages("XdndStatus").isEmpty },
    Wrong("fetch-after-drop") { log in
      guard let early = log.firstIndex(of: "< convert"), let drop = log.index(of: "> XdndDrop") else { return false }
      return early < drop
    },
    Wrong("conversion-time") { $0.requests.contains { $0.time == .currentTime } },
    Wrong("conversion-advertised") { $0.requests.contains { $0.target?.rawValue == "x-unadvertised/type" } },
    Wrong("property-deleted") { !$0.left.isEmpty },
    Wrong("reads-incr", .large) { log in !log.events.contains { log.isDeleted($0) } },
    Wrong("incr-end-deleted", .large) { !$0.left.isEmpty },
    Wrong("refusal-ends-drop", .refusing) { $0.messages("XdndFinished").isEmpty },
    Wrong("silence-ends-drop", .silent) { $0.messages("XdndFinished").isEmpty },
    Wrong("silent") { $0.messages("XdndStatus").isEmpty && $0.messages("XdndFinished").isEmpty },
    Wrong("flood") { $0.messages("XdndStatus").count == 300 },
    Wrong("version-3") { $0.read("XdndAware")[0].bytes[0] == 3 && $0.words("XdndFinished", 1) == [0] },
    Wrong("version-4") { $0.read("XdndAware")[0].bytes[0] == 4 && $0.words("XdndFinished", 1) == [0] },
  ]
}
