import Foundation
import Testing
import XDnDFoundation

@testable import XDnD

/// `URL` and `Data` in drags, by the product `XDnDFoundation`.
@Suite("Foundation's values")
struct FoundationValueTests {
  // MARK: URLs

  @Test func `the URL of a file is a list of files, and no link`() {
    let item = DragItem(URL(filePath: "/home/me/a (1).txt"))
    #expect(item.types == [.uriList])
    #expect(text(of: item, .uriList) == "file:///home/me/a%20%281%29.txt\r\n")
  }

  @Test func `any other URL is a link, with all types of one`() throws {
    let url = try #require(URL(string: "https://example.org/?q=1#top"))
    let item = DragItem(url)
    #expect(item.types == DragItem(Link(url: "https://example.org/?q=1#top")).types)
    #expect(text(of: item, .plainText) == "https://example.org/?q=1#top")
  }

  @Test func `a URL is read from links and from lists of files`() throws {
    #expect(try url(from: "https://example.org/\nExample", as: .mozURL).absoluteString == "https://example.org/")
    #expect(try url(from: "file:///a%20b\r\nfile:///c\r\n", as: .uriList).path == "/a b")
    #expect(throws: (any Error).self) { try url(from: "no link", as: .plainText) }
  }

  @Test func `what a peer has not escaped belongs to the name of the file`() throws {
    let file = try url(from: "file:///What?#1 it is\r\n", as: .uriList)
    #expect(file.isFileURL)
    #expect(file.path == "/What?#1 it is")
  }

  @Test func `a name that is not UTF-8 stays as it is`() throws {
    let list = FileList(rawPaths: [[0x2F, 0x61, 0xFF]])
    let urls = list.urls()
    #expect(urls.map(\.absoluteString) == ["file:///a%FF"])
    #expect(FileList(urls: urls) == list)
  }

  @Test func `the URI of a directory ends with its name`() {
    let list = FileList(urls: [URL(filePath: "/home/me/", directoryHint: .isDirectory), URL(filePath: "/")])
    #expect(list.uris == ["file:///home/me", "file:///"])
  }

  @Test func `a file of this machine has a URL without a host, one of another keeps it`() {
    let list = FileList(uris: ["file://here/a", "file://there/b", "sftp://there/c", "/bare/path"])
    #expect(
      list.urls(hostName: "here").map(\.absoluteString) == ["file:///a", "file://there/b", "sftp://there/c"])
  }

  @Test func `an item for URLs is one for their paths`() {
    let item = DragItem(files: [URL(filePath: "/a"), URL(filePath: "/b c")])
    #expect(item.value as? FileList == FileList(paths: ["/a", "/b c"]))
    // An empty list is one of paths, as without Foundation.
    #expect(DragItem(files: []).value as? FileList == FileList(paths: []))
  }

  @Test func `the contents of a file are promised by its URL`() throws {
    var item = DragItem()
    item.promise("a/a", contentsOf: URL(filePath: #filePath))
    item.promise("b/b", contentsOf: try #require(URL(string: "https://example.org/")))
    #expect(try answer(of: item, "a/a") == [UInt8](Data(contentsOf: URL(filePath: #filePath))))
    #expect(answer(of: item, "b/b") == nil)
  }

  // MARK: Data

  @Test func `promised data is kept like bytes`() {
    var item = DragItem()
    item.promise("a/a", data: Data([1, 2, 3]))
    item.promise("b/b") { $0.fulfill(Data([4])) }
    #expect(item.byteCount == 3)
    #expect(answer(of: item, "a/a") == [1, 2, 3])
    #expect(answer(of: item, "b/b") == [4])
    #expect(LoadedContent(type: "a/a", requestedType: "a/a", bytes: [1]).data == Data([1]))
  }

  struct Blob: Equatable, Transferable {
    var data: Data

    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(contentType: "a/blob", exporting: { $0.data }, importing: { Blob(data: $0) })
      // It fits bytes and data, and is one of bytes.
      DataRepresentation(importedContentType: "a/text") { Blob(data: Data(String(decoding: $0, as: UTF8.self).utf8)) }
    }
  }

  @Test func `a representation may be made of data`() throws {
    #expect(answer(of: DragItem(Blob(data: Data([1, 2]))), "a/blob") == [1, 2])
    #expect(try value(Blob.self, from: [1, 2], as: "a/blob") == Blob(data: Data([1, 2])))
    #expect(try value(Blob.self, from: [0x61], as: "a/text") == Blob(data: Data([0x61])))
  }

  private func text(of item: DragItem, _ type: ContentType) -> String? {
    answer(of: item, type).map { String(decoding: $0, as: UTF8.self) }
  }

  private func url(from text: String, as type: ContentType) throws -> URL {
    try value(URL.self, from: Array(text.utf8), as: type)
  }

  private func value<Value: Transferable>(_: Value.Type, from bytes: [UInt8], as type: ContentType) throws -> Value {
    let form = try #require(Value.transferForms.imports.first { $0.type.name == type.name })
    guard case .bytes(let make) = form.make else { throw CocoaError(.featureUnsupported) }
    return try make(bytes, type)
  }
}
