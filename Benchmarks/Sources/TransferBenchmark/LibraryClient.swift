import XDnD

/// The library's client. It uses clipboards: their transfers take a drag's path.
enum LibraryClient {
  /// Serves `count` bytes in parts of `part` bytes, any number of times.
  static func serve(_ count: Int, part: Int, whenReady ready: () -> Void) throws -> Never {
    var configuration = Configuration()
    configuration.partSize = part
    let driver = try DragAndDrop(configuration: configuration)
    var item = DragItem()
    item.promise(ContentType(Benchmark.type), bytes: [UInt8](repeating: 0x5A, count: count))
    try driver.clipboard.write(item)
    try driver.process()
    ready()
    try driver.run(while: { true })
    fatalError("the server is gone")
  }

  /// Receives the content once. Returns the number of bytes.
  static func take(_ clipboard: Clipboard, with driver: DragAndDrop) throws -> Int {
    var received = 0
    var result: Result<ContentType, XDnDError>?
    clipboard.load(
      ContentType(Benchmark.type), limit: .max,
      into: { part in
        received += part.count
        return true
      }, completion: { result = $0 })
    try driver.run(while: { result == nil })
    _ = try result?.get()
    return received
  }
}
