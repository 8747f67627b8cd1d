// Only debug builds have `@testable` imports, and `swift build -c release` builds this target, too.
#if DEBUG
import Glibc

@testable package import XDnD

/// The source of a direct save, without our library: it saves, or does not, in its own way.
///
/// It works on anything that is a window system, so the same one drags on the simulated server and on a real one.
package final class SavingSource {
  private let system: any WindowSystem
  package let window: WindowID
  /// The window that it drags over.
  private let target: WindowID
  /// The data, if it is offered as `application/octet-stream` too.
  package var data: [UInt8]?
  /// What else it offers, three types in all at most.
  package var contents: [AtomName: [UInt8]] = [:]
  /// Whether it offers to save a file.
  package var offersSave = true
  /// What it asks for.
  package var operation = DragOperation.copy
  /// Saves to a path, and says what the answer is; `nil` refuses.
  package var save: (String) -> String? = { _ in nil }
  /// Called when the target says that the drop is over.
  package var onFinished: () -> Void = {}
  /// Whether it answers at all.
  package var isSilent = false
  /// What the property was when it was asked to save.
  package private(set) var address: (type: AtomName, text: String)?
  /// The path that it was last asked to save to.
  package private(set) var path = ""
  package private(set) var statuses: [XdndMessage.Status] = []
  package private(set) var finished: [XdndMessage.Finished] = []
  package private(set) var requests: [AtomName] = []
  private var pending: SelectionRequest?

  package init(_ system: any WindowSystem, window: WindowID, target: WindowID) {
    self.system = system
    self.window = window
    self.target = target
  }

  /// The property as it is now; `nil` if there is none.
  package var property: [UInt8]? { system.value(of: .xdndDirectSave, on: window)?.bytes }

  package func promise(_ name: [UInt8], as type: AtomName = AtomName("text/plain")) {
    system.write(PropertyValue(type: type, contents: .bytes(name[...])), to: .xdndDirectSave, of: window)
  }

  package func removeProperty() { system.delete(.xdndDirectSave, of: window) }

  // MARK: The drag

  package func enter() {
    let types =
      (offersSave ? [.xdndDirectSave] : []) + contents.keys
      + (data == nil ? [] : [AtomName("application/octet-stream")])
    send(.enter(.init(source: window, statedVersion: 5, hasTypeList: false, inlineTypes: types)))
  }

  package func position(at point: Point) {
    send(.position(.init(source: window, point: point, time: system.serverTime(), operation: operation)))
  }

  package func drop() { send(.drop(.init(source: window, time: system.serverTime()))) }

  private func send(_ message: XdndMessage) {
    system.send(message, version: .v5, to: target, via: target)
    system.flush()
  }

  // MARK: What comes

  package func takeEvents() {
    while let event = system.nextEvent() { handle(event) }
    system.flush()
  }

  package func handle(_ event: ServerEvent) {
    switch event {
    case .message(.status(let status), _): statuses.append(status)
    case .message(.finished(let message), _):
      finished.append(message)
      onFinished()
    case .selectionRequest(let request): serve(request)
    default: break
    }
  }

  private func serve(_ request: SelectionRequest) {
    requests.append(request.target)
    if request.target != .xdndDirectSave {
      if isSilent { return }
      return answer(request, contents[request.target] ?? data)
    }
    let value = system.value(of: .xdndDirectSave, on: window)
    let uri = String(decoding: value?.bytes ?? [], as: UTF8.self)
    if let value { address = (value.header.type, uri) }
    let path = FileList.localPath(of: uri)
    self.path = path ?? ""
    let reply = path.flatMap(save)
    if isSilent { pending = request } else { answer(request, reply.map { Array($0.utf8) }) }
  }

  /// Answers what it has been silent about.
  package func answerLate(_ reply: String) {
    if let pending { answer(pending, Array(reply.utf8)) }
    pending = nil
  }

  private func answer(_ request: SelectionRequest, _ bytes: [UInt8]?) {
    let property = bytes == nil ? nil : request.property
    if let bytes, let property {
      system.write(PropertyValue(type: .string, contents: .bytes(bytes[...])), to: property, of: request.requestor)
    }
    system.send(
      SelectionNotify(
        requestor: request.requestor, selection: request.selection, target: request.target, property: property,
        time: request.time))
    system.flush()
  }
}

/// What a source does to the file system; `false` if it cannot.
package enum Saving {
  @discardableResult
  package static func write(_ text: String, to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == text.utf8.count
  }

  /// The directory that a file is in, with its slash.
  package static func parent(of path: String) -> String {
    String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
  }
}
#endif
