import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("The offered type that a load requests")
struct OfferedTypeTests {
  private let stage = DropStage()
  private static let text = Array("Grüße".utf8)

  private func load(_ type: ContentType, from item: DragItem) -> Result<LoadedContent, XDnDError>? {
    var result: Result<LoadedContent, XDnDError>?
    stage.drop([item]) { drop in
      drop.load(type) {
        result = $0
        drop.finish(.copy)
      }
    }
    return result
  }

  @Test func `text arrives whatever its name on the wire is`() throws {
    for name: ContentType in ["UTF8_STRING", "text/plain; charset=UTF-8", "text/plain"] {
      let content = try #require(try load(.plainText, from: DragItem(name, Self.text))?.get())
      #expect(content.bytes == Self.text)
      #expect(content.requestedType.name == name.name)
    }
  }

  @Test func `a type that is offered is requested under its name`() throws {
    var item = DragItem(.plainText, [1])
    item.promise("UTF8_STRING", bytes: [2])
    #expect(try load("UTF8_STRING", from: item)?.get().bytes == [2])
    #expect(try load(.plainText, from: item)?.get().bytes == [1])
  }

  @Test func `a pattern requests the best type that it covers`() throws {
    var item = DragItem("text/uri-list", [1])
    item.promise(.png, bytes: [2])
    #expect(try load(.image, from: item)?.get().requestedType == .png)
  }

  @Test func `a type that nothing serves is requested as it is, and refused`() {
    #expect(load(.png, from: DragItem(.plainText, [1]))?.failure == .transferRefused)
  }

  @Test func `chunks and files are requested in the same way`() {
    stage.drop([DragItem("UTF8_STRING", Self.text)]) { drop in
      #expect(drop.offeredType(for: .plainText).name == "UTF8_STRING")
      #expect(drop.contentStream(of: .plainText).type.name == "UTF8_STRING")
      #expect(drop.load(.plainText, toFile: "/dev/null/missing") { _ in }.type.name == "UTF8_STRING")
      drop.finish(.copy)
    }
  }

  @Test func `the types of a clipboard are not known`() {
    #expect(stage.target.clipboard.offeredType(for: .image) == .image)
  }
}
