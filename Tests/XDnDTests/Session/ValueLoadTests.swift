import Glibc
import Synchronization
import TestSupport
import Testing
import XDnDFoundation

@testable import XDnD
@testable import XDnDTesting

/// Values out of drops and clipboards, on a simulated server with programs that see nothing but the library.
@Suite("Loading values")
struct ValueLoadTests {
  struct Note: Codable, Equatable, Transferable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
      CodableRepresentation(contentType: "application/x-note")
      ProxyRepresentation(exporting: \.text, importing: Note.init(text:))
    }
  }

  let stage = DropStage()

  // MARK: Values

  @Test func `values come back as they were, out of drops and out of clipboards`() throws {
    try roundTrip("Grüße, 👋 мир\nsecond line")
    try roundTrip("")
    try roundTrip(PlainText("text"))
    try roundTrip(StyledText(html: "<p>Grüße</p>"))
    try roundTrip(Link(url: "https://example.org/?q=1#top", title: "Ümlaut"))
    try roundTrip(Link(url: "https://example.org/"))
    try roundTrip(FileList(paths: ["/a file", "/Файл"]))
    try roundTrip(Color(red: 1, green: 2, blue: 3, alpha: 4))
    try roundTrip(ContactCard(name: "Ada, Ü", mailAddresses: ["ada@example.org"], organization: "A; B"))
    try roundTrip(EncodedImage([1, 2, 3], type: "image/webp"))
    try roundTrip(Note(text: "ü"))
  }

  private func roundTrip<Value: Transferable & Equatable>(
    _ value: Value, _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try load(Value.self, from: DragItem(value)).get() == value, sourceLocation: location)
    try stage.source.clipboard.write(DragItem(value))
    #expect(try paste(Value.self).get() == value, sourceLocation: location)
    try stage.target.clipboard.write(DragItem(value))
    #expect(try paste(Value.self).get() == value, "pasted by who has copied it", sourceLocation: location)
  }

  @Test func `what can be loaded is known before the drop`() {
    stage.hover([DragItem(Link(url: "https://example.org/"))])
    let drop = stage.receiver.drop
    #expect(drop?.canLoad(Link.self) == true)
    #expect(drop?.canLoad(String.self) == true)
    #expect(drop?.canLoad(FileList.self) == true)
    #expect(drop?.canLoad(EncodedImage.self) == false)
    #expect(drop?.canLoad(Document.self) == false)
    var early: Result<String, XDnDError>?
    drop?.load(String.self) { early = $0 }
    #expect(early?.failure == .notDropped)
    stage.letGo()
    stage.hover([DragItem("a/b", [1])])
    #expect(stage.receiver.drop?.canLoad(String.self) == false)
    stage.letGo()
  }

  // MARK: A part

  /// What an address field takes.
  struct Recipient: Equatable, Transferable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
      ProxyRepresentation(importing: { (contact: ContactCard) throws in
        guard let address = contact.mailAddress else { throw CancellationError() }
        return Recipient(text: address.description)
      })
      ProxyRepresentation(exporting: \.text, importing: Recipient.init(text:))
    }
  }

  private static let ada = Array(
    "BEGIN:VCARD\nVERSION:4.0\nFN:Ada Lovelace\nEMAIL:ada@example.org\nPHOTO:data:,x\nEND:VCARD\n".utf8)

  @Test(arguments: ["text/vcard", "text/x-vcard", "text/directory;profile=vcard", "text/vcard;charset=utf-8"])
  func `of a contact, a field takes the name and the mail address`(_ type: String) throws {
    let item = DragItem(ContentType(type), Self.ada)
    #expect(try load(Recipient.self, from: item).get().text == "Ada Lovelace <ada@example.org>")
    #expect(try load(String.self, from: item).get() == "Ada Lovelace <ada@example.org>")
  }

  @Test func `a contact goes before the text beside it only where the contact is wanted`() throws {
    var item = DragItem("some text")
    item.promise(.vCard, bytes: Self.ada)
    #expect(try load(Recipient.self, from: item).get().text == "Ada Lovelace <ada@example.org>")
    #expect(try load(String.self, from: item).get() == "some text")
  }

  @Test func `a contact without an address is its name, as text`() throws {
    let item = DragItem(.vCard, Array("BEGIN:VCARD\nFN:Ada\nEND:VCARD\n".utf8))
    #expect(try load(Recipient.self, from: item).get().text == "Ada")
  }

  @Test func `a contact that cannot be read is passed over for the text beside it`() throws {
    var item = DragItem("some text")
    item.promise(.vCard, bytes: Array("no contact".utf8))
    #expect(try load(Recipient.self, from: item).get().text == "some text")
  }

  @Test func `HTML alone is text too, and a colour is found in text`() throws {
    #expect(try load(String.self, from: DragItem(.html, Array("<b>Bold</b> &amp; more".utf8))).get() == "Bold & more")
    #expect(try load(Color.self, from: DragItem("#ff0000")).get() == Color(red: .max, green: 0, blue: 0))
    #expect(try load(Link.self, from: DragItem("https://example.org/")).get() == Link(url: "https://example.org/"))
  }

  @Test func `of several kinds of images PNG is taken`() throws {
    var item = DragItem("image/webp", [1])
    item.promise(.png, bytes: [2])
    #expect(try load(EncodedImage.self, from: item).get() == EncodedImage([2], type: .png))
  }

  // MARK: One after the other

  @Test func `what is refused, and what makes no sense, is passed over`() throws {
    var refusing = DragItem()
    refusing.promise("application/x-note") { $0.refuse() }
    refusing.promise("text/plain", bytes: Array("plain".utf8))
    #expect(try load(Note.self, from: refusing).get() == Note(text: "plain"))
    var senseless = DragItem("application/x-note", Array("no JSON".utf8))
    senseless.promise("text/plain", bytes: Array("plain".utf8))
    #expect(try load(Note.self, from: senseless).get() == Note(text: "plain"))
    try stage.source.clipboard.write(senseless)
    #expect(try paste(Note.self).get() == Note(text: "plain"))
  }

  @Test func `if nothing is of use the last error is told`() {
    #expect(load(Note.self, from: DragItem("application/x-note", [1])).failure == .transferFailed)
    #expect(load(Note.self, from: DragItem("a/b", [1])).failure == .transferRefused)
    var refusing = DragItem()
    refusing.promise("application/x-note") { $0.refuse() }
    #expect(load(Note.self, from: refusing).failure == .transferRefused)
    #expect(paste(Note.self).failure == .transferRefused, "an empty clipboard")
  }

  @Test func `more than the limit is an error at once`() {
    var asked: [String] = []
    var item = DragItem()
    for type: ContentType in ["application/x-note", "text/plain"] {
      item.promise(type) {
        asked.append($0.type.name)
        $0.fulfill(Array(repeating: 0x20, count: 1000))
      }
    }
    #expect(load(Note.self, limit: 100, from: item).failure == .tooLarge)
    #expect(asked == ["application/x-note"])
  }

  @Test func `progress is told of each representation`() throws {
    var item = DragItem("application/x-note", [1, 2, 3])
    item.promise("text/plain", bytes: Array("plain".utf8))
    var seen: [Int] = []
    stage.drop([item]) { $0.load(Note.self, progress: { received, _ in seen.append(received) }) { _ in } }
    #expect(seen.contains(3))
    #expect(seen.last == 5)
  }

  // MARK: Files

  @Test func `a file representation gets a file, which is gone afterwards`() throws {
    let document = try load(Document.self, from: DragItem("a/document", Array("content".utf8))).get()
    #expect(document.text == "content")
    #expect(access(document.path, F_OK) != 0)
    #expect(access(String(document.path.dropLast("/content".utf8.count)), F_OK) != 0)
  }

  @Test func `a file that makes no sense is gone too, and the next representation is taken`() throws {
    var item = DragItem("a/document", Array("broken \(stage.receiver.id)".utf8))
    item.promise("a/other", bytes: Array("good".utf8))
    let document = try load(Document.self, from: item).get()
    #expect(document.text == "good")
    let left = Document.paths.withLock { $0 }.filter { access($0, F_OK) == 0 }
    #expect(left == [])
  }

  @Test func `the file that a value names is what travels`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("from a file".utf8, to: "file")
    let item = DragItem(Document(text: "", path: path))
    #expect(item.types == ["a/other"])
    #expect(try load(Document.self, from: item).get().text == "from a file")
    #expect(load(Document.self, from: DragItem(Document(text: "", path: "/missing"))).failure == .transferRefused)
  }

  // MARK: Cancelling

  @Test func `a load that is cancelled ends at once, whatever it waits for`() {
    var held: [DataRequest] = []
    var item = DragItem()
    item.promise("application/x-note") { held.append($0) }
    item.promise("text/plain", bytes: Array("plain".utf8))
    var results: [XDnDError.Code?] = []
    stage.drop([item]) { [stage] drop in
      let task = drop.load(Note.self) {
        results.append($0.failure)
        drop.reject()
      }
      stage.run(.milliseconds(200))
      #expect(!task.isFinished)
      #expect(task.type == "application/x-note")
      task.cancel()
    }
    #expect(results == [.cancelled])
    #expect(stage.target.driver.reactor.loads.count == 0)

    let silent = SelectionPeer(stage.simulation, owning: .clipboard)
    silent.onRequest = { _ in }
    let task = stage.target.clipboard.load(Note.self) { results.append($0.failure) }
    stage.run(.milliseconds(200))
    #expect(silent.requests.map(\.target) == [.targets])
    task.cancel()
    stage.run(.milliseconds(200))
    #expect(results == [.cancelled, .cancelled])
    #expect(stage.target.driver.reactor.loads.count == 0)
  }

  @Test func `a load that waits for its second representation can be cancelled too`() {
    var held: [DataRequest] = []
    var item = DragItem("application/x-note", [1])
    item.promise("text/plain") { held.append($0) }
    var results: [XDnDError.Code?] = []
    stage.drop([item]) { [stage] drop in
      let task = drop.load(Note.self) {
        results.append($0.failure)
        drop.reject()
      }
      stage.run(.milliseconds(200))
      #expect(task.type == "text/plain")
      task.cancel()
    }
    #expect(held.count == 1)
    #expect(results == [.cancelled])
  }

  // MARK: Owners without the library

  @Test func `text is read in the encoding that its property says`() throws {
    let peer = SelectionPeer(stage.simulation, owning: .clipboard)
    peer.content = [.string: value(.string, [0x47, 0x72, 0xFC, 0xDF, 0x65])]
    #expect(try paste(String.self).get() == "Grüße")
    peer.content = [.utf8String: value(.utf8String, Array("Grüße".utf8))]
    #expect(try paste(String.self).get() == "Grüße")
  }

  @Test func `a list of files that is labelled as text is a list of files`() throws {
    let peer = SelectionPeer(stage.simulation, owning: .clipboard)
    peer.content = [
      .targets: PropertyValue(type: .atom, contents: .atoms([AtomName("text/uri-list")])),
      AtomName("text/uri-list"): value(.utf8String, Array("file:///a%20file\r\n".utf8)),
    ]
    #expect(try paste(FileList.self).get() == FileList(paths: ["/a file"]))
  }

  private func value(_ type: AtomName, _ bytes: [UInt8]) -> PropertyValue {
    PropertyValue(type: type, contents: .bytes(bytes[...]))
  }

  // MARK: Within one program

  @Test func `a drop on a window of the same program has the items themselves`() throws {
    var first = DragItem(Note(text: "first"))
    first.localContext = stage.receiver
    let second = DragItem("second")
    var items: [DragItem]?
    var text: Result<String, XDnDError>?
    stage.drop([first, second], by: stage.target) { drop in
      items = drop.localItems
      drop.load(String.self) {
        text = $0
        drop.finish(.copy)
      }
    }
    #expect(items?.count == 2)
    #expect(items?.first?.value as? Note == Note(text: "first"))
    #expect(items?.first?.localContext as? DropStage.Receiver === stage.receiver)
    #expect(items?.last?.value as? String == "second")
    #expect(try text?.get() == "first\nsecond", "they travel as well")
    #expect(stage.receiver.results == [.finished(.copy)])
  }

  @Test func `the items are there while the drag hovers, and those of another program never are`() {
    stage.hover([DragItem("own")], by: stage.target)
    #expect(stage.receiver.drop?.localItems?.map { $0.value as? String } == ["own"])
    stage.letGo()
    stage.hover([DragItem("foreign")])
    #expect(stage.receiver.drop?.types.isEmpty == false)
    #expect(stage.receiver.drop?.localItems == nil)
    stage.letGo()
    stage.hover([DragItem("again")], by: stage.target)
    #expect(stage.receiver.drop?.localItems?.map { $0.value as? String } == ["again"])
    stage.letGo()
  }

  // MARK: Help

  private func load<Value: Transferable>(
    _ type: Value.Type, limit: Int? = nil, from item: DragItem
  ) -> Result<Value, XDnDError> {
    var results: [Result<Value, XDnDError>] = []
    stage.drop([item]) { drop in
      drop.load(type, limit: limit) {
        results.append($0)
        drop.finish(.copy)
      }
    }
    #expect(results.count == 1, "a load ends once")
    #expect(stage.target.driver.reactor.loads.count == 0)
    return results.first ?? .failure(.nothingDropped)
  }

  private func paste<Value: Transferable>(_ type: Value.Type) -> Result<Value, XDnDError> {
    var results: [Result<Value, XDnDError>] = []
    stage.target.clipboard.load(type) { results.append($0) }
    stage.run(.seconds(1))
    #expect(results.count == 1, "a load ends once")
    return results.first ?? .failure(.nothingDropped)
  }
}
