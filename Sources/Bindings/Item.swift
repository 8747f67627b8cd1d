// xdnd.h documents the functions of the interface.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import XDnD
public import XDnDInterface

/// The object of an `xdnd_item` handle.
final class Item: HandledObject {
  var content = DragItem()

  /// - Parameter handles: At least one.
  static func all(_ handles: UnsafePointer<OpaquePointer?>?, _ count: Int) throws(Failure) -> [DragItem] {
    guard let handles, count > 0 else { throw .argument("there are no items") }
    var items: [DragItem] = []
    for handle in UnsafeBufferPointer(start: handles, count: count) { items.append(try find(handle).content) }
    return items
  }
}

/// A content provider of the host. Calls `destroyed` when no item, drag or clipboard holds it.
final class Provider {
  private let provide: xdnd_provider
  private let user: UnsafeMutableRawPointer?
  private let destroyed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  init(
    _ provide: xdnd_provider?, _ user: UnsafeMutableRawPointer?,
    _ destroyed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  ) throws(Failure) {
    guard let provide else { throw .argument("nothing provides the content") }
    self.provide = provide
    self.user = user
    self.destroyed = destroyed
  }

  deinit { destroyed?(user) }

  func answer(_ request: DataRequest) {
    // No callback follows the end of the context.
    guard let context = Context.providing(for: request) else { return }
    let type = CStrings([request.type.name])
    provide(Request(request, of: context).handle, type.pointers[0], user)
  }
}

/// The object of an `xdnd_request` handle.
final class Request: HandledObject {
  private let request: DataRequest

  init(_ request: DataRequest, of context: Context) {
    self.request = request
    super.init(of: context)
  }

  /// Answers the request of a handle. The handle ends, unless `answer` throws an error.
  static func answer(_ handle: OpaquePointer?, _ answer: (DataRequest) throws(Failure) -> Void) -> xdnd_result {
    result { () throws(Failure) in
      let request = try Request.find(handle)
      try answer(request.request)
      request.endHandle()
    }
  }
}

// MARK: - The interface

@c @implementation
public func xdnd_item_new(_ item: UnsafeMutablePointer<OpaquePointer?>?) -> xdnd_result {
  result { () throws(Failure) in
    guard let item else { throw .argument("there is no place for the item") }
    item.pointee = Item().handle
  }
}

@c @implementation
public func xdnd_item_free(_ item: OpaquePointer?) -> xdnd_result {
  result { () throws(Failure) in try Item.find(item).endHandle() }
}

@c @implementation
public func xdnd_item_add_text(_ item: OpaquePointer?, _ utf8: UnsafePointer<CChar>?) -> xdnd_result {
  result { () throws(Failure) in
    let item = try Item.find(item)
    guard let utf8 else { throw .argument("there is no text") }
    item.content.promise(String(cString: utf8))
  }
}

@c @implementation
public func xdnd_item_add_bytes(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ bytes: UnsafeRawPointer?, _ length: Int
) -> xdnd_result {
  result { () throws(Failure) in
    let item = try Item.find(item)
    guard bytes != nil || length == 0, length >= 0 else { throw .argument("there are no bytes") }
    item.content.promise(
      try ContentType(argument: type), bytes: Array(UnsafeRawBufferPointer(start: bytes, count: length)))
  }
}

@c @implementation
public func xdnd_item_add_contents(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> xdnd_result {
  result { () throws(Failure) in
    try Item.find(item).content.promise(try ContentType(argument: type), contentsOfFile: try [UInt8](path: path))
  }
}

@c @implementation
public func xdnd_item_add_files(
  _ item: OpaquePointer?, _ paths: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> xdnd_result {
  result { () throws(Failure) in
    let item = try Item.find(item)
    guard let paths, count > 0 else { throw .argument("there are no paths") }
    var all: [[UInt8]] = []
    for path in UnsafeBufferPointer(start: paths, count: count) {
      let path = try [UInt8](path: path)
      guard path.first == UInt8(ascii: "/") else { throw .argument("a path does not begin with /") }
      all.append(path)
    }
    item.content.promise(FileList(rawPaths: all))
  }
}

@c @implementation
public func xdnd_item_add_provider(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ provider: xdnd_provider?, _ user: UnsafeMutableRawPointer?,
  _ destroyed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> xdnd_result {
  result { () throws(Failure) in
    let item = try Item.find(item)
    let type = try ContentType(argument: type)
    let provider = try Provider(provider, user, destroyed)
    item.content.promise(type) { provider.answer($0) }
  }
}

@c @implementation
public func xdnd_item_promise_file(
  _ item: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ length: Int64,
  _ provider: xdnd_provider?, _ user: UnsafeMutableRawPointer?,
  _ destroyed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> xdnd_result {
  result { () throws(Failure) in
    let item = try Item.find(item)
    let name = try String(argument: name, "the name of the file")
    let type = try ContentType(argument: type)
    let provider = try Provider(provider, user, destroyed)
    var file = FilePromise(named: name, type: type) { provider.answer($0) }
    file.byteCount = length < 0 ? nil : Int(length)
    item.content.promise(file)
  }
}

@c @implementation
public func xdnd_item_promise_copy(
  _ item: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?
) -> xdnd_result {
  result { () throws(Failure) in
    let item = try Item.find(item)
    item.content.promise(FilePromise(copying: try [UInt8](path: path), named: name.map { String(cString: $0) }))
  }
}

@c @implementation
public func xdnd_item_set_operations(
  _ item: OpaquePointer?, _ operations: UnsafePointer<xdnd_operation>?, _ count: Int
) -> xdnd_result {
  result { () throws(Failure) in try Item.find(item).content.operations = try DragOperation.all(operations, count) }
}

@c @implementation
public func xdnd_item_set_image(_ item: OpaquePointer?, _ image: UnsafePointer<xdnd_image>?) -> xdnd_result {
  result { () throws(Failure) in
    let item = try Item.find(item)
    let image = try xdnd_image(required: image, "the pixels")
    let (width, height, sides) = (Int(image.width), Int(image.height), 1...Bitmap.maximumSide)
    // Checked before the pixels are read: if the sides are wrong, the host may have fewer pixels.
    guard let pixels = image.pixels, sides.contains(width), sides.contains(height),
      let bitmap = Bitmap(
        width: width, height: height, pixels: Array(UnsafeBufferPointer(start: pixels, count: width * height)))
    else { throw .argument("an image has pixels, and sides from 1 to \(Bitmap.maximumSide)") }
    item.content.preview = DragImage(bitmap, hotspot: Point(x: Int(image.hotspot_x), y: Int(image.hotspot_y)))
  }
}

@c @implementation
public func xdnd_request_fulfill(
  _ request: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ length: Int
) -> xdnd_result {
  Request.answer(request) { request throws(Failure) in
    guard bytes != nil || length == 0, length >= 0 else { throw .argument("there are no bytes") }
    request.fulfill(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
  }
}

@c @implementation
public func xdnd_request_fulfill_from_file(
  _ request: OpaquePointer?, _ path: UnsafePointer<CChar>?
) -> xdnd_result {
  Request.answer(request) { request throws(Failure) in request.fulfill(contentsOfFile: try [UInt8](path: path)) }
}

@c @implementation
public func xdnd_request_fulfill_from_fd(_ request: OpaquePointer?, _ fd: CInt) -> xdnd_result {
  Request.answer(request) { request throws(Failure) in
    guard fd >= 0 else { throw .argument("\(fd) is no descriptor") }
    request.fulfill(readingFrom: fd)
  }
}

@c @implementation
public func xdnd_request_refuse(_ request: OpaquePointer?) -> xdnd_result {
  Request.answer(request) { $0.refuse() }
}
