import Glibc
import XDnDConformance
import TestSupport
import Testing
import XDnD

/// The behavior of a scripted source. The initial values keep the rules of conformance.
struct SourceBehavior: Sendable {
  struct Request: Sendable {
    var conversion: WireEvent.Conversion
    var target: String
    /// Whether the target is one of the offered types.
    var isOffered: Bool
  }

  enum Answer: Sendable {
    case content(ScriptedClient.Content)
    case refusal
    case silence
  }

  /// The content, best first.
  var content: [(type: String, bytes: [UInt8])] =
    ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING"].map { ($0, Array("Hello".utf8)) }
  /// The file name of a direct save; `nil` offers none.
  var savedName: String? = "note.txt"
  /// The length of the parts and the announced size of INCR transfers; `nil` sends each content in one property.
  var parts: (length: Int, announced: UInt32)?
  /// Whether the drag stays in the right quarter of the window, where `xdnd-probe check` refuses drops.
  var isInRightQuarter = false
  /// Whether it drops after a refusal, too.
  var dropsWhenRefused = false
  /// Whether it waits a second before each message and each answer.
  var isSlow = false
  /// Whether it closes its connection at the first conversion request.
  var diesOnRequest = false
  var changeScript: @Sendable (inout SourceScript) -> Void = { _ in }
  /// Changes the atoms of XdndTypeList.
  var changeTypeList: @Sendable (inout [UInt32]) -> Void = { _ in }
  /// Changes the atoms of XdndActionList.
  var changeActionList: @Sendable (inout [UInt32]) -> Void = { _ in }
  /// Returns the answer to a request, given the one that keeps the rules.
  var answer: @Sendable (Request, Answer) -> Answer = { _, answer in answer }
  /// Changes the fields of a `SelectionNotify`.
  var changeNotice: @Sendable (inout WireEvent.Conversion) -> Void = { _ in }

  var types: [String] { content.map { $0.type } + (savedName == nil ? [] : ["XdndDirectSave0"]) }
}

/// A source that drags over a window and drops on it, without a pointer. It keeps the rules of conformance, except
/// those that its fault breaks.
struct FaultySource: Sendable {
  struct Outcome: Sendable {
    /// Whether the last XdndStatus accepted.
    var isAccepted = false
  }

  private let behavior: SourceBehavior

  /// - Parameter fault: `nil` for a source without faults.
  init(_ fault: SourceFault? = nil) {
    var behavior = SourceBehavior()
    fault?.change(&behavior)
    self.behavior = behavior
  }

  /// Drags and drops, and serves requests until XdndFinished or until the window is gone.
  @discardableResult
  func drop(on window: Int, of server: XServer) async throws -> Outcome {
    let target = WindowID(rawValue: UInt32(window))
    return try await onOwnThread { [behavior, name = server.displayName] in
      try #require(DisplayConnection.threadsAreReady)
      let peer = try #require(ScriptedClient(connectingTo: name))
      let frame = try #require(peer.frame(of: target))
      return SourceRun(behavior, by: peer, on: target).perform(in: frame)
    }
  }
}

private final class SourceRun {
  private let behavior: SourceBehavior
  private let peer: ScriptedClient
  private let source: WindowID
  private let target: WindowID
  private let time: Timestamp
  private var outcome = FaultySource.Outcome()
  private var hasDisowned = false
  /// The INCR transfers: the type, and the parts that are still to be sent.
  private var transfers: [WindowProperty: (type: AtomName, parts: ArraySlice<[UInt8]>)] = [:]

  init(_ behavior: SourceBehavior, by peer: ScriptedClient, on target: WindowID) {
    self.behavior = behavior
    self.peer = peer
    self.target = target
    source = peer.makeWindow()
    time = peer.serverTime()
    peer.watch(target)
  }

  func perform(in frame: Rect) -> FaultySource.Outcome {
    setProperties()
    var script = SourceScript(
      of: source, along: places(in: frame), at: time, types: behavior.types.map(peer.atom),
      action: peer.atom("XdndActionCopy"))
    behavior.changeScript(&script)
    for step in script.steps {
      switch step {
      case .own: peer.own("XdndSelection", by: source, at: time)
      case .disown:
        peer.disown("XdndSelection", at: time)
        hasDisowned = true
      case .send(let message):
        if message.kind == .drop {
          // A window may have sent more statuses than the script waits for.
          while takeStatus(until: .now) {}
          guard outcome.isAccepted || behavior.dropsWhenRefused else {
            send(SourceScript.Message(kind: .leave, words: [source.rawValue]))
            return outcome
          }
        }
        send(message)
        if message.awaitsStatus { takeStatus(until: .now + .seconds(5)) }
      case .die: return outcome
      }
    }
    serve(until: .now + .seconds(60))
    return outcome
  }

  private func places(in frame: Rect) -> [Point] {
    let x = behavior.isInRightQuarter ? frame.origin.x + frame.width * 7 / 8 : frame.middle.x
    return [0, 5, 10].map { Point(x: x + $0, y: frame.middle.y) }
  }

  private func setProperties() {
    var types = behavior.types.map(peer.atom)
    behavior.changeTypeList(&types)
    if types.count > 3 {
      peer.setProperty("XdndTypeList", of: source, ScriptedClient.Content(type: .atom, words: types))
    }
    var actions = [peer.atom("XdndActionCopy")]
    behavior.changeActionList(&actions)
    peer.setProperty("XdndActionList", of: source, ScriptedClient.Content(type: .atom, words: actions))
    if let name = behavior.savedName {
      let content = ScriptedClient.Content(type: AtomName("text/plain"), bytes: Array(name.utf8))
      peer.setProperty("XdndDirectSave0", of: source, content)
    }
  }

  private func send(_ message: SourceScript.Message) {
    if behavior.isSlow { sleep(1) }
    peer.send(message.kind.rawValue, message.words.map(ScriptedClient.Word.number), to: target)
  }

  /// Takes the next XdndStatus. Returns whether one came in time.
  @discardableResult
  private func takeStatus(until deadline: ContinuousClock.Instant) -> Bool {
    let event = peer.next(until: deadline) { event in
      if case .message(let message) = event.action { message.kind == .status } else { false }
    }
    guard case .message(let status)? = event?.action else { return false }
    outcome.isAccepted = status.xdnd.isAcceptance
    return true
  }

  // MARK: Content

  private func serve(until deadline: ContinuousClock.Instant) {
    while let event = peer.next(until: deadline) {
      switch event.action {
      case .message(let message) where message.kind == .finished: return
      case .conversion where behavior.diesOnRequest: return
      case .conversion(let conversion): answer(conversion)
      case .property(let news) where news.change == .removed: sendPart(to: news.place)
      case .vanished(let window) where window == target: return
      default: break
      }
    }
  }

  private func answer(_ conversion: WireEvent.Conversion) {
    guard let target = conversion.target?.rawValue, let place = conversion.place else { return }
    let request = SourceBehavior.Request(
      conversion: conversion, target: target, isOffered: behavior.types.contains(target))
    var notice = conversion
    switch behavior.answer(request, rightAnswer(to: request, at: place)) {
    case .silence: return
    case .refusal: notice.property = nil
    case .content(let content):
      notice.property = place.name
      write(request.isOffered ? announced(content, at: place) : content, to: place)
    }
    behavior.changeNotice(&notice)
    if behavior.isSlow { sleep(1) }
    peer.notify(notice)
  }

  /// The answer that keeps the rules.
  private func rightAnswer(to request: SourceBehavior.Request, at place: WindowProperty) -> SourceBehavior.Answer {
    guard !hasDisowned else { return .refusal }
    switch request.target {
    case "TARGETS":
      let names = ["TARGETS", "MULTIPLE", "TIMESTAMP"] + behavior.types
      return .content(ScriptedClient.Content(type: .atom, words: names.map(peer.atom)))
    case "TIMESTAMP": return .content(ScriptedClient.Content(type: .integer, words: [time.rawValue]))
    case "MULTIPLE": return several(at: place)
    // The source cannot save the file.
    case "XdndDirectSave0" where request.isOffered:
      return .content(ScriptedClient.Content(type: .string, bytes: Array("E".utf8)))
    default: return content(of: request.target).map(SourceBehavior.Answer.content) ?? .refusal
    }
  }

  private func content(of type: String) -> ScriptedClient.Content? {
    let bytes = behavior.content.first { $0.type == type }?.bytes
    return bytes.map { ScriptedClient.Content(type: AtomName(type), bytes: $0) }
  }

  /// Writes the content for each pair of type and property in a list, and `None` for types that are not offered.
  private func several(at place: WindowProperty) -> SourceBehavior.Answer {
    guard var pairs = peer.readProperty(place.name.rawValue, of: place.window)?.words else { return .refusal }
    for index in stride(from: 0, to: pairs.count - 1, by: 2) {
      if let type = peer.name(of: pairs[index]), let property = peer.name(of: pairs[index + 1]),
        let content = content(of: type.rawValue)
      {
        write(content, to: WindowProperty(property, of: place.window))
      } else {
        pairs[index + 1] = 0
      }
    }
    return .content(ScriptedClient.Content(type: .atomPair, words: pairs))
  }

  /// Begins an INCR transfer if the content goes by one. Returns the content of the first property.
  private func announced(_ content: ScriptedClient.Content, at place: WindowProperty) -> ScriptedClient.Content {
    guard let (length, size) = behavior.parts else { return content }
    let bytes = content.bytes
    let parts = stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
    transfers[place] = (type: content.type, parts: (parts + [[]])[...])
    peer.watch(place.window)
    return ScriptedClient.Content(type: .incr, words: [size])
  }

  private func sendPart(to place: WindowProperty) {
    guard let type = transfers[place]?.type, let part = transfers[place]?.parts.popFirst() else { return }
    write(ScriptedClient.Content(type: type, bytes: part), to: place)
  }

  private func write(_ content: ScriptedClient.Content, to place: WindowProperty) {
    peer.setProperty(place.name.rawValue, of: place.window, content)
  }
}
