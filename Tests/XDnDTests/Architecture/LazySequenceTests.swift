import XDnDFiles
import TestSupport
import Testing

/// `lazy.compactMap(_:)` calls its closure twice for each element that it yields, and traps if only the first answer is
/// not `nil`. A file or a window may disappear between the two.
@Suite("Lazy sequences", .computing)
struct LazySequenceTests {
  @Test func `the first result is looked for once in each element, and not after it`() {
    var asked: [Int] = []
    let result = [1, 2, 3].firstNonNil { element -> String? in
      asked.append(element)
      return asked == [1, 2] ? "two" : nil
    }
    #expect(result == "two")
    #expect(asked == [1, 2])
    #expect([1].firstNonNil { _ in Int?.none } == nil)
  }

  @Test func `nothing that asks the file system or the server is lazy`() {
    let folders = [
      "Files", "FileOperations", "ToolWindow", "ToolSupport", "Conformance/ScriptedClient", "xdnd-source", "xdnd-probe",
      "XDnD/Driver", "XDnD/Xlib", "XDnD/Session/Environment", "XDnD/Session/Files", "XDnD/Session/Promises",
    ]
    for folder in folders {
      let files = SourceFile.all(in: "Sources/\(folder)")
      #expect(!files.isEmpty, "\(folder)")
      for file in files {
        #expect(!file.text.contains(".lazy.compactMap"), "\(folder)/\(file.path)")
      }
    }
  }
}
