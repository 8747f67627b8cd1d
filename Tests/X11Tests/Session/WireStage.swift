import XDnDX11
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Two programs in one thread, of which one drops on the window of the other.
final class WireStage {
  let source: WireSide
  let target: WireSide
  let window: WindowID

  init(_ display: String) throws {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    source = try WireSide(display)
    target = try WireSide(display)
    window = try target.makeWindow()
    target.driver.registerDropTarget(window, accepting: DropOffer([.plainText, "*/*", .directSave]), delegate: target)
    try target.driver.process()
    // The server serves two connections in any order.
    if let display = target.driver.display { XSync(display, 0) }
  }

  func drop(_ items: [DragItem], asking operation: DragOperation? = nil) throws -> DragOutcome? {
    let drag = source.driver.drop(items, on: window, asking: operation)
    try run { drag.outcome == nil }
    return drag.outcome
  }

  func run(while condition: () -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    while condition(), .now < end {
      try source.driver.process()
      try target.driver.process()
      var descriptors = [source, target].map {
        pollfd(fd: $0.driver.fileDescriptor, events: Int16(POLLIN), revents: 0)
      }
      poll(&descriptors, 2, 10)
    }
    try source.driver.process()
    try target.driver.process()
  }

  /// Runs both programs until all requests are answered and all events processed.
  ///
  /// - Returns: The number of requests that each program made only to synchronize.
  func settle() throws -> UInt {
    var rounds: UInt = 0
    while true {
      rounds += 1
      var isQuiet = true
      for side in [source, target] {
        let before = XNextRequest(side.driver.display)
        XSync(side.driver.display, 0)
        try side.driver.process()
        if XNextRequest(side.driver.display) - before > 1 { isQuiet = false }
      }
      if isQuiet { return rounds }
    }
  }
}

/// A program that notes what goes over its wire, and takes text.
final class WireSide: DropDelegate {
  let driver: DragAndDrop
  private(set) var events: [WireEvent] = []
  private(set) var received: [UInt8]?
  /// Instead of loading and finishing.
  var onDrop: ((DropSession) -> Void)?

  init(_ display: String) throws {
    driver = try DragAndDrop(connectingTo: display)
    listens(true)
  }

  func listens(_ listens: Bool) {
    driver.onWireEvent = listens ? { [weak self] in self?.events.append($0) } : nil
  }

  func makeWindow() throws -> WindowID {
    let display = try #require(driver.display)
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 100, 100, 200, 200, 0, 0, 0)
    XMapWindow(display, window)
    return WindowID(window)
  }

  func performDrop(_ drop: DropSession) {
    if let onDrop { return onDrop(drop) }
    drop.load("text/plain") { [weak self] (result: Result<LoadedContent, XDnDError>) in
      if case .success(let content) = result { self?.received = content.bytes }
      drop.finish(.copy)
    }
  }

  func clear() { events = [] }

  /// The events without what differs from run to run.
  var log: [String] { events.map(\.line) }

  func properties(_ change: WireEvent.Property.Change) -> [WireEvent.Property] {
    events.compactMap {
      if case .property(let property) = $0.action, property.change == change { property } else { nil }
    }
  }
}

extension WireEvent {
  /// `> XdndStatus target,3,0,0,XdndActionCopy`: windows by who they are, and without times.
  var line: String {
    func name(_ name: AtomName?) -> String { name?.rawValue ?? "-" }
    let words =
      switch action {
      case .message(let message): "\(message.type) " + message.fields.joined(separator: ",")
      case .conversion(let conversion):
        "convert \(conversion.selection) \(name(conversion.target)) \(name(conversion.property))"
      case .converted(let conversion):
        "converted \(conversion.selection) \(name(conversion.target)) \(name(conversion.property))"
      case .owner(let selection, let owner, _): "owner \(selection) \(owner == .none ? "none" : "somebody")"
      case .property(let property):
        "\(property.change.rawValue) \(property.name) \(name(property.type)) \(property.format) "
          + (property.names.isEmpty ? "\(property.byteCount)" : property.names.map(name).joined(separator: ","))
      case .vanished: "vanished"
      }
    return (direction == .sent ? "> " : "< ") + words
  }
}

extension WireEvent.Message {
  fileprivate var fields: [String] {
    words.indices.map { index in
      if let name = names[index] { return name.rawValue }
      switch (type.rawValue, index) {
      case ("XdndStatus", 0), ("XdndFinished", 0): return "target"
      case (_, 0): return "source"
      case ("XdndPosition", 3), ("XdndDrop", 2): return "time"
      default: return "\(words[index])"
      }
    }
  }
}
