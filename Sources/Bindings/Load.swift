// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

/// The content of a drop or of a clipboard.
class Content {
  let provider: ContentProvider
  weak var context: Context?
  private var loads: [ObjectIdentifier: Load] = [:]
  private(set) var contentHandle: OpaquePointer?

  init(_ provider: ContentProvider, of context: Context) {
    self.provider = provider
    self.context = context
    contentHandle = Handles.add(ContentReference(self))
  }

  var isLoading: Bool { !loads.isEmpty }

  /// Ends the handle and the handles of the loads. No callback follows.
  func endHandles() {
    if let contentHandle { Handles.remove(contentHandle) }
    contentHandle = nil
    let silenced = loads.values
    loads = [:]
    for load in silenced { load.silence() }
  }

  /// Begins a load, and passes its handle to the host.
  func begin(
    _ options: UnsafePointer<xdnd_load_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ start: (Load, _ limit: Int?) throws(Failure) -> LoadTask
  ) throws(Failure) {
    let options = try xdnd_load_options(options)
    let load = Load(options)
    load.onEnd = { [weak self] load, isGood in self?.ended(load, isGood) }
    loads[ObjectIdentifier(load)] = load
    out?.pointee = load.handle
    do {
      load.follow(try start(load, options.limit > 0 ? Int(clamping: options.limit) : nil))
    } catch {
      loads[ObjectIdentifier(load)] = nil
      load.silence()
      out?.pointee = nil
      throw error
    }
  }

  private func ended(_ load: Load, _ isGood: Bool) {
    guard loads.removeValue(forKey: ObjectIdentifier(load)) != nil else { return }
    loadEnded(isGood)
  }

  func loadEnded(_ isGood: Bool) {}

  /// Loads a value with the method that the kind of content has for it.
  func value<Value: Transferable>(
    _ type: Value.Type, limit: Int?, progress: @escaping (Int, Int?) -> Void,
    completion: @escaping (Result<Value, XDnDError>) -> Void
  ) -> LoadTask? {
    switch provider {
    case let session as DropSession: session.load(type, limit: limit, progress: progress, completion: completion)
    case let clipboard as Clipboard: clipboard.load(type, limit: limit, completion: completion)
    default: nil
    }
  }
}

/// The object of an `xdnd_content` handle. A drop has this handle besides its own; neither retains the other.
final class ContentReference {
  private weak var content: Content?

  init(_ content: Content) { self.content = content }

  static func find(_ handle: OpaquePointer?) throws(Failure) -> Content {
    guard let content = Handles.find(handle, ContentReference.self)?.content else { throw .noHandle }
    return content
  }
}

/// The clipboard of a context.
final class ClipboardContent: Content {}

/// The object of an `xdnd_load` handle: calls the callbacks of `xdnd_load_options`.
final class Load {
  /// `nil` until the load has begun, and after its end: the task retains this object by its closures.
  private(set) var task: LoadTask?
  /// Called after the callback `ended`, with whether the load has succeeded.
  var onEnd: ((Load, Bool) -> Void)?
  private let options: xdnd_load_options
  private(set) var handle: OpaquePointer?
  private var length = 0

  init(_ options: xdnd_load_options) {
    self.options = options
    handle = Handles.add(self)
  }

  var isStreamed: Bool { options.received != nil }

  /// - Parameter task: It may have ended already.
  func follow(_ task: LoadTask) {
    if handle != nil { self.task = task }
  }

  func progressed(_ received: Int, _ expected: Int?) {
    guard handle != nil else { return }
    options.progress?(handle, UInt64(received), expected.map { Int64($0) } ?? -1, options.user)
  }

  /// Passes a part to the host. Returns whether to continue.
  func received(_ part: UnsafeRawBufferPointer) -> Bool {
    guard handle != nil else { return false }
    length += part.count
    return options.received?(handle, part.baseAddress, part.count, options.user) ?? true
  }

  /// Counts a part that goes to a file.
  func written(_ part: UnsafeRawBufferPointer) { length += part.count }

  /// - Parameter result: The type, and the bytes unless they were handed out in parts or went to a file.
  func ended(_ result: Result<(type: ContentType, bytes: [UInt8]?), XDnDError>) {
    guard handle != nil else { return }
    var isGood = false
    switch result {
    case .success(let content):
      // A value arrives as a whole, even if the host asks for parts.
      isGood = !isStreamed || content.bytes?.withUnsafeBytes(received) ?? true
      if isGood { succeed(content.type, isStreamed ? nil : content.bytes) } else { fail(Failure(XDND_ERROR_CANCELLED)) }
    case .failure(let error): fail(Failure(error))
    }
    silence()
    onEnd?(self, isGood)
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

  /// Ends the handle. No callback follows.
  func silence() {
    task = nil
    if let handle { Handles.remove(handle) }
    handle = nil
  }
}

// MARK: - The interface

@c @implementation
public func xdnd_load_type(
  _ content: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ options: UnsafePointer<xdnd_load_options>?,
  _ load: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    let content = try ContentReference.find(content)
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
    try ContentReference.find(content).begin(String.self, options, load) { (.plainText, Array($0.utf8)) }
  }
}

@c @implementation
public func xdnd_load_paths(
  _ content: OpaquePointer?, _ options: UnsafePointer<xdnd_load_options>?,
  _ load: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    try ContentReference.find(content).begin(FileList.self, options, load) { files in
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
    try begin(options, out) { load, limit throws(Failure) in
      let task = value(type, limit: limit, progress: load.progressed) { load.ended($0.map(encode)) }
      guard let task else { throw .noHandle }
      return task
    }
  }
}

@c @implementation
public func xdnd_load_to_file(
  _ content: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?, _ replaces: Bool,
  _ options: UnsafePointer<xdnd_load_options>?, _ load: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    let content = try ContentReference.find(content)
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
    guard let load = Handles.find(load, Load.self) else { throw .noHandle }
    guard let task = load.task else { throw .state("the load is being begun") }
    task.cancel()
  }
}
