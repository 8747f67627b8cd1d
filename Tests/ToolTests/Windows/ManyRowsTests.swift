import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Lists that are longer than the window, and the thumbnails in them.
@Suite("Many rows and their thumbnails", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ManyRowsTests {
  /// Pictures of one color each, which says which one it is.
  private func color(_ index: Int) -> UInt32 { 0x200060 | UInt32(index) << 8 }

  private func pictures(_ count: Int, on server: XServer) throws -> [String] {
    try (0..<count).map { index in
      let pixel: [UInt8] = [0x20, UInt8(index), 0x60]
      let bytes = PNG.encode(width: 64, height: 64, rgb: Array(repeating: pixel, count: 64 * 64).flatMap { $0 })
      return try server.directory.write(bytes, to: "picture \(1000 + index).png")
    }
  }

  private func thumbnails(of server: XServer) -> [String] {
    let directory = server.directory("home/.cache/thumbnails/normal")
    return (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }

  /// The part of the window that has the icons in it: all that is to the left of the middle of the rows.
  private func iconArea(of ready: JSONLine) throws -> Rect {
    let middle = try #require(ready.objects("rows")?.first?.point.x)
    let frame = ready.frame
    return Rect(x: frame.origin.x, y: frame.origin.y, width: middle - frame.origin.x, height: frame.height)
  }

  /// A color in our own picture of a picture, and in nothing else that a window shows.
  private static let skyOfPictureIcon: UInt32 = 0xBFE6F2

  @Test func `show what the pictures look like, and put it where other programs find it`() async throws {
    try await XServer.with { server in
      let files = try pictures(3, on: server)
      for _ in 0..<2 {
        let source = try server.launchSource("360x420+60+60", files)
        let ready = try await source.waitFor("ready")
        let icons = try iconArea(of: ready)
        try await server.see("three thumbnails") { Set((0..<3).map(color)).isSubset(of: $0.colors(in: icons)) }
        source.send(SIGTERM)
        _ = try await source.exit()
      }
      // They are not made twice.
      #expect(thumbnails(of: server).count == 3)
      for name in thumbnails(of: server) {
        let path = server.directory("home/.cache/thumbnails/normal/\(name)")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(name.count == 36 && name.hasSuffix(".png"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data("Thumb::URI".utf8)) != nil)
        #expect(bytes.range(of: Data("Thumb::MTime".utf8)) != nil)
      }
    }
  }

  @Test func `of two hundred only those are looked at that are seen, by key and by scroll bar`() async throws {
    try await XServer.with { server in
      let source = try server.launchSource("360x420+60+60", try pictures(200, on: server))
      let ready = try await source.waitFor("ready")
      #expect(ready.objects("rows")?.count == 200)
      let icons = try iconArea(of: ready)
      let top = try await server.see("the first row") { $0.colors(in: icons).contains(color(0)) }
      let pointer = try Pointer(server)
      pointer.move(to: ready.frame.middle)
      try pointer.tap(key: "End")
      let end = try await server.see("the last row") { $0.colors(in: icons).contains(color(199)) }
      #expect(try await source.waitFor("selection").integers("rows") == [199])
      try pointer.tap(key: "Prior")
      let page = try #require(try await source.waitFor("selection").integers("rows")?.first)
      #expect((190..<199).contains(page))
      #expect(thumbnails(of: server).count < 40)

      // The thumb, from the lower end to the upper one. Nothing else has moved to the right of the rows.
      let thumb = try #require(end.lastColumn(thatDiffersFrom: top, in: ready.frame))
      pointer.move(to: Point(x: thumb.x, y: thumb.bottom))
      pointer.press()
      try await pointer.glide(to: Point(x: thumb.x, y: thumb.top))
      pointer.release()
      try await server.see("the first row again") { $0.colors(in: icons).contains(color(0)) }
      // That was no drag of anything.
      #expect(source.printed("drag-began").isEmpty)
    }
  }

  @Test func `a picture that is none has the icon of its kind, and is dragged as any other file`() async throws {
    try await XServer.with { server in
      let file = try server.directory.write("P6 60000 60000 255\n".utf8, to: "bomb.png")
      let source = try server.launchSource("360x420+60+60", [file])
      let ready = try await source.waitFor("ready")
      let icons = try iconArea(of: ready)
      try await server.see("the icon of pictures") { $0.colors(in: icons).contains(Self.skyOfPictureIcon) }
      let failures = server.directory("home/.cache/thumbnails/fail/xdnd-source")
      let deadline = ContinuousClock.now + .seconds(20)
      while (try? FileManager.default.contentsOfDirectory(atPath: failures))?.isEmpty ?? true, .now < deadline {
        try await Task.sleep(for: .milliseconds(30))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: failures).count == 1)
      #expect(source.isRunning)
    }
  }
}

extension Screenshot {
  /// The last column of an area that another screenshot shows differently, and its first and last such line.
  fileprivate func lastColumn(
    thatDiffersFrom other: Screenshot, in area: Rect
  ) -> (x: Int, top: Int, bottom: Int)? {
    for x in (area.origin.x..<area.maxX).reversed() {
      let lines = (area.origin.y..<area.maxY).filter {
        self[Point(x: x, y: $0)] != other[Point(x: x, y: $0)]
      }
      if let top = lines.first, let bottom = lines.last { return (x, top, bottom) }
    }
    return nil
  }
}
