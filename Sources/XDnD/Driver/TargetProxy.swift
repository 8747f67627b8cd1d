import Logging

/// Runs the proxy of a drop target that is another client's window.
final class TargetProxy {
  /// The proxy, a window of this program. Messages to the target are delivered to it, and it requests the content of
  /// drops: this program gets no events of a transfer to another client's window.
  let proxy: WindowID
  private let window: WindowID
  private var machine: ProxyMachine
  private let context: DriverContext
  private var question: Question?
  /// Where the pointer was last found over the window.
  private var place: ForeignPlace?
  /// The serial number of the first request for the window. Earlier changes are in the properties that the machine
  /// began with. They may be this program's own, from an earlier registration.
  private let firstSerial: UInt
  /// The serial numbers of the requests that wrote a property. The first change that the server reports for one of them
  /// is this program's.
  private var writing: [AtomName: ClosedRange<UInt>] = [:]
  /// Called when another client has changed the properties that make the window a target.
  var onReplaced: () -> Void = {}

  /// Claims a window. Makes a few round trips.
  init(_ window: WindowID, _ context: DriverContext) throws(ProxyMachine.Refusal) {
    let system = context.system
    firstSerial = system.nextSerial
    // Before the properties are read: later changes arrive as events.
    system.watch(window, for: Self.interest)
    do {
      machine = try ProxyMachine(claiming: system.foreignWindow(window))
    } catch {
      system.unwatch(window, for: Self.interest)
      throw error
    }
    self.window = window
    self.context = context
    proxy = system.createProxy()
    system.write(.window(proxy), to: .xdndProxy, of: proxy)
    system.write(.advertisedAwareness, to: .xdndAware, of: proxy)
    for effect in machine.claim(for: proxy) { perform(effect) }
    system.flush()
  }

  /// Whether the client that has created the window takes drops itself.
  var isOwnerAware: Bool { machine.isOwnerAware }

  private static let interest: WindowInterest = [.destruction, .properties]

  /// Takes a change of a property, unless this program has made it.
  func propertyChanged(_ property: AtomName, serial: UInt) {
    guard serial >= firstSerial else { return }
    guard writing[property]?.contains(serial) != true else { return writing[property] = nil }
    receive(.propertyChanged(property))
  }

  func receive(_ input: ProxyMachine.Input) {
    let effects = machine.receive(input)
    for effect in effects {
      context.logger.trace("proxy", metadata: ["window": "\(window)", "effect": "\(effect)"])
      perform(effect)
    }
  }

  private func perform(_ effect: ProxyMachine.Effect) {
    switch effect {
    case .findPointer:
      question = context.system.findPointer(over: window) { [unowned self] in
        place = $0
        receive(.pointerFound(isOver: place != nil))
      }
    case .cover: if let place { context.system.cover(place, with: proxy) }
    case .uncover: context.system.uncover(proxy)
    case .write(let value, let name):
      let first = context.system.nextSerial
      context.system.write(value, to: name, of: window)
      writing[name] = first...max(first, context.system.nextSerial &- 1)
    case .delete(let name): context.system.delete(name, of: window)
    case .ended(let end):
      context.system.unwatch(window, for: Self.interest)
      if end == .replaced { onReplaced() }
    }
  }
}
