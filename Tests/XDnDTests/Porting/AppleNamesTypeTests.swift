import TestSupport
import Testing
import XDnDFoundation

@testable import PortingPrograms
@testable import XDnD
@testable import XDnDTesting

/// `UTType` and `UIPasteboard`.
@Suite("Apple's names: types and the pasteboard")
struct AppleNamesTypeTests {
  @Test func `the extension of a file name has a type`() {
    #expect(UTType(filenameExtension: "json") == .json)
    #expect(UTType(filenameExtension: "PNG") == .png)
    #expect(UTType(filenameExtension: "no-such-extension") == nil)
  }

  @Test func `a type is made from its identifier, and needs no declaration`() {
    #expect(UTType("image/png") == .png)
    #expect(UTType("image/png").identifier == "image/png")
    #expect(UTType(exportedAs: "com.example.card").identifier == "com.example.card")
  }

  @Test func `preferredMIMEType is the type without its parameters, and only of a type`() {
    #expect(UTType.json.preferredMIMEType == "application/json")
    #expect(UTType.plainText.preferredMIMEType == "text/plain")
    #expect(UTType.utf8String.preferredMIMEType == nil)
    #expect(UTType.image.preferredMIMEType == nil)
  }

  @Test func `url is the type of links, and fileURL the type of files`() throws {
    #expect(DragItem(Link(url: "https://example.org/")).types.contains(.url))
    #expect(!DragItem(files: ["/a"]).types.contains(.url))
    #expect(DragItem(files: ["/a"]).types == [.fileURL])
  }

  @Test func `string writes the pasteboard, and is loaded from it`() {
    let desktop = SimulatedDesktop.recordingIssues()
    let (own, other): (UIPasteboard, _) = (desktop.dragAndDrop.clipboard, desktop.simulation.program())
    var texts: [String?] = []
    own.string = "Hello"
    other.driver.clipboard.string { texts.append($0) }
    desktop.react()
    other.driver.clipboard.string = "Good bye"
    desktop.react()
    own.string { texts.append($0) }
    desktop.react()
    own.string = "mine"
    own.string = nil
    own.string { texts.append($0) }
    desktop.react()
    #expect(texts == ["Hello", "Good bye", nil])
  }
}
