import XDnDConformance
import TestSupport
import Testing
import XDnD

/// A window that takes one drop and remembers what it was offered.
struct ListeningTarget {
  let window: WindowID
  private let peer: ScriptedClient

  /// What a source has said to it.
  struct Visit: Sendable {
    /// Of `XdndEnter`, and of the list on the source's window.
    var types: [String] = []
    /// The answer to `TARGETS`.
    var targets: [String] = []
    /// What the source gave for the type that was asked for; `nil` if it was refused.
    var content: [UInt8]?
  }

  /// - Parameter className: The two halves of `WM_CLASS`; without it, the window has none.
  init(on server: XServer, className: (name: String, type: String)? = nil) throws {
    try #require(DisplayConnection.threadsAreReady)
    peer = try #require(ScriptedClient(connectingTo: server.displayName))
    window = peer.makeWindow(Rect(x: 600, y: 60, width: 300, height: 300))
    peer.setProperty("XdndAware", of: window, .init(type: AtomName(rawValue: "ATOM"), words: [5]))
    if let className {
      let text = Array(className.name.utf8) + [0] + Array(className.type.utf8) + [0]
      peer.setProperty("WM_CLASS", of: window, .init(type: AtomName(rawValue: "STRING"), bytes: text))
    }
  }

  /// Accepts each position with the same action, asks for a type when it is dropped on, and says that it has done that
  /// action.
  ///
  /// - Returns: What the source has said; `nil` if it has not dropped in time.
  func takeDrop(
    answering action: String = "XdndActionCopy", fetching type: String, within patience: Duration = .seconds(30)
  ) -> Visit? {
    let deadline = ContinuousClock.now + patience
    var visit = Visit()
    while let event = peer.next(until: deadline) {
      guard event.direction == .received, case .message(let message) = event.action else { continue }
      let source = WindowID(rawValue: message.words[0])
      switch message.type.rawValue {
      case "XdndEnter":
        let names =
          message.words[1] & 1 == 1
          ? peer.readProperty("XdndTypeList", of: source)?.words.map(peer.name) ?? []
          : (2...4).map { message.names[$0] }
        visit.types = names.compactMap { $0?.rawValue }
      case "XdndPosition": peer.send("XdndStatus", [.window(window), 3, 0, 0, .atom(action)], to: source)
      case "XdndDrop":
        visit.targets = ask("TARGETS").map { $0.words.compactMap { peer.name(of: $0)?.rawValue } } ?? []
        visit.content = ask(type)?.bytes
        peer.send("XdndFinished", [.window(window), 1, .atom(action)], to: source)
        return visit
      default: break
      }
    }
    return nil
  }

  private func ask(_ type: String) -> ScriptedClient.Content? {
    let question = peer.convert(
      "XdndSelection", to: type, property: "LISTENING_TARGET", on: window, at: peer.serverTime())
    guard case .content(let content) = peer.answer(to: question, within: .seconds(10)) else { return nil }
    return content
  }
}
