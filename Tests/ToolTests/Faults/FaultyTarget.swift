import Foundation
import Glibc
import XDnDConformance
import TestSupport
import XDnD

/// The behavior of a scripted target. The initial values keep the rules of conformance.
struct TargetBehavior: Sendable {
  /// A drag over the window.
  struct Visit: Sendable {
    let source: WindowID
    let version: UInt32
    let types: [String]
    /// The atom of the first type in XdndEnter.
    let firstType: UInt32
    /// The atom of the action that the last position asked for.
    var action: UInt32 = 0
  }

  /// The result of a conversion.
  enum Fetched: Sendable {
    case content, refusal, silence
  }

  /// The version in XdndAware.
  var version: UInt32 = 5
  /// The window in XdndProxy; `nil` for no such property.
  var proxy: UInt32?
  /// The oldest version of a source that it answers.
  var oldestVersion: UInt32 = 3
  /// Whether it waits a second before each message.
  var isSlow = false
  var changeStatus: @Sendable (inout [UInt32], Visit) -> Void = { _, _ in }
  var changeFinished: @Sendable (inout [UInt32], Visit) -> Void = { _, _ in }
  /// How many times it sends each XdndStatus.
  var statusCount = 1
  /// How many times it sends each XdndFinished.
  var finishedCount = 1
  /// Whether it finishes a drop after this result.
  var finishes: @Sendable (Fetched) -> Bool = { _ in true }
  /// Whether XdndLeave ends a visit.
  var forgetsVisits = true
  /// Whether it requests content at each position.
  var fetchesOnPosition = false
  /// The time in requests; `nil` for the one in XdndDrop.
  var requestTime: Timestamp?
  /// Whether it requests a type that is not offered, too.
  var requestsUnofferedType = false
  /// Whether XdndFinished follows the request at once.
  var finishesOnRequest = false
  /// Whether it deletes the property of content that it has read.
  var deletesContent = true
  /// Whether it reads the parts of an INCR transfer.
  var readsParts = true
  /// Whether it deletes the empty part that ends an INCR transfer.
  var deletesLastPart = true
  /// The message at which it closes its connection.
  var deadlyMessage: XdndMessageKind?
  /// Whether it closes its connection after its first request.
  var diesOnRequest = false
}

/// A window that takes drops. It keeps the rules of conformance, except those that its fault breaks.
struct FaultyTarget: Sendable {
  /// The types that it accepts, best first.
  var acceptedTypes = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"]
  /// Whether the window is destroyed after the first drop.
  var takesOneDrop = false

  private let behavior: TargetBehavior

  /// - Parameter fault: `nil` for a target without faults.
  init(_ fault: TargetFault? = nil) {
    var behavior = TargetBehavior()
    fault?.change(&behavior)
    self.behavior = behavior
  }

  /// Shows the window at ``DragScene/targetFrame``. It takes drops until the server ends.
  func start(on server: XServer) async throws -> WindowID {
    let name = server.displayName
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        guard DisplayConnection.threadsAreReady, let peer = ScriptedClient(connectingTo: name) else {
          return continuation.resume(throwing: HarnessError("cannot connect to \(name)"))
        }
        let run = TargetRun(behavior, by: peer, accepting: acceptedTypes, takesOneDrop: takesOneDrop)
        continuation.resume(returning: run.window)
        run.perform()
      }
    }
  }
}

private final class TargetRun {
  let window: WindowID
  private let behavior: TargetBehavior
  private let peer: ScriptedClient
  private let acceptedTypes: [String]
  private let takesOneDrop: Bool
  private let copy: UInt32
  private var visit: TargetBehavior.Visit?

  private static let property = "FAULTY_TARGET"
  /// How long it waits for an answer, and for each part of an INCR transfer.
  private static let patience = Duration.seconds(5)

  init(_ behavior: TargetBehavior, by peer: ScriptedClient, accepting acceptedTypes: [String], takesOneDrop: Bool) {
    self.behavior = behavior
    self.peer = peer
    self.acceptedTypes = acceptedTypes
    self.takesOneDrop = takesOneDrop
    copy = peer.atom("XdndActionCopy")
    window = peer.makeWindow(DragScene.targetFrame, mapped: true)
    if let proxy = behavior.proxy {
      peer.setProperty("XdndProxy", of: window, ScriptedClient.Content(type: AtomName("WINDOW"), words: [proxy]))
    }
    peer.setProperty("XdndAware", of: window, ScriptedClient.Content(type: .atom, words: [behavior.version]))
  }

  /// Takes drops until the connection is lost or the behavior ends it.
  func perform() {
    while !peer.isClosed {
      let event = peer.next(until: .now + .seconds(1)) { if case .message = $0.action { true } else { false } }
      guard case .message(let message)? = event?.action, let kind = message.kind else { continue }
      if kind == behavior.deadlyMessage { return }
      switch kind {
      case .enter: enter(message)
      case .position: answer(message)
      case .leave: if behavior.forgetsVisits { visit = nil }
      case .drop:
        take(message)
        if takesOneDrop || behavior.diesOnRequest { return }
      case .status, .finished: break
      }
    }
  }

  // MARK: Hovering

  private func enter(_ message: WireEvent.Message) {
    let source = message.xdnd.sender
    var types = message.inlineTypes
    if message.xdnd.hasTypeList {
      types = (peer.readProperty("XdndTypeList", of: source)?.words ?? []).compactMap(peer.name)
    }
    visit = TargetBehavior.Visit(
      source: source, version: message.xdnd.statedVersion, types: types.map(\.rawValue), firstType: message.words[2])
    if message.xdnd.statedVersion < behavior.oldestVersion { visit = nil }
  }

  private func acceptedType(of visit: TargetBehavior.Visit) -> String? {
    acceptedTypes.first(where: visit.types.contains)
  }

  private func answer(_ position: WireEvent.Message) {
    guard var visit else { return }
    visit.action = position.words[4]
    self.visit = visit
    let type = acceptedType(of: visit)
    if behavior.fetchesOnPosition, let type {
      request(type, at: position.xdnd.positionTime)
      read(type)
    }
    var words = type == nil ? [window.rawValue, 0, 0, 0, 0] : [window.rawValue, 3, 0, 0, copy]
    behavior.changeStatus(&words, visit)
    for _ in 0..<behavior.statusCount { send(.status, words, to: visit.source) }
  }

  private func send(_ kind: XdndMessageKind, _ words: [UInt32], to source: WindowID) {
    if behavior.isSlow { sleep(1) }
    peer.send(kind.rawValue, words.map(ScriptedClient.Word.number), to: source)
  }

  // MARK: The drop

  private func take(_ drop: WireEvent.Message) {
    guard let visit else { return }
    self.visit = nil
    guard let type = acceptedType(of: visit) else { return finish(visit, isSuccess: false) }
    let time = behavior.requestTime ?? drop.xdnd.dropTime
    if behavior.requestsUnofferedType {
      request("x-unoffered/type", at: time)
      read("x-unoffered/type")
    }
    request(type, at: time)
    if behavior.diesOnRequest { return }
    if behavior.finishesOnRequest { finish(visit, isSuccess: true) }
    let fetched = read(type)
    if behavior.finishesOnRequest || !behavior.finishes(fetched) { return }
    finish(visit, isSuccess: fetched == .content)
  }

  private func finish(_ visit: TargetBehavior.Visit, isSuccess: Bool) {
    // Before version 5, XdndFinished reports no result.
    var words = isSuccess && visit.version >= 5 ? [window.rawValue, 1, copy] : [window.rawValue, 0, 0]
    behavior.changeFinished(&words, visit)
    for _ in 0..<behavior.finishedCount { send(.finished, words, to: visit.source) }
  }

  private func request(_ type: String, at time: Timestamp) {
    peer.convert("XdndSelection", to: type, property: Self.property, on: window, at: time)
  }

  /// Waits for the answer to a request and reads the content.
  @discardableResult
  private func read(_ type: String) -> TargetBehavior.Fetched {
    let event = peer.next(until: .now + Self.patience) { event in
      if case .converted(let answer) = event.action { answer.target?.rawValue == type } else { false }
    }
    guard case .converted(let answer)? = event?.action else { return .silence }
    guard answer.property != nil else { return .refusal }
    guard peer.readProperty(Self.property, of: window)?.type == .incr else {
      if behavior.deletesContent { deleteProperty() }
      return .content
    }
    return readParts()
  }

  private func readParts() -> TargetBehavior.Fetched {
    guard behavior.readsParts else {
      // Longer than a source waits for the deletion of a part.
      _ = peer.next(until: .now + .seconds(12)) { _ in false }
      return .silence
    }
    func isPart(_ event: WireEvent) -> Bool {
      guard case .property(let news) = event.action else { return false }
      return news.change == .changed && news.window == window && news.name.rawValue == Self.property
    }
    // The change that announced INCR is no part.
    while peer.next(where: isPart) != nil {}
    deleteProperty()
    while peer.next(until: .now + Self.patience, where: isPart) != nil {
      guard let part = peer.readProperty(Self.property, of: window) else { continue }
      let isLast = part.bytes.isEmpty
      if !isLast || behavior.deletesLastPart { deleteProperty() }
      if isLast { return .content }
    }
    return .silence
  }

  private func deleteProperty() { peer.deleteProperty(Self.property, of: window) }
}
