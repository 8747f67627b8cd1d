import Testing

@testable import XDnD

/// What an item offers, and how several items become one on the wire.
@Suite("Drag items")
struct DragItemTests {
  @Test func `nothing is computed before it is asked for`() {
    var count = 0
    var item = DragItem()
    item.promise("image/png") {
      count += 1
      $0.fulfill([1])
    }
    _ = DragItem(joining: [item, item])
    #expect(count == 0)
    #expect(answer(of: item, "image/png") == [1])
    #expect(count == 1)
  }

  @Test func `a type that is there already keeps its place and its promise`() {
    var item = DragItem()
    item.promise("a/a", bytes: [1])
    item.promise("b/b", bytes: [2])
    item.promise("a/a", bytes: [3])
    #expect(item.types.map(\.name) == ["a/a", "b/b"])
    #expect(answer(of: item, "a/a") == [1])
  }

  @Test func `a promise that is let go of refuses its own request and no other`() {
    var item = DragItem()
    item.promise("a/a") { _ in }
    item.promise("b/b", bytes: [2])
    #expect(answer(of: item, "a/a") == nil)
    #expect(answer(of: item, "b/b") == [2])
  }

  @Test func `files of several items are one list, in order`() {
    let item = DragItem(joining: [
      DragItem(files: ["/a b"]), DragItem(files: ["/c"]), DragItem("text"), DragItem(files: ["/d"]),
    ])
    #expect(text(of: item, .uriList) == "file:///a%20b\r\nfile:///c\r\nfile:///d\r\n")
  }

  @Test func `texts are joined line by line if all items have one`() {
    let item = DragItem(joining: [DragItem("one"), DragItem("zwei ü"), DragItem("3")])
    #expect(text(of: item, .plainText) == "one\nzwei ü\n3")
    #expect(text(of: item, "UTF8_STRING") == "one\nzwei ü\n3")
    #expect(answer(of: item, "STRING") == Array("one\nzwei ".utf8) + [0xFC] + Array("\n3".utf8))
  }

  @Test func `half of a selection does not look like all of it`() {
    let item = DragItem(joining: [DragItem("one"), DragItem(files: ["/c"])])
    #expect(item.types == [.uriList])
  }

  @Test func `on a clipboard, text stands for the items that have text`() {
    let items = [
      DragItem(StyledText(html: "<b>one</b>")), DragItem(files: ["/c"]), DragItem("zwei ü"),
      DragItem("한글"),
    ]
    let item = DragItem(joining: items, isWhole: false)
    #expect(text(of: item, .plainText) == "one\nzwei ü\n한글")
    #expect(text(of: item, .uriList) == "file:///c\r\n")
    #expect(!item.types.contains(.html), "the other texts would be missing")
    #expect(!item.types.contains("STRING"), "a text would be missing")
  }

  @Test func `a text that does not fit into Latin-1 keeps the others from going as Latin-1`() {
    let item = DragItem(joining: [DragItem("one"), DragItem("한글")])
    #expect(!item.types.contains("STRING"))
    #expect(item.types.contains(.plainText))
  }

  @Test func `a type that cannot be joined is there only if one item has it`() {
    var picture = DragItem()
    picture.promise("image/png", bytes: [1])
    #expect(DragItem(joining: [picture, picture]).types.isEmpty)
    #expect(DragItem(joining: [picture, DragItem(files: ["/x"])]).types == ["image/png", .uriList])
  }

  @Test func `the order of fidelity is that of the first item, then what the others add`() {
    var first = DragItem()
    first.promise("a/a", bytes: [])
    first.promise(FileList(paths: ["/x"]))
    var second = DragItem()
    second.promise("b/b", bytes: [])
    second.promise(FileList(paths: ["/y"]))
    #expect(DragItem(joining: [first, second]).types.map(\.name) == ["a/a", "text/uri-list", "b/b"])
  }

  @Test func `one refusal refuses the joined request`() {
    var broken = DragItem()
    broken.promise(.uriList) { $0.refuse() }
    let item = DragItem(joining: [DragItem(files: ["/x"]), broken])
    #expect(answer(of: item, .uriList) == nil)
  }

  @Test func `what may be done is what may be done with each item`() {
    var first = DragItem("1")
    first.operations = [.move, .link, .copy]
    var second = DragItem("2")
    second.operations = [.copy, .link]
    #expect(DragItem(joining: [first, second]).operations == [.link, .copy])
    second.operations = [.ask]
    #expect(DragItem(joining: [first, second]).operations == [.copy])
  }

  @Test func `an item knows the value that it was made of`() {
    #expect(DragItem("text").value as? String == "text")
    #expect(DragItem().value == nil)
  }

  @Test func `the memory that an item holds is what was given as bytes`() {
    var item = DragItem()
    item.promise("a/a", bytes: Array(repeating: 0, count: 1000))
    item.promise("b/b", contentsOfFile: "/etc/passwd")
    #expect(item.byteCount == 1000)
    #expect(DragItem(joining: [item]).byteCount == 1000)
  }

  private func text(of item: DragItem, _ type: ContentType) -> String? {
    answer(of: item, type).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// What an item answers when it is asked for a type; `nil` for a refusal.
func answer(of item: DragItem, _ type: ContentType) -> [UInt8]? {
  guard let doorbell = try? Doorbell() else { return nil }
  var answers: [[UInt8]?] = []
  guard let representation = item.representations.first(where: { $0.type.name == type.name }) else { return nil }
  representation.provide(
    DataRequest(type: type, requestor: WindowID(rawValue: 1), doorbell: doorbell) { reader in
      guard let reader else { return answers.append(nil) }
      var bytes: [UInt8] = []
      while case .bytes(let part) = reader.read(upTo: 7), !part.isEmpty { bytes += part }
      answers.append(bytes)
    })
  #expect(answers.count == 1, "a request is answered once")
  return answers.first ?? nil
}
