import Foundation
import TestSupport
import Testing
import XDnDFoundation

@testable import PortingPrograms
@testable import XDnD
@testable import XDnDTesting

/// `NSItemProvider` and `UIDragItem`, where the ports of `docs/porting.md` do not show them.
@Suite("Apple's names: item providers")
struct AppleNamesProviderTests {
  private struct Failure: Error {}

  private let desktop = SimulatedDesktop.recordingIssues()
  private let window: WindowID
  private let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init() { window = desktop.makeWindow() }

  /// Drops an item of another program, and hands over its only provider.
  @discardableResult
  private func drop(_ item: DragItem, _ receive: @escaping (NSItemProvider) -> Void) -> DragOutcome? {
    let region = desktop.dragAndDrop.onDrop(of: [.item], isTargeted: nil, in: window) { providers in
      #expect(providers.count == 1)
      providers.forEach(receive)
      return true
    }
    defer { desktop.dragAndDrop.removeDropRegion(region, from: window) }
    return desktop.drag(item, over: window).drop()
  }

  /// A picture in a directory of its own.
  private func picture() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "a photo.png")
    try Data(png).write(to: file)
    return file
  }

  // MARK: Registering

  @Test func `a representation for this process is not published`() {
    let provider = NSItemProvider()
    provider.registerDataRepresentation(for: "a/own", visibility: .ownProcess) { completion in
      completion(Data([1]), nil)
      return nil
    }
    provider.registerDataRepresentation(for: "b/all") { completion in
      completion(Data([2]), nil)
      return nil
    }
    let item = UIDragItem(itemProvider: provider)
    #expect(item.types == ["b/all"])
    #expect(item.localTypes == ["a/own", "b/all"])
    #expect(answer(of: item, "a/own") == [1])
    #expect(answer(of: item, "b/all") == [2])
  }

  @Test func `a representation without data, and a file that is not here, are refused`() throws {
    let elsewhere = try #require(URL(string: "https://example.org/"))
    let provider = NSItemProvider()
    provider.registerDataRepresentation(for: "a/data") { completion in
      completion(nil, Failure())
      return nil
    }
    provider.registerFileRepresentation(for: "b/file") { completion in
      completion(nil, false, Failure())
      return nil
    }
    provider.registerFileRepresentation(for: "c/file") { completion in
      completion(elsewhere, false, nil)
      return nil
    }
    let item = UIDragItem(itemProvider: provider)
    for type: ContentType in ["a/data", "b/file", "c/file"] { #expect(answer(of: item, type) == nil) }
  }

  @Test func `registerFileRepresentation: the contents of a file are a representation`() throws {
    let file = URL(filePath: #filePath)
    let provider = NSItemProvider()
    provider.registerFileRepresentation(for: "a/file") { completion in
      completion(file, true, nil)
      return nil
    }
    #expect(try answer(of: UIDragItem(itemProvider: provider), "a/file") == [UInt8](Data(contentsOf: file)))
  }

  @Test func `init(contentsOf:) has the contents of a file under the type and the name of the file`() throws {
    let file = try picture()
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    let provider = try #require(NSItemProvider(contentsOf: file))
    #expect(provider.registeredContentTypes.first == .png)
    #expect(!provider.registeredContentTypes.contains(.fileURL))
    #expect(provider.suggestedName == "a photo.png")
    #expect(answer(of: UIDragItem(itemProvider: provider), .png) == png)
    #expect(UIDragItem(itemProvider: provider).filePromises.map(\.name) == ["a photo.png"])
    provider.suggestedName = "Kiel.png"
    #expect(UIDragItem(itemProvider: provider).filePromises.map(\.name) == ["Kiel.png"])
    #expect(try NSItemProvider(contentsOf: #require(URL(string: "https://example.org/a.png"))) == nil)
  }

  // MARK: Types and names

  @Test func `registeredContentTypes and registeredTypeIdentifiers are the types of a drop, best first`() {
    var (types, identifiers): ([UTType], [String]) = ([], [])
    drop(DragItem(EncodedImage(png, type: .png))) { provider in
      types = provider.registeredContentTypes
      identifiers = provider.registeredTypeIdentifiers
    }
    #expect(types == [.png])
    #expect(identifiers == ["image/png"])
  }

  @Test(arguments: [
    ("public.image", true), ("public.png", true), ("image/*", true), (UTType.png.identifier, true),
    ("public.item", true), ("public.plain-text", false), ("com.example.card", false),
  ])
  func `hasItemConformingToTypeIdentifier knows types and Apple's identifiers`(_ identifier: String, _ has: Bool) {
    let provider = NSItemProvider(object: EncodedImage(png, type: .png))
    #expect(provider.hasItemConformingToTypeIdentifier(identifier) == has)
  }

  @Test func `suggestedName promises the best representation as a file, with an extension`() {
    let provider = NSItemProvider(object: EncodedImage(png, type: .png))
    #expect(provider.suggestedName == nil)
    provider.suggestedName = "Kiel"
    #expect(provider.suggestedName == "Kiel")
    let item = UIDragItem(itemProvider: provider)
    #expect(item.filePromises.map(\.name) == ["Kiel.png"])
    #expect(item.filePromises.map(\.type) == [.png])
    var name: String?
    drop(item) { name = $0.suggestedName }
    #expect(name == "Kiel.png")
    drop(DragItem("Hello")) { name = $0.suggestedName }
    #expect(name == nil)
  }

  @Test func `suggestedName of text promises a clipping, which a text field does not open`() {
    let provider = NSItemProvider(object: "Hello")
    provider.suggestedName = "Greeting"
    let item = UIDragItem(itemProvider: provider)
    #expect(item.filePromises.map(\.name) == ["Greeting.txt"])
    #expect(item.filePromises.map(\.isClipping) == [true])
  }

  @Test func `suggestedName of a local file whose content is accepted is the name of the file`() throws {
    let file = try picture()
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    var names: [String?] = []
    desktop.dragAndDrop.onDrop(of: [.image], isTargeted: nil, in: window) { providers in
      for provider in providers {
        names.append(provider.suggestedName)
        provider.loadFileRepresentation(for: .image) { file, _, _ in names.append(file?.lastPathComponent) }
      }
      return true
    }
    #expect(desktop.drag(DragItem(files: [file]), over: window).drop() == .dropped(.copy))
    #expect(names == ["a photo.png", "a photo.png"])
  }

  // MARK: Loading

  @Test func `loadTransferable gives a value or an error`() {
    var results: [Result<String, any Error>] = []
    #expect(
      drop(DragItem("Hello")) { $0.loadTransferable(type: String.self) { results.append($0) } } == .dropped(.copy))
    let isRefused = drop(DragItem(EncodedImage(png, type: .png))) {
      $0.loadTransferable(type: String.self) { results.append($0) }
    }
    #expect(isRefused == .refused)
    #expect(results.map { try? $0.get() } == ["Hello", nil])
  }

  @Test func `loadFileRepresentation gives a file with the suggested name, which is removed afterwards`() throws {
    let provider = NSItemProvider(object: EncodedImage(png, type: .png))
    provider.suggestedName = "Kiel"
    var files: [URL] = []
    let outcome = drop(UIDragItem(itemProvider: provider)) { provider in
      provider.loadFileRepresentation(for: .image, openInPlace: true) { file, isInPlace, error in
        guard let file else { return }
        files.append(file)
        #expect(!isInPlace && error == nil)
        #expect((try? Data(contentsOf: file)) == Data(png))
      }
    }
    #expect(outcome == .dropped(.copy))
    let file = try #require(files.first)
    #expect(file.lastPathComponent == "Kiel.png")
    #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
  }

  @Test func `loadFileRepresentation(forTypeIdentifier:) gives a file, or an error`() {
    var results: [String?] = []
    drop(DragItem("Hello")) { provider in
      for identifier in ["public.plain-text", "public.png"] {
        provider.loadFileRepresentation(forTypeIdentifier: identifier) { file, error in
          #expect((file == nil) == (error != nil))
          results.append(file.flatMap { try? String(contentsOf: $0, encoding: .utf8) })
        }
      }
    }
    #expect(results.count == 2)
    #expect(results.contains("Hello"))
  }

  @Test func `loadDataRepresentation(forTypeIdentifier:) gives the data of a type`() {
    var data: [Data?] = []
    drop(DragItem(EncodedImage(png, type: .png))) { provider in
      for identifier in ["public.png", "image/png"] {
        provider.loadDataRepresentation(forTypeIdentifier: identifier) { loaded, _ in data.append(loaded) }
      }
    }
    #expect(data == [Data(png), Data(png)])
  }

  @Test func `a drop that cannot be loaded gives an error`() {
    var item = DragItem()
    item.promise("a/data") { $0.refuse() }
    item.promise(.plainText) { $0.refuse() }
    var codes: [XDnDError.Code?] = []
    let outcome = drop(item) { provider in
      provider.loadDataRepresentation(for: "a/data") { _, error in codes.append((error as? XDnDError)?.code) }
      provider.loadObject(ofClass: String.self) { _, error in codes.append((error as? XDnDError)?.code) }
    }
    #expect(codes == [.transferRefused, .transferRefused])
    #expect(outcome == .transferFailed)
  }

  @Test func `nothing is loaded from a provider that was not dropped`() {
    let provider = NSItemProvider(object: "Hello")
    var errors: [(any Error)?] = []
    #expect(provider.loadObject(ofClass: String.self) { errors.append($1) } == nil)
    #expect(provider.loadDataRepresentation(for: .plainText) { errors.append($1) } == nil)
    #expect(provider.loadFileRepresentation(for: .plainText) { errors.append($2) } == nil)
    #expect(errors.count == 3 && errors.allSatisfy { $0 != nil })
    #expect(!provider.canLoadObject(ofClass: String.self))
  }

  // MARK: UIDragItem

  @Test func `a drag item has its provider, a local object and a preview`() throws {
    let image = DragImage(try #require(Bitmap(width: 1, height: 1, pixels: [0xFF00_0000])))
    var item = UIDragItem(itemProvider: NSItemProvider(object: "Hello"))
    item.localObject = 7
    item.previewProvider = { image }
    #expect(item.itemProvider.registeredContentTypes.first == .plainText)
    #expect(item.localContext as? Int == 7)
    #expect(item.preview == image)
    #expect(item.previewProvider?() == image)
  }
}
