import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Modifiers of representations")
struct TransferModifierTests {
  struct Note: Transferable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(contentType: "a/own") {
        Array($0.text.utf8)
      } importing: {
        Note(text: String(decoding: $0, as: UTF8.self))
      }
      .visibility(.ownProcess)
      DataRepresentation(exportedContentType: "a/long") { Array($0.text.utf8) }
        .exportingCondition { $0.text.count > 4 }
      ProxyRepresentation(exporting: \.text).suggestedFileName { $0.text.isEmpty ? nil : "\($0.text).txt" }
    }
  }

  struct Picture: Transferable {
    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(exportedContentType: .png) { _ in [1, 2, 3] }.suggestedFileName("picture.png")
      DataRepresentation(exportedContentType: .jpeg) { _ in [4] }.suggestedFileName("picture.jpg")
    }
  }

  @Test func `a representation for the own process is there, and is not published`() {
    let item = DragItem(Note(text: "Hello"))
    #expect(item.representations.first?.type == "a/own")
    #expect(!item.types.contains("a/own"))
    #expect(!item.unlistedTypes.contains("a/own"))
    #expect(!DragItem(joining: [item]).representations.contains { $0.type == "a/own" })
    #expect(!DragItem(joining: [item, item]).representations.contains { $0.type == "a/own" })
  }

  @Test func `a type that the own process keeps can be published by another representation`() {
    var item = DragItem(Note(text: "Hello"))
    item.promise("a/own", bytes: [1])
    #expect(item.types.last == "a/own")
  }

  @Test func `a request for it is refused`() throws {
    let run = try PromiseRun(DragItem(Note(text: "Hello")))
    #expect(try run.ask("a/own").isRefused)
    #expect(try run.ask("a/long").bytes == Array("Hello".utf8))
  }

  @Test func `a condition decides for each value`() {
    #expect(DragItem(Note(text: "Hello")).types.contains("a/long"))
    #expect(!DragItem(Note(text: "Hi")).types.contains("a/long"))
    #expect(Note.transferForms.imports.map(\.type) == ["a/own"])
  }

  @Test func `named text is promised as a clipping`() {
    let item = DragItem(Note(text: "Hello"))
    #expect(item.filePromises.map(\.name) == ["Hello.txt"])
    #expect(item.filePromises.map(\.type) == [.plainText])
    #expect(item.filePromises.map(\.isClipping) == [true])
    #expect(DragItem(Note(text: "")).filePromises.isEmpty)
    #expect(DragItem("Hello").filePromises.isEmpty)
  }

  @Test func `only the best representation with a name is promised as a file`() {
    let item = DragItem(Picture())
    #expect(item.filePromises.map(\.name) == ["picture.png"])
    #expect(item.filePromises.map(\.isClipping) == [false])
  }

  @Test func `a promise that the item has already stays the only one`() {
    var item = DragItem()
    item.promise(FilePromise(named: "own.png", type: .png, bytes: [1]))
    item.promise(Picture())
    #expect(item.filePromises.map(\.name) == ["own.png"])
  }

  @Test func `a target is offered the file under its name`() {
    let stage = DropStage()
    stage.hover([DragItem(Note(text: "Hello"))])
    #expect(stage.receiver.drop?.offersDirectSave == true)
    #expect(stage.receiver.drop?.promisedFileName() == "Hello.txt")
    stage.letGo()
  }
}
