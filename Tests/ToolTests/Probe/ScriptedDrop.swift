import Foundation
import XDnDConformance
import Testing
import XDnD

/// A drop on a window by a source that answers conversions as a script says: what no honest source would answer, too.
struct ScriptedDrop {
  /// How one conversion is answered.
  enum Answer: Sendable {
    /// In one property, of this type and format.
    case property(type: String, format: Int = 8, [UInt8])
    /// By INCR, with the number that is announced, in parts, and at the end an empty one.
    case parts(announced: UInt32, [[UInt8]])
    /// By INCR, one byte each time that the last one was taken, and no end.
    case trickle
    /// By INCR, with the number that is announced, in parts, and then nothing any more.
    case stall(announced: UInt32, [[UInt8]])
    case refusal

    /// Text in one property that has the name of what was asked for.
    static func text(_ text: String, as type: String) -> Answer { .property(type: type, Array(text.utf8)) }
  }

  /// What the source offers, best first, and how it answers when it is asked for that.
  var content: [(type: String, answer: Answer)]
  /// `XdndActionList`; none if it is empty.
  var actions: [String] = []
  /// What the user of the source asks for.
  var requested = "XdndActionCopy"

  /// What the source was told.
  struct Outcome: Sendable {
    /// The action of the last Status; `nil` if that was a refusal.
    var status: String?
    /// The action of Finished; the empty one if the drop was rejected, `nil` if there was none.
    var finished: String?
    /// What was asked for, in order.
    var requests: [String] = []
  }

  /// Drags over a window and drops.
  ///
  /// - Parameter patience: How long to wait for the end.
  func perform(on window: Int, of display: String, patience: Duration = .seconds(20)) throws -> Outcome {
    let peer = try #require(ScriptedClient(connectingTo: display))
    let source = peer.makeWindow()
    let target = WindowID(rawValue: UInt32(window))
    peer.own("XdndSelection", by: source, at: peer.serverTime())
    let types = content.map(\.type)
    peer.setProperty("XdndTypeList", of: source, atoms: types)
    if !actions.isEmpty { peer.setProperty("XdndActionList", of: source, atoms: actions) }
    let flags: UInt32 = 5 << 24 | (types.count > 3 ? 1 : 0)
    let words = types.prefix(3).map(ScriptedClient.Word.atom)
    peer.send("XdndEnter", [.window(source), .number(flags)] + words, to: target)
    let place = try #require(peer.frame(of: target)?.origin)
    let point = UInt32(place.x + 20) << 16 | UInt32(place.y + 20)
    let time = peer.serverTime().rawValue
    peer.send(
      "XdndPosition", [.window(source), 0, .number(point), .number(time), .atom(requested)], to: target)
    var outcome = Outcome()
    let deadline = ContinuousClock.now + patience
    guard let status = Self.message("XdndStatus", peer, until: deadline), status.words[1] & 1 == 1 else {
      return outcome
    }
    outcome.status = status.names[4]?.rawValue
    peer.send("XdndDrop", [.window(source), 0, .number(time)], to: target)
    try serve(peer, until: deadline, &outcome)
    return outcome
  }

  private func serve(_ peer: ScriptedClient, until deadline: ContinuousClock.Instant, _ outcome: inout Outcome) throws {
    var parts: [String: ArraySlice<[UInt8]>] = [:]
    var trickling: Set<String> = []
    while let event = peer.next(until: deadline) {
      switch event.action {
      case .message(let message) where message.type.rawValue == "XdndFinished":
        outcome.finished = message.words[1] & 1 == 1 ? message.names[2]?.rawValue ?? "" : ""
        return
      case .conversion(let conversion):
        let target = conversion.target?.rawValue ?? ""
        let property = conversion.property?.rawValue ?? target
        outcome.requests.append(target)
        switch content.first(where: { $0.type == target })?.answer {
        case .property(let type, let format, let bytes):
          peer.answer(conversion, with: .init(type: AtomName(rawValue: type), format: format, bytes: bytes))
        case .parts(let announced, let list):
          parts[property] = (list + [[]])[...]
          announce(announced, conversion, property, peer)
        case .stall(let announced, let list):
          parts[property] = list[...]
          announce(announced, conversion, property, peer)
        case .trickle:
          trickling.insert(property)
          announce(0, conversion, property, peer)
        case .refusal, nil: peer.answer(conversion, with: nil)
        }
      case .property(let news) where news.change == .removed:
        let name = news.name.rawValue
        if let part = parts[name]?.popFirst() {
          peer.setProperty(name, of: news.window, .init(type: AtomName(rawValue: "text/plain"), bytes: part))
        } else if trickling.contains(name) {
          peer.setProperty(name, of: news.window, .init(type: AtomName(rawValue: "text/plain"), bytes: [0x2E]))
        }
      default: break
      }
    }
  }

  private func announce(_ size: UInt32, _ conversion: WireEvent.Conversion, _ property: String, _ peer: ScriptedClient)
  {
    peer.watch(conversion.requestor)
    peer.setProperty(property, of: conversion.requestor, .init(type: AtomName(rawValue: "INCR"), words: [size]))
    peer.notify(conversion)
  }

  private static func message(
    _ type: String, _ peer: ScriptedClient, until deadline: ContinuousClock.Instant
  ) -> WireEvent.Message? {
    let event = peer.next(until: deadline) { event in
      if case .message(let message) = event.action { message.type.rawValue == type } else { false }
    }
    if case .message(let message) = event?.action { return message }
    return nil
  }
}
