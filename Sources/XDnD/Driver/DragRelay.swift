/// Passes drags over another client's window on to that client, outside the parts where this program takes drops.
final class DragRelay {
  private let window: WindowID
  private let context: DriverContext
  /// Called with each message that was held until the window's place was known, and with its addressee.
  private let resume: (XdndMessage, WindowID) -> Void
  private var machine = RelayMachine()
  /// The question for the window's place in this visit; `nil` once it is answered.
  private var question: Question?
  private var isFollowing = false
  /// The messages that wait for the window's place, each with the window that it was sent to.
  private var held: [(message: XdndMessage, addressee: WindowID)] = []
  /// A Leave that is withheld from the window's owner, and the question whether the pointer is still over the window.
  /// If it is, only the question becomes `nil`: GTK 4 sends such a Leave to a proxy, and continues with the window
  /// itself.
  private var leave: (message: XdndMessage, question: Question?)?

  init(_ window: WindowID, _ context: DriverContext, resume: @escaping (XdndMessage, WindowID) -> Void) {
    self.window = window
    self.context = context
    self.resume = resume
  }

  /// Takes a message to the window or its proxy.
  ///
  /// - Parameters:
  ///   - addressee: The window or its proxy.
  ///   - parts: Where this program takes drops, in the window's coordinates; `nil` for the whole window.
  /// - Returns: The messages for this program.
  func receive(_ message: XdndMessage, sentTo addressee: WindowID, parts: [Rect]?) -> [XdndMessage] {
    if case .enter = message {
      if leave?.question != nil { sendLeave() }
      leave = nil
      follow()
    }
    guard question == nil else {
      held.append((message, addressee))
      return []
    }
    return deliver(message, sentTo: addressee, parts: parts)
  }

  private func placeSettled() {
    question = nil
    let messages = held
    held = []
    for (message, addressee) in messages { resume(message, addressee) }
  }

  /// Ends the visit: its drag is over, or the window is unregistered.
  func end() {
    sendLeave()
    endVisit()
  }

  private func endVisit() {
    machine.end()
    question = nil
    held = []
    guard isFollowing else { return }
    isFollowing = false
    context.system.unfollow(window)
  }

  private func follow() {
    guard !isFollowing else { return }
    isFollowing = true
    question = context.system.follow(window) { [unowned self] in placeSettled() }
  }

  private func deliver(_ message: XdndMessage, sentTo addressee: WindowID, parts: [Rect]?) -> [XdndMessage] {
    var own: [XdndMessage] = []
    // The owner would answer in the window's name, but the source of a message to the proxy expects the proxy's name.
    let side = addressee == window ? side(of: message, parts: parts) : .own
    for delivery in machine.receive(message, at: side) {
      switch delivery.side {
      case .own: own.append(delivery.message)
      case .owner: pass(delivery.message, isSources: delivery.message == message)
      }
    }
    if machine.source == nil { endVisit() }
    return own
  }

  /// - Parameter isSources: Whether it is the source's own message.
  private func pass(_ message: XdndMessage, isSources: Bool) {
    if case .leave = message, isSources {
      let question = context.system.findPointer(over: window) { [unowned self] place in
        if place != nil { leave?.question = nil } else { sendLeave() }
      }
      leave = (message, question)
    } else {
      send(message)
    }
  }

  private func sendLeave() {
    if let leave { send(leave.message) }
    leave = nil
  }

  private func send(_ message: XdndMessage) { context.system.send(message, version: .v5, to: window, via: window) }

  private func side(of message: XdndMessage, parts: [Rect]?) -> RelayMachine.Side {
    guard let parts, case .position(let position) = message,
      let place = context.system.translate(position.point, to: window)
    else { return .own }
    return parts.contains { $0.contains(place) } ? .own : .owner
  }
}
