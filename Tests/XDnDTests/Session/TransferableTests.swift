import Testing
import XDnDFoundation

@testable import XDnD

/// Values, the forms they travel in, and the way back.
@Suite("Transferable values")
struct TransferableTests {
  struct Note: Codable, Equatable, Transferable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
      CodableRepresentation(contentType: "application/x-note")
      ProxyRepresentation(exporting: \.text, importing: Note.init(text:))
    }
  }

  struct Broken: Transferable {
    struct Failure: Error {}

    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(
        contentType: "a/broken", exporting: { _ in throw Failure() }, importing: { _ in throw Failure() })
      DataRepresentation(contentType: "a/whole", exporting: { _ in [1] }, importing: { _ in Broken() })
    }
  }

  @Test func `the order of the representations is the order of fidelity`() {
    let types = DragItem(Note(text: "x")).types.map(\.name)
    #expect(types.first == "application/x-note")
    #expect(types.dropFirst().first == "text/plain;charset=utf-8")
    #expect(types.contains("UTF8_STRING"))
  }

  @Test func `an offer for a value accepts what it is imported from, in the order of fidelity`() {
    let offer = DropOffer(for: Note.self, operations: [.move])
    #expect(offer.operations == [.move])
    #expect(offer.types.first == "application/x-note")
    #expect(offer.bestType(among: ["UTF8_STRING", "application/x-note"]) == "application/x-note")
    #expect(offer.bestType(among: ["image/png"]) == nil)
  }

  @Test func `a codable value is JSON on the wire, and comes back`() throws {
    let bytes = try #require(answer(of: DragItem(Note(text: "ü")), "application/x-note"))
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"text":"ü"}"#)
    #expect(try value(Note.self, from: bytes, as: "application/x-note") == Note(text: "ü"))
  }

  @Test func `a proxy stands for the value in all its own forms`() throws {
    #expect(answer(of: DragItem(Note(text: "hello")), "UTF8_STRING") == Array("hello".utf8))
    #expect(try value(Note.self, from: Array("hello".utf8), as: "UTF8_STRING") == Note(text: "hello"))
  }

  @Test func `a promise that throws is refused, and the next one is not`() {
    #expect(answer(of: DragItem(Broken()), "a/broken") == nil)
    #expect(answer(of: DragItem(Broken()), "a/whole") == [1])
  }

  @Test func `a link is there for browsers, for file managers, and for text fields`() {
    let types = DragItem(Link(url: "https://example.org/", title: "Example")).types
    for type: ContentType in [.mozURL, .netscapeURL, .uriList, .plainText, .utf8String] {
      #expect(types.contains(type), "\(type)")
    }
  }

  @Test func `styled text is HTML first and plain text for the others`() {
    let item = DragItem(StyledText(html: "<b>Bold</b> &amp; more"))
    #expect(item.types.first == .html)
    #expect(answer(of: item, .plainText) == Array("Bold & more".utf8))
  }

  @Test func `an image goes under its own type and is read under any image type`() throws {
    let image = EncodedImage([1, 2, 3], type: "image/webp")
    #expect(DragItem(image).types == ["image/webp"])
    #expect(answer(of: DragItem(image), "image/webp") == [1, 2, 3])
    #expect(EncodedImage.transferForms.imports.map(\.type) == [.png, "image/*"])
  }

  @Test func `text is offered as Latin-1 only if it fits`() {
    #expect(DragItem("Grüße").types.contains("STRING"))
    #expect(!DragItem("Привет").types.contains("STRING"))
  }

  private func value<Value: Transferable>(_: Value.Type, from bytes: [UInt8], as type: ContentType) throws -> Value {
    let form = try #require(Value.transferForms.imports.first { $0.type.name == type.name })
    guard case .bytes(let make) = form.make else { throw Broken.Failure() }
    return try make(bytes, type)
  }
}
