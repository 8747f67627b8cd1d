// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

/// The object of an `xdnd_save` handle: calls the callbacks of `xdnd_save_options`.
final class Save: HandledObject {
  private let options: xdnd_save_options
  private let fallbackName: String
  fileprivate private(set) var task: DirectSaveTask?

  init(_ options: xdnd_save_options, of context: Context?) {
    self.options = options
    fallbackName = options.fallback_name.map { String(cString: $0) } ?? "untitled"
    super.init(of: context)
  }

  /// - Parameter onEnd: Called after the callback `ended`, with whether the save has succeeded.
  func begin(_ drop: DropSession, into directory: FileDirectory, onEnd: @escaping (Bool) -> Void) {
    let task = drop.directSave(
      into: directory, fallbackName: fallbackName,
      progress: { self.progressed($0, $1) },
      completion: { onEnd(self.ended($0)) })
    // It may be over already.
    if isOpen { self.task = task }
  }

  private func progressed(_ saved: Int, _ expected: Int?) {
    guard isOpen else { return }
    options.progress?(handle, UInt64(saved), expected.map { Int64($0) } ?? -1, options.user)
  }

  private func ended(_ result: Result<[SavedFile], XDnDError>) -> Bool {
    defer { endHandle() }
    switch result {
    case .success(let files):
      let paths = CStrings(paths: files.map(\.rawPath))
      if isOpen { options.ended?(handle, XDND_OK, paths.pointers, files.count, options.user) }
      return true
    case .failure(let error):
      let failure = Failure(error)
      LastMessage.set(failure.message)
      if isOpen { options.ended?(handle, failure.result, nil, 0, options.user) }
      return false
    }
  }

  override func endHandle() {
    task = nil
    super.endHandle()
  }
}

// MARK: - The interface

@c @implementation
public func xdnd_drop_offers_save(_ drop: OpaquePointer?) -> Bool {
  (try? Drop.find(drop))?.session.offersDirectSave ?? false
}

@c @implementation
public func xdnd_save_into(
  _ drop: OpaquePointer?, _ directory: UnsafePointer<CChar>?, _ options: UnsafePointer<xdnd_save_options>?,
  _ save: UnsafeMutablePointer<OpaquePointer?>?
) -> xdnd_result {
  result { () throws(Failure) in
    let drop = try Drop.find(drop)
    let options = try xdnd_save_options(options)
    let path = try [UInt8](path: directory)
    let folder = try converting(FileDirectory(rawPath: path))
    try drop.save(into: folder, options, save)
  }
}

@c @implementation
public func xdnd_save_cancel(_ save: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in
    let save = try Save.find(save)
    guard let task = save.task else { throw .state("the save is being begun") }
    task.cancel()
  }
}
