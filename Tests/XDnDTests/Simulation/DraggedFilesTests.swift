import Glibc
import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A file manager offers a picture as a list of files.
@Suite("Content or a file of that content")
struct DraggedFilesTests {
  private let directory: TemporaryDirectory
  private static let png: [UInt8] = [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A, 1, 2, 3]
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 4, 5, 6]
  private static let text = Array("It is text.\n".utf8)

  init() throws { directory = try TemporaryDirectory() }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> String { try directory.write(bytes, to: name) }

  /// What PCManFM offers.
  private func list(_ paths: [String]) -> DragItem {
    var item = DragItem(.uriList, FileList(paths: paths).encoded)
    item.operations = [.copy, .move, .link]
    return item
  }

  private func stage(_ types: [ContentType] = [.image]) -> DropStage { DropStage(accepting: types) }

  /// Loads an image from what is dropped, and finishes the drop.
  private func takeImages(_ stage: DropStage) -> () -> [Result<EncodedImage, XDnDError>] {
    var results: [Result<EncodedImage, XDnDError>] = []
    stage.receiver.onDrop = { drop in
      drop.load(EncodedImage.self) {
        results.append($0)
        if case .success = $0 { drop.finish(.copy) } else { drop.reject() }
      }
    }
    return { results }
  }

  // MARK: Pictures

  @Test func `a picture from a file manager is loaded as the picture`() throws {
    let stage = stage()
    let images = takeImages(stage)
    let drag = stage.hover([list([try file("a.png", Self.png)])])
    #expect(stage.receiver.drop?.bestType == .png)
    #expect(stage.receiver.drop?.suggestedProposal == .accept(.copy))
    stage.letGo()
    #expect(images() == [.success(EncodedImage(Self.png, type: .png))])
    #expect(drag.outcome == .dropped(.copy))
  }

  @Test func `it is loaded by the name of its type as well`() throws {
    let stage = stage()
    var loaded: [LoadedContent] = []
    stage.drop([list([try file("a.png", Self.png)])]) { drop in
      drop.load(drop.bestType ?? .data) { result in
        if case .success(let content) = result { loaded.append(content) }
        drop.finish(.copy)
      }
    }
    #expect(loaded.map(\.bytes) == [Self.png])
    #expect(loaded.map(\.requestedType) == [.png])
  }

  @Test func `files without a picture are refused while they hover`() throws {
    let stage = stage()
    let paths = [try file("a.txt", Self.text), "/no/such.pdf"]
    let drag = stage.hover([list(paths)])
    #expect(stage.receiver.drop?.suggestedProposal == .forbidden)
    stage.letGo()
    #expect(drag.outcome == .refused)
  }

  @Test func `pictures on other machines are none`() throws {
    let stage = stage()
    let uris = ["file://elsewhere/a.png", "sftp://host/a.png", "a.png"]
    stage.hover([DragItem(.uriList, FileList(uris: uris).encoded)])
    #expect(stage.receiver.drop?.suggestedProposal == .forbidden)
    stage.letGo()
  }

  @Test func `of several files, each picture is an item, and a move is a copy`() throws {
    let stage = stage()
    stage.target.driver.registerDropTarget(
      stage.window, accepting: DropOffer([.image], operations: [.move, .copy]), delegate: stage.receiver)
    let paths = [try file("a.png", Self.png), try file("b.txt", Self.text), try file("c.jpg", Self.jpeg)]
    var images: [EncodedImage] = []
    stage.receiver.onDrop = { drop in
      #expect(drop.items.map(\.types) == [[.png], ["image/jpeg"]])
      #expect(drop.droppedOperation == .copy)
      drop.load([EncodedImage].self) { result in
        if case .success(let loaded) = result { images = loaded }
        drop.finish(.copy)
      }
    }
    stage.server.hold(.shift)
    let drag = stage.hover([list(paths)])
    stage.letGo()
    #expect(images.map(\.bytes) == [Self.png, Self.jpeg])
    #expect(drag.outcome == .dropped(.copy))
  }

  // MARK: What a name says, and what a file holds

  @Test func `a file that only says that it is a picture is refused after the drop`() throws {
    let stage = stage()
    let images = takeImages(stage)
    let drag = stage.hover([list([try file("a.png", Self.text)])])
    #expect(stage.receiver.drop?.suggestedProposal == .accept(.copy))
    stage.letGo()
    #expect(images().count == 1)
    #expect(images().allSatisfy { if case .failure = $0 { true } else { false } })
    #expect(drag.outcome == .refused)
  }

  @Test func `a picture with the name of another kind is what it is`() throws {
    let stage = stage()
    let images = takeImages(stage)
    stage.hover([list([try file("a.png", Self.jpeg)])])
    stage.letGo()
    #expect(images() == [.success(EncodedImage(Self.jpeg, type: "image/jpeg"))])
  }

  @Test(arguments: [true, false])
  func `where the name says nothing, the first bytes do after the drop`(_ isPicture: Bool) throws {
    let stage = stage()
    let images = takeImages(stage)
    let drag = stage.hover([list([try file("photograph", isPicture ? Self.png : Self.text)])])
    #expect(stage.receiver.drop?.suggestedProposal == .accept(.copy))
    stage.letGo()
    #expect((drag.outcome == .dropped(.copy)) == isPicture)
    #expect(images().contains(.success(EncodedImage(Self.png, type: .png))) == isPicture)
  }

  @Test(arguments: ["missing", "directory", "fifo"])
  func `what cannot be read as a file is refused, and nothing waits for it`(_ kind: String) throws {
    let path = directory("a.png")
    if kind == "directory" { try #require(mkdir(path, 0o700) == 0) }
    if kind == "fifo" { try #require(mkfifo(path, 0o600) == 0) }
    let stage = stage()
    let images = takeImages(stage)
    let drag = stage.hover([list([path])])
    stage.letGo()
    #expect(images().allSatisfy { if case .failure = $0 { true } else { false } })
    #expect(drag.outcome == .refused)
  }

  // MARK: Text, and what is offered directly

  @Test func `a text file is text, if no text is offered`() throws {
    let stage = stage([.plainText])
    var texts: [String] = []
    stage.drop([list([try file("a.txt", Self.text)])]) { drop in
      drop.load(String.self) { result in
        if case .success(let text) = result { texts.append(text) }
        drop.finish(.copy)
      }
    }
    #expect(texts == ["It is text.\n"])
  }

  @Test func `an item that is the content of a file has no other type than the file's`() throws {
    let stage = stage()
    var failure: XDnDError.Code?
    stage.drop([list([try file("a.png", Self.png)])]) { drop in
      #expect(drop.items.map(\.types) == [["image/png"]])
      drop.items[0].load("text/html") { result in
        failure = result.failure
        drop.reject()
      }
    }
    #expect(failure == .transferRefused)
  }

  @Test func `what is offered directly comes before a file`() throws {
    let stage = stage()
    let images = takeImages(stage)
    let path = try file("a.png", Self.png)
    var item = list([path])
    item.promise("image/bmp") { $0.fulfill(Array("BM".utf8)) }
    stage.hover([item])
    stage.letGo()
    #expect(images() == [.success(EncodedImage(Array("BM".utf8), type: "image/bmp"))])
  }

  @Test func `a target that reads no files refuses them`() throws {
    let stage = stage()
    var offer = DropOffer([.image])
    offer.readsFiles = false
    stage.target.driver.registerDropTarget(stage.window, accepting: offer, delegate: stage.receiver)
    stage.hover([list([try file("a.png", Self.png)])])
    #expect(stage.receiver.drop?.suggestedProposal == .forbidden)
    stage.letGo()
  }

  @Test(arguments: [[.uriList, .image], [.image, .uriList], [.image, "*/*"]] as [[ContentType]])
  func `a target that takes files is given the list, and nobody asks for it before`(_ types: [ContentType]) throws {
    let stage = stage(types)
    var asked = 0
    let path = try file("a.png", Self.png)
    var item = DragItem()
    item.promise(.uriList) { request in
      asked += 1
      request.fulfill(FileList(paths: [path]).encoded)
    }
    stage.hover([item])
    #expect(stage.receiver.drop?.bestType == .uriList)
    #expect(asked == 0)
    stage.letGo()
  }

  @Test func `a region of pictures lights up for a file of one, and one of files is given the list`() throws {
    let stage = stage([])
    let pictures = DropRegion(frame: Rect(x: 0, y: 0, width: 100, height: 60), accepting: DropOffer([.image]))
    let sounds = DropRegion(frame: Rect(x: 0, y: 60, width: 50, height: 40), accepting: DropOffer(["audio/*"]))
    let files = DropRegion(frame: Rect(x: 50, y: 60, width: 50, height: 40), accepting: DropOffer([.image, .uriList]))
    var taken: [ContentType?] = []
    for region in [pictures, sounds, files] {
      region.onDrop = { drop in
        taken.append(drop.bestType)
        drop.reject()
      }
    }
    stage.target.driver.registerDropTarget(stage.window, regions: [pictures, sounds, files])
    stage.hover([list([try file("a.png", Self.png)])])
    #expect(pictures.isTargeted)
    stage.move(to: Point(x: 220, y: 80))
    #expect(!pictures.isTargeted && !sounds.isTargeted)
    stage.move(to: Point(x: 270, y: 80))
    #expect(files.isTargeted)
    stage.letGo()
    #expect(taken == [.uriList])
  }

  @Test func `a drop whose files are still read leaves the drag alone that comes next`() throws {
    let stage = stage([])
    let region = DropRegion(
      frame: Rect(x: 0, y: 0, width: 100, height: 100), accepting: DropOffer([.image, .plainText]),
      delegate: stage.receiver)
    stage.target.driver.registerDropTarget(stage.window, regions: [region])
    var asked: [ObjectIdentifier: Int] = [:]
    stage.receiver.validate = {
      asked[ObjectIdentifier($0), default: 0] += 1
      return true
    }
    var performed = 0
    stage.receiver.onDrop = { drop in
      performed += 1
      drop.reject()
    }
    var requests: [DataRequest] = []
    var slow = DragItem()
    slow.promise(.uriList) { requests.append($0) }
    stage.hover([slow])
    stage.run(.seconds(1))
    stage.letGo()
    #expect(performed == 0 && !requests.isEmpty && !region.isTargeted)
    stage.hover([DragItem("text")], by: stage.simulation.program())
    let next = try #require(stage.receiver.drop)
    #expect(asked[ObjectIdentifier(next)] == 1 && region.isTargeted)
    let list = FileList(paths: [try file("a.png", Self.png)]).encoded
    for request in requests { request.fulfill(list) }
    stage.run(.milliseconds(100))
    #expect(performed == 1 && region.isTargeted)
    stage.move(to: Point(x: 251, y: 51))
    #expect(asked[ObjectIdentifier(next)] == 1)
  }

  @Test func `whether a value can be loaded is up to the region under the drag`() throws {
    let stage = stage([])
    var lists = DropOffer([.uriList])
    lists.readsFiles = false
    let regions = [lists, DropOffer([.image])].enumerated().map { index, offer in
      DropRegion(frame: Rect(x: 0, y: 50 * index, width: 100, height: 50), accepting: offer, delegate: stage.receiver)
    }
    stage.target.driver.registerDropTarget(stage.window, regions: regions)
    var canLoad: Bool?
    stage.receiver.propose = { drop in
      canLoad = drop.canLoad(EncodedImage.self)
      return drop.suggestedProposal
    }
    stage.begin([list([try file("a.png", Self.png)])])
    var answers: [Bool?] = []
    for y in [20, 70, 20] {
      stage.move(to: Point(x: 250, y: y), for: .milliseconds(150))
      answers.append(canLoad)
    }
    #expect(answers == [false, true, false])
    stage.letGo()
  }

  // MARK: Moves

  /// Moves a picture without a telling name, which the source offers as text, too.
  private func movePicture(
    _ name: String = "photograph", besides others: [DropRegion] = [], to types: [ContentType] = [.image, .plainText],
    _ take: @escaping (DropSession) -> Void
  ) throws -> DragSession {
    let stage = stage()
    let region = DropRegion(accepting: DropOffer(types, operations: [.copy, .move]), delegate: stage.receiver)
    stage.target.driver.registerDropTarget(stage.window, regions: [region] + others)
    var item = list([try file(name, Self.png)])
    item.promise(.plainText, bytes: Self.text)
    stage.receiver.onDrop = take
    stage.server.hold(.shift)
    let drag = stage.hover([item])
    #expect(stage.receiver.drop?.suggestedProposal == .accept(.move))
    stage.letGo()
    return drag
  }

  @Test func `a move is reported as a copy if the content of a file was read`() throws {
    var images: [EncodedImage] = []
    let drag = try movePicture { drop in
      #expect(drop.droppedOperation == .move)
      drop.load(EncodedImage.self) { result in
        if case .success(let image) = result { images.append(image) }
        drop.finish(.move)
      }
    }
    #expect(images == [EncodedImage(Self.png, type: .png)])
    #expect(drag.outcome == .dropped(.copy))
    #expect(!drag.isDeletionRequested)
  }

  @Test func `a move of a file whose content was read is a copy without an answer, too`() throws {
    let drag = try movePicture { $0.load(EncodedImage.self) { _ in } }
    #expect(drag.outcome == .dropped(.copy))
    #expect(!drag.isDeletionRequested)
  }

  @Test func `a move is a copy, too, if the region prefers what was offered and reads a file nevertheless`() throws {
    // Because of the other region, the files are known.
    let other = DropRegion(frame: Rect(x: 0, y: 0, width: 5, height: 5), accepting: DropOffer([.image]))
    var images: [EncodedImage] = []
    let drag = try movePicture("a.png", besides: [other], to: [.plainText, .image]) { drop in
      #expect(drop.bestType == .plainText)
      drop.load(EncodedImage.self) {
        if case .success(let image) = $0 { images.append(image) }
        drop.finish(.move)
      }
    }
    #expect(images == [EncodedImage(Self.png, type: .png)])
    #expect(drag.outcome == .dropped(.copy))
  }

  // MARK: This program's own files, and the clipboard

  @Test(arguments: [false, true])
  func `a picture among this program's own files is loaded as the picture`(isInRegion: Bool) throws {
    let stage = stage(isInRegion ? [] : [.image])
    let images = takeImages(stage)
    if isInRegion {
      let region = DropRegion(accepting: DropOffer([.image]), delegate: stage.receiver)
      stage.target.driver.registerDropTarget(stage.window, regions: [region])
    }
    let items = [DragItem(files: [try file("a.txt", Self.text)]), DragItem(files: [try file("a.png", Self.png)])]
    let drag = stage.hover(items, by: stage.target)
    #expect(stage.receiver.drop?.suggestedProposal == .accept(.copy))
    #expect(stage.receiver.drop?.items.map(\.suggestedFileName) == ["a.png"])
    stage.letGo()
    #expect(images() == [.success(EncodedImage(Self.png, type: .png))])
    #expect(drag.outcome == .dropped(.copy))
  }

  @Test func `each picture in one list of this program's own files has its own placeholder`() throws {
    let stage = stage()
    let files = [try file("a.png", Self.png), try file("b.png", Self.png)]
    stage.drop([DragItem(files: files)], by: stage.target) { drop in
      #expect(drop.items.map(\.suggestedFileName) == ["a.png", "b.png"])
      let placeholders = drop.items.map { DropPlaceholder(for: $0) }
      drop.items[0].load(EncodedImage.self) { _ in drop.finish(.copy) }
      #expect(placeholders.map(\.state) == [.loading, .waiting])
    }
  }

  @Test func `a copied file is pasted as what it holds`() throws {
    let stage = stage()
    let files = [try file("a.txt", Self.text), try file("false.png", Self.text), try file("b.png", Self.png)]
    try stage.source.driver.clipboard.write(list(files))
    var image: Result<EncodedImage, XDnDError>?
    stage.target.driver.clipboard.load(EncodedImage.self) { image = $0 }
    stage.run(.seconds(1))
    #expect(image == .success(EncodedImage(Self.png, type: .png)))
    var names: Result<FileList, XDnDError>?
    stage.target.driver.clipboard.load(FileList.self) { names = $0 }
    stage.run(.seconds(1))
    #expect(try names?.get() == FileList(paths: files), "who takes files is given the list")
  }

  @Test func `a clipboard without such a file says that nothing will do`() throws {
    let stage = stage()
    try stage.source.driver.clipboard.write(list([try file("a.txt", Self.text), "/no/such.png"]))
    var image: Result<EncodedImage, XDnDError>?
    stage.target.driver.clipboard.load(EncodedImage.self) { image = $0 }
    stage.run(.seconds(1))
    #expect(image?.failure == .transferRefused)
  }

  // MARK: Sources that are slow, or leave

  @Test func `a source that does not tell its files is accepted, and asked again after the drop`() throws {
    let stage = stage()
    let images = takeImages(stage)
    let path = try file("a.png", Self.png)
    var requests: [DataRequest] = []
    var item = DragItem()
    item.promise(.uriList) { request in
      requests.append(request)
      if requests.count > 1 { request.fulfill(FileList(paths: [path]).encoded) }
    }
    let drag = stage.begin([item])
    stage.move(to: DropStage.inside)
    #expect(stage.receiver.drop == nil, "It is not told before the files are known.")
    stage.run(.seconds(1))
    #expect(stage.receiver.drop?.suggestedProposal == .accept(.copy))
    stage.letGo()
    #expect(requests.count == 2)
    #expect(images() == [.success(EncodedImage(Self.png, type: .png))])
    #expect(drag.outcome == .dropped(.copy))
  }

  @Test func `a drag that leaves before its files are known is not told of, and the next one is`() throws {
    let stage = stage()
    var words: [String] = []
    stage.receiver.note = { words.append($0) }
    var item = DragItem()
    var request: DataRequest?
    item.promise(.uriList) { request = $0 }
    stage.begin([item])
    stage.move(to: DropStage.inside)
    stage.move(to: DropStage.outside)
    stage.letGo()
    #expect(request != nil)
    #expect(words.isEmpty)
    stage.hover([list([try file("a.png", Self.png)])])
    #expect(stage.receiver.drop?.suggestedProposal == .accept(.copy))
    stage.letGo()
  }

  @Test func `a source that dies with its list unread ends the visit, and the application hears of no drop`() throws {
    let stage = stage()
    var words: [String] = []
    stage.receiver.note = { words.append($0) }
    var item = DragItem()
    var requests: [DataRequest] = []
    item.promise(.uriList) { requests.append($0) }
    stage.begin([item])
    stage.move(to: DropStage.inside, for: .seconds(1))
    stage.server.release(.primary)
    stage.run(.milliseconds(200))
    #expect(requests.count == 2)
    stage.server.kill(stage.source.client)
    stage.run(.seconds(1))
    #expect(words.last == "exited, sourceVanished")
    #expect(!words.contains { $0.hasPrefix("dropped") })
  }

  /// A list of files that the source delivers when the test says so.
  private final class LateList {
    var requests: [DataRequest] = []

    var item: DragItem {
      var item = DragItem()
      item.promise(.uriList) { [weak self] in self?.requests.append($0) }
      return item
    }
  }

  @Test func `after the release, no region scrolls or opens while the list is read, and the same one has the drop`()
    throws
  {
    let (stage, late) = (stage([]), LateList())
    var taken: [String] = []
    var scrolls = 0
    let pictures = DropRegion(frame: Rect(x: 0, y: 0, width: 100, height: 60), accepting: DropOffer([.image]))
    let inner = DropRegion(accepting: DropOffer([.image]))
    for (region, name) in [(pictures, "pictures"), (inner, "inner")] {
      region.onDrop = { drop in
        taken.append(name)
        drop.reject()
      }
    }
    pictures.springLoading = SpringLoadingBehavior()
    pictures.onSpringLoad = { [unowned pictures] _ in pictures.children = [inner] }
    pictures.autoScroll = AutoScrollBehavior()
    pictures.onAutoScroll = { _, _ in
      scrolls += 1
      return true
    }
    stage.target.driver.registerDropTarget(stage.window, regions: [pictures])
    let path = try file("a.png", Self.png)
    stage.begin([late.item])
    // The answer waits half a second for the list, and scrolling begins a quarter of a second later.
    stage.move(to: Point(x: 250, y: 55), for: .milliseconds(700))
    #expect(pictures.isTargeted && scrolls == 0)
    stage.server.release(.primary)
    stage.run(.seconds(3))
    #expect(late.requests.count == 2)
    #expect(scrolls == 0 && pictures.children.isEmpty)
    late.requests.last?.fulfill(FileList(paths: [path]).encoded)
    stage.run(.seconds(1))
    #expect(taken == ["pictures"])
  }

  @Test func `a window that is unregistered while the list is read after the drop gets no drop`() {
    let (stage, late) = (stage(), LateList())
    var words: [String] = []
    stage.receiver.note = { words.append($0) }
    let drag = stage.begin([late.item])
    stage.move(to: DropStage.inside, for: .seconds(1))
    stage.server.release(.primary)
    stage.run(.milliseconds(200))
    #expect(late.requests.count == 2)
    stage.target.driver.unregisterDropTarget(stage.window)
    stage.run(.milliseconds(200))
    late.requests.last?.fulfill(FileList(paths: ["/a.png"]).encoded)
    stage.run(.seconds(1))
    #expect(words == ["entered", "exited, refused"])
    #expect(drag.outcome == .refused)
  }

  @Test func `a list of any length is read in one go, and its first thousand count`() throws {
    let stage = stage()
    let path = try file("a.png", Self.png)
    stage.hover([list(Array(repeating: path, count: 3_000))])
    #expect(stage.receiver.drop?.items.count == 1_000)
    #expect(stage.receiver.drop?.negotiation.offered == [.uriList, .png])
    stage.letGo()
  }
}

/// What the first bytes of a file tell.
@Suite("Signatures of files")
struct FileSignatureTests {
  @Test(arguments: [
    ("89504E470D0A1A0A0000", "image/png"), ("FFD8FFE1", "image/jpeg"), ("474946383961", "image/gif"),
    ("524946460102030457454250", "image/webp"), ("49492A00", "image/tiff"), ("4D4D002A", "image/tiff"),
    ("424D01020304000000000000", "image/bmp"), ("255044462D312E37", "application/pdf"), ("48C3A4", "text/plain"),
  ])
  func `it is known by its first bytes`(_ hex: String, _ type: String) throws {
    #expect(FileSignature.type(of: try bytes(hex)) == ContentType(type))
  }

  @Test(arguments: ["", "00", "48C328", "48C3", "5249464601020304", "424D616E", "1F8B08"])
  func `other bytes tell no picture`(_ hex: String) throws {
    let type = FileSignature.type(of: try bytes(hex))
    #expect(type == nil || type == "text/plain")
  }

  @Test func `text whose last character is cut off is text`() {
    let text = Array(repeating: UInt8(ascii: "a"), count: FileSignature.length - 1) + [0xC3]
    #expect(FileSignature.type(of: text) == "text/plain")
  }

  private func bytes(_ hex: String) throws -> [UInt8] {
    try stride(from: 0, to: hex.utf8.count, by: 2).map { offset in
      let digits = hex.dropFirst(offset).prefix(2)
      return try #require(UInt8(digits, radix: 16))
    }
  }
}
