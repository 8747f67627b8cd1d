// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

/// The object of an `xdnd_content` handle: the content of a drop or of a clipboard.
final class Content: HandledObject {
  let provider: ContentProvider
  /// Called when a load has ended, with whether it has succeeded.
  var onLoadEnd: (Bool) -> Void = { _ in }
  private var loads: [ObjectIdentifier: Load] = [:]

  init(_ provider: ContentProvider, of context: Context) {
    self.provider = provider
    super.init(of: context)
  }

  var isLoading: Bool { !loads.isEmpty }

  /// Also ends the handles of the loads.
  override func endHandle() {
    super.endHandle()
    let silenced = loads.values
    loads = [:]
    for load in silenced { load.endHandle() }
  }

  /// Begins a load, and passes its handle to the host.
  func begin(
    _ options: UnsafePointer<xdnd_load_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ start: (Load, _ limit: Int?) -> LoadTask
  ) throws(Failure) {
    let options = try xdnd_load_options(options)
    let load = Load(options, of: context)
    let id = ObjectIdentifier(load)
    load.onEnd = { [weak self] isGood in
      if let self, loads.removeValue(forKey: id) != nil { onLoadEnd(isGood) }
    }
    loads[id] = load
    out?.pointee = load.handle
    load.follow(start(load, options.limit > 0 ? Int(clamping: options.limit) : nil))
  }
}

/// The object of an `xdnd_load` handle: calls the callbacks of `xdnd_load_options`.
final class Load: HandledObject {
  /// `nil` until the load has begun. Cleared at its end, because the closures of the task retain this object.
  private(set) var task: LoadTask?
  /// Called after the callback `ended`, with whether the load has succeeded.
  var onEnd: ((Bool) -> Void)?
  private let options: xdnd_load_options
  private var length = 0
  /// Whether the host wants no more parts.
  private var isStopped = false

  init(_ options: xdnd_load_options, of context: Context?) {
    self.options = options
    super.init(of: context)
  }

  var isStreamed: Bool { options.received != nil }

  /// - Parameter task: It may have ended already.
  func follow(_ task: LoadTask) {
    if isOpen { self.task = task }
  }

  func progressed(_ received: Int, _ expected: Int?) {
    guard isOpen else { return }
    options.progress?(handle, UInt64(received), expected.map { Int64($0) } ?? -1, options.user)
  }

  /// Passes a part to the host. Returns whether to continue.
  func received(_ part: UnsafeRawBufferPointer) -> Bool {
    guard isOpen else { return false }
    length += part.count
    isStopped = !(options.received?(handle, part.baseAddress, part.count, options.user) ?? true)
    return !isStopped
  }

  /// Counts a part that goes to a file.
  func written(_ part: UnsafeRawBufferPointer) { length += part.count }

  /// - Parameter result: The type, and the bytes unless they were handed out in parts or went to a file.
  func ended(_ result: Result<(type: ContentType, bytes: [UInt8]?), XDnDError>) {
    guard isOpen else { return }
    var isGood = false
    switch result {
    case .success(let content):
      // A value arrives as a whole, even if the host asks for parts.
      isGood = !isStreamed || content.bytes?.withUnsafeBytes(received) ?? true
      if isGood { succeed(content.type, isStreamed ? nil : content.bytes) } else { fail(Failure(XDND_ERROR_CANCELLED)) }
    case .failure(let error): fail(isStopped ? Failure(XDND_ERROR_CANCELLED) : Failure(error))
    }
    endHandle()
    onEnd?(isGood)
  }

  private func succeed(_ type: ContentType, _ bytes: [UInt8]?) {
    let name = CStrings([type.name])
    if let bytes { length = bytes.count }
    (bytes ?? []).withUnsafeBytes { buffer in
      var data = xdnd_data(type: name.pointers[0], bytes: bytes == nil ? nil : buffer.baseAddress, length: length)
      options.ended?(handle, XDND_OK, &data, options.user)
    }
  }

  private func fail(_ failure: Failure) {
    LastMessage.set(failure.message)
    options.ended?(handle, failure.result, nil, options.user)
  }

  override func endHandle() {
    task = nil
    super.endHandle()
  }
}

// MARK: - The interface

@c @implementation
public func xdnd_load_type(
  _ content: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ options: UnsafePointer<xdnd_load_options>?,
  _ load: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    let content = try Content.find(content)
    let type = try ContentType(argument: type)
    try content.begin(options, load) { load, limit in
      guard load.isStreamed else {
        return content.provider.load(type, limit: limit, progress: load.progressed) {
          load.ended($0.map { ($0.type, $0.bytes) })
        }
      }
      return content.provider.load(type, limit: limit, progress: load.progressed, into: load.received) {
        load.ended($0.map { ($0, nil) })
      }
    }
  }
}

@c @implementation
public func xdnd_load_text(
  _ content: OpaquePointer?, _ options: UnsafePointer<xdnd_load_options>?,
  _ load: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    try Content.find(content).begin(String.self, options, load) { (.plainText, Array($0.utf8)) }
  }
}

@c @implementation
public func xdnd_load_paths(
  _ content: OpaquePointer?, _ options: UnsafePointer<xdnd_load_options>?,
  _ load: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    try Content.find(content).begin(FileList.self, options, load) { files in
      (.uriList, Array(files.uris.compactMap { FileList.rawLocalPath(of: $0) }.flatMap { $0 + [0] }))
    }
  }
}

extension Content {
  /// Begins to load a value, and passes its encoded bytes to the host.
  fileprivate func begin<Value: Transferable>(
    _ type: Value.Type, _ options: UnsafePointer<xdnd_load_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    encode: @escaping (Value) -> (type: ContentType, bytes: [UInt8]?)
  ) throws(Failure) {
    try begin(options, out) { load, limit in
      let end = { (result: Result<Value, XDnDError>) in load.ended(result.map(encode)) }
      switch provider {
      case let session as DropSession:
        return session.load(type, limit: limit, progress: load.progressed, completion: end)
      case let board as Clipboard: return board.load(type, limit: limit, progress: load.progressed, completion: end)
      default: preconditionFailure("only a drop or a clipboard has a handle for its content")
      }
    }
  }
}

@c @implementation
public func xdnd_load_to_file(
  _ content: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?, _ replaces: Bool,
  _ options: UnsafePointer<xdnd_load_options>?, _ load: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    let content = try Content.find(content)
    let type = try ContentType(argument: type)
    let file = FileDestination(rawPath: try [UInt8](path: path), replacing: replaces)
    try content.begin(options, load) { load, limit in
      content.provider.load(
        type, toFile: file, limit: limit, inspecting: load.written, progress: load.progressed
      ) { load.ended($0.map { ($0, nil) }) }
    }
  }
}

@c @implementation
public func xdnd_load_cancel(_ load: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in
    let load = try Load.find(load)
    guard let task = load.task else { throw .state("the load is being begun") }
    task.cancel()
  }
}
