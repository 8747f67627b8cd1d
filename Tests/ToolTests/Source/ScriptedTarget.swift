import XDnDConformance
import TestSupport
import XDnD

/// A window that takes drops by a script: a peer that does one thing at a time that a toolkit was seen to do.
struct ScriptedTarget: Sendable {
  enum Step: Sendable {
    /// Asks for a conversion, and takes the answer.
    case convert(String)
    /// Asks for a conversion, and takes so many parts of its answer by INCR.
    case take(String, parts: Int)
    /// Does nothing until something is so.
    case idle(until: @Sendable () -> Bool)
    case finish(isAccepted: Bool, action: String = "")
    case pause(Duration)
  }

  static let title = "scripted target"

  var version: UInt32 = 5
  /// What it says in each Status.
  var action = "XdndActionCopy"
  var onPosition: [Step] = []
  var onDrop: [Step]

  private static let patience = Duration.seconds(30)
  private static let property = "SCRIPTED"

  /// Plays its part in one drag.
  ///
  /// - Returns: How its conversions were answered.
  func play(on server: XServer) async throws -> [ScriptedClient.Answer] {
    try await onOwnThread {
      guard DisplayConnection.threadsAreReady, let peer = ScriptedClient(connectingTo: server.displayName) else {
        throw HarnessError("cannot connect to \(server.displayName)")
      }
      return perform(with: peer)
    }
  }

  private func perform(with peer: ScriptedClient) -> [ScriptedClient.Answer] {
    let window = peer.makeWindow(Rect(x: 600, y: 60, width: 300, height: 300), title: Self.title, mapped: true)
    peer.setProperty(
      "XdndAware", of: window, ScriptedClient.Content(type: AtomName(rawValue: "ATOM"), words: [version]))
    var answers: [ScriptedClient.Answer] = []
    while case .message(let message) = peer.next(until: .now + Self.patience, where: Self.isMessage)?.action {
      let source = WindowID(rawValue: message.words[0])
      switch message.type.rawValue {
      case "XdndPosition":
        answers += run(onPosition, window, source, at: Timestamp(rawValue: message.words[3]), with: peer)
        peer.send("XdndStatus", [.window(window), 1, 0, 0, .atom(action)], to: source)
      case "XdndDrop":
        return answers + run(onDrop, window, source, at: Timestamp(rawValue: message.words[2]), with: peer)
      default: break
      }
    }
    return answers
  }

  private static func isMessage(_ event: WireEvent) -> Bool {
    if case .message(let message) = event.action { message.words.count == 5 } else { false }
  }

  private func run(
    _ steps: [Step], _ window: WindowID, _ source: WindowID, at time: Timestamp, with peer: ScriptedClient
  ) -> [ScriptedClient.Answer] {
    steps.compactMap { step in
      switch step {
      case .convert(let target):
        let conversion = peer.convert("XdndSelection", to: target, property: Self.property, on: window, at: time)
        return peer.answer(to: conversion, within: Self.patience)
      case .take(let target, let parts):
        peer.convert("XdndSelection", to: target, property: Self.property, on: window, at: time)
        take(parts, of: window, with: peer)
        return nil
      case .idle(let isOver):
        let deadline = ContinuousClock.now + Self.patience
        while !isOver(), .now < deadline { _ = peer.next(until: .now + .milliseconds(20), where: { _ in false }) }
        return nil
      case .finish(let isAccepted, let action):
        peer.send("XdndFinished", [.window(window), isAccepted ? 1 : 0, .atom(action)], to: source)
        return nil
      case .pause(let duration):
        // Something else happens on the screen meanwhile, and is kept.
        _ = peer.next(until: .now + duration, where: { _ in false })
        return nil
      }
    }
  }

  /// Takes the first parts of an INCR transfer.
  private func take(_ parts: Int, of window: WindowID, with peer: ScriptedClient) {
    func isAnswer(_ event: WireEvent) -> Bool { if case .converted = event.action { true } else { false } }
    func isPart(_ event: WireEvent) -> Bool {
      guard case .property(let news) = event.action else { return false }
      return news.change == .changed && news.window == window && news.name.rawValue == Self.property
    }
    guard peer.next(until: .now + Self.patience, where: isAnswer) != nil else { return }
    // What has announced INCR is no part.
    while peer.next(where: isPart) != nil {}
    peer.deleteProperty(Self.property, of: window)
    for _ in 0..<parts {
      guard peer.next(until: .now + Self.patience, where: isPart) != nil else { return }
      _ = peer.readProperty(Self.property, of: window, delete: true)
    }
  }
}

extension XServer {
  /// Has `xdnd-source --to` drop on a scripted window, and returns when both are done.
  func deliver(
    to target: ScriptedTarget, _ arguments: [String]
  ) async throws -> (source: ChildProcess, exit: ExitStatus, answers: [ScriptedClient.Answer]) {
    let source = try launchBareSource(["--to", ScriptedTarget.title, "--timeout", "60"] + arguments)
    let answers = try await target.play(on: self)
    return (source, try await source.exit(), answers)
  }
}
