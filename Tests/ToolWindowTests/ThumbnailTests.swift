import XDnDFiles
import Glibc
import Testing

@testable import XDnDToolWindow

/// A directory of its own, which goes when the test ends.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var name = Array("/tmp/xdnd-tool-window-XXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&name)))
  }

  deinit { g_remove(path) }

  private func g_remove(_ path: String) {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { g_remove("\(path)/\(name)") }
      }
      closedir(directory)
    }
    remove(path)
  }

  func write(_ bytes: [UInt8], to name: String) throws -> [UInt8] {
    let file = try #require(fopen("\(path)/\(name)", "w"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return Array("\(path)/\(name)".utf8)
  }

  func names(in directory: String) -> [String] {
    guard let listing = opendir("\(path)/\(directory)") else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// The thumbnails that all programs share.
@Suite("Thumbnails") struct ThumbnailTests {
  private let directory: TemporaryDirectory
  private let cache: ThumbnailCache

  init() throws {
    directory = try TemporaryDirectory()
    cache = ThumbnailCache(root: directory.path + "/thumbnails")
    try #require(Pixbuf.isAvailable)
  }

  /// A picture that needs no compression: PPM.
  private func ppm(_ width: Int, _ height: Int) -> [UInt8] {
    Array("P6 \(width) \(height) 255\n".utf8) + (0..<(width * height)).flatMap { _ in [255, 0, 0] as [UInt8] }
  }

  private func modify(_ path: [UInt8], at seconds: Int) {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    _ = withCPath(path) { utimensat(AT_FDCWD, $0, &times, 0) }
  }

  @Test func `are made once, in the smallest size that is enough, for the user's eyes only`() throws {
    let path = try directory.write(ppm(400, 200), to: "a b.ppm")
    let file = try #require(ThumbnailSource(path))
    #expect(file.uri == "file://\(directory.path)/a%20b.ppm")
    #expect(cache.picture(of: file, fitting: 72) == nil)
    #expect(cache.mayMake(of: file))
    let made = try #require(cache.make(of: file, fitting: 72))
    #expect(made.size == PixelSize(width: 72, height: 36))
    #expect(directory.names(in: "thumbnails/normal") == [file.thumbnailName])
    var status = stat()
    stat("\(directory.path)/thumbnails/normal/\(file.thumbnailName)", &status)
    #expect(status.st_mode & 0o777 == 0o600)
    stat("\(directory.path)/thumbnails/normal", &status)
    #expect(status.st_mode & 0o777 == 0o700)
    let thumbnail = Array("\(directory.path)/thumbnails/normal/\(file.thumbnailName)".utf8)
    guard let kept = Pixbuf(file: thumbnail, fitting: 128) else {
      Issue.record("the thumbnail cannot be read")
      return
    }
    let (size, uri, time) = (kept.size, kept.text("Thumb::URI"), kept.text("Thumb::MTime"))
    #expect(size == PixelSize(width: 128, height: 64))
    #expect(uri == file.uri)
    #expect(time == String(file.modified))
    #expect(try #require(cache.picture(of: file, fitting: 36)).size == PixelSize(width: 36, height: 18))
    #expect(cache.make(of: file, fitting: 200) != nil)
    #expect(directory.names(in: "thumbnails") == ["large", "normal"])
  }

  @Test func `of a file that has been changed since count no more`() throws {
    let path = try directory.write(ppm(40, 20), to: "a.ppm")
    modify(path, at: 1000)
    let old = try #require(ThumbnailSource(path))
    #expect(cache.make(of: old, fitting: 36) != nil)
    #expect(cache.picture(of: old, fitting: 36) != nil)
    modify(path, at: 2000)
    let new = try #require(ThumbnailSource(path))
    #expect(cache.picture(of: new, fitting: 36) == nil)
    #expect(cache.make(of: new, fitting: 36) != nil)
    #expect(cache.picture(of: new, fitting: 36) != nil)
  }

  @Test func `that cannot be made are not tried again before the file changes`() throws {
    let path = try directory.write(Array("P6 40 20 255\nnot that much".utf8), to: "bad.png")
    modify(path, at: 1000)
    let file = try #require(ThumbnailSource(path))
    #expect(cache.mayMake(of: file))
    #expect(cache.make(of: file, fitting: 36) == nil)
    #expect(!cache.mayMake(of: file))
    #expect(directory.names(in: "thumbnails/fail/xdnd-source") == [file.thumbnailName])
    modify(path, at: 2000)
    #expect(cache.mayMake(of: try #require(ThumbnailSource(path))))
  }

  @Test func `are not made of thumbnails`() throws {
    mkdir(directory.path + "/thumbnails", 0o700)
    let path = try directory.write(ppm(40, 20), to: "thumbnails/a.ppm")
    let file = try #require(ThumbnailSource(path))
    #expect(cache.make(of: file, fitting: 36) != nil)
    #expect(directory.names(in: "thumbnails") == ["a.ppm"])
  }

  @Test func `are not made of what says that it is larger than any picture`() throws {
    // A few bytes that claim four gigapixels.
    let bomb = try directory.write(Array("P6 65000 65000 255\n".utf8) + [UInt8](repeating: 0, count: 1000), to: "b.ppm")
    #expect(Picture(file: bomb, fitting: 64) == nil)
    #expect(Picture(decoding: Array("GIF89a".utf8), fitting: 64) == nil)
    #expect(Picture(decoding: [], fitting: 64) == nil)
  }

  @Test func `are not made of pipes and directories`() throws {
    mkfifo(directory.path + "/pipe", 0o600)
    #expect(ThumbnailSource(Array((directory.path + "/pipe").utf8)) == nil)
    #expect(ThumbnailSource(Array(directory.path.utf8)) == nil)
    #expect(Picture(file: Array((directory.path + "/pipe").utf8), fitting: 64) == nil)
  }

  @Test func `pictures from bytes are scaled down to fit, and never up`() throws {
    #expect(Picture(decoding: ppm(400, 200), fitting: 100)?.size == PixelSize(width: 100, height: 50))
    let small = try #require(Picture(decoding: ppm(4, 2), fitting: 100))
    #expect(small.size == PixelSize(width: 4, height: 2))
    #expect(small.pixels.allSatisfy { $0 == 0xFFFF_0000 })
    let path = try directory.write(ppm(400, 200), to: "a.ppm")
    #expect(Picture(decoding: .file(path), fitting: 100)?.size == PixelSize(width: 100, height: 50))
    #expect(Picture(decoding: .bytes(ppm(400, 200)), fitting: 50)?.size == PixelSize(width: 50, height: 25))
  }

  @Test func `come from the worker, which first says what is there`() async throws {
    let path = try directory.write(ppm(400, 200), to: "a.ppm")
    let worker = IconWorker()
    worker.decode(.init(image: .bytes(ppm(8, 8)), side: 1024), as: 7)
    let request = IconRequest(
      icon: Scene.Icon(.picture, type: "image/x-portable-pixmap", file: path), pixels: 36, scale: 1, theme: nil)
    worker.want([.look(request)])
    var results: [IconWorker.Result] = []
    while results.count < 2 {
      var descriptor = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&descriptor, 1, 20_000) == 1)
      results += worker.takeResults()
    }
    #expect(results.first { if case .decode = $0.job { true } else { false } }?.picture?.size.width == 8)
    #expect(results.first { $0.job == .look(request) }?.isMakeable == true)
  }

  @Test func `of the images that wait for the worker, only the last one is decoded`() async throws {
    let worker = IconWorker()
    // Each takes much longer to decode than to be asked for.
    let order = IconWorker.DecodingOrder(image: .bytes(ppm(2000, 2000)), side: 1024)
    for id in 1...50 { worker.decode(order, as: id) }
    var decoded: [Int] = []
    while decoded.last != 50 {
      var descriptor = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&descriptor, 1, 20_000) == 1)
      for case .decode(let id) in worker.takeResults().map(\.job) { decoded.append(id) }
    }
    #expect(decoded.count < 50)
  }
}
