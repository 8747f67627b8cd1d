// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

@c @implementation
public func xdnd_clipboard(_ context: OpaquePointer?, _ kind: xdnd_clipboard_kind) -> OpaquePointer? {
  guard let context = Handles.find(context, Context.self) else { return nil }
  return try? context.content(of: kind).handle
}

@c @implementation
public func xdnd_clipboard_write(
  _ context: OpaquePointer?, _ kind: xdnd_clipboard_kind, _ item: OpaquePointer?, _ time: UInt32
) -> xdnd_result {
  result { () throws(Failure) in
    let clipboard = try Context.find(context).clipboard(kind)
    let item = try Item.find(item).content
    try converting(clipboard.write(item, at: time == 0 ? nil : Timestamp(rawValue: time)))
  }
}

@c @implementation
public func xdnd_clipboard_clear(_ context: OpaquePointer?, _ kind: xdnd_clipboard_kind) -> xdnd_result {
  result { () throws(Failure) in try Context.find(context).clipboard(kind).clear() }
}

@c @implementation
public func xdnd_clipboard_load_types(
  _ context: OpaquePointer?, _ kind: xdnd_clipboard_kind,
  _ ended: (
    @convention(c) (xdnd_result, UnsafePointer<UnsafePointer<CChar>?>?, Int, UnsafeMutableRawPointer?) -> Void
  )?,
  _ user: UnsafeMutableRawPointer?
) -> xdnd_result {
  result { () throws(Failure) in
    let context = try Context.find(context)
    guard let ended else { throw .argument("nothing receives the types") }
    try context.clipboard(kind).types { [weak context] types in
      guard let context, context.isOpen else { return }
      switch types {
      case .success(let types):
        let names = CStrings(types.map(\.name))
        names.pointers.withUnsafeBufferPointer { ended(XDND_OK, $0.baseAddress, $0.count, user) }
        withExtendedLifetime(names) {}
      case .failure(let error):
        let failure = Failure(error)
        LastMessage.set(failure.message)
        ended(failure.result, nil, 0, user)
      }
    }
  }
}
