import TestSupport
import Testing

/// The folders of `Xlib/`, each of which may use those below it.
@Suite("The rooms of Xlib", .computing)
struct XlibRoomsTests {
  /// From the lowest room up.
  private static let rooms = ["Connection", "Exchange", "Windows", "Desktop", "Input", "Image", "Events"]

  private let files = SourceFile.all(in: "Sources/XDnD/Xlib")

  /// `XlibConnection` connects the parts, and stands above all rooms.
  private func level(of file: SourceFile) -> Int? {
    file.path == "XlibConnection.swift" ? Self.rooms.count : Self.rooms.firstIndex(of: file.room)
  }

  @Test func `no file names a type of a room above its own`() throws {
    #expect(files.count > 30)
    for file in files {
      let own = try #require(level(of: file), "\(file.path)")
      let above = files.filter { level(of: $0).map { $0 > own } ?? true }
      let wrong = Set(above.flatMap { $0.types(nested: false) }).intersection(file.capitalizedWords)
      #expect(wrong.isEmpty, "\(file.path) names \(wrong.sorted())")
    }
  }

  @Test func `the types of Xlib are not extended in other files`() {
    for file in files {
      let others = Set(files.filter { $0.path != file.path }.flatMap { $0.types(nested: false) })
      let extended = others.intersection(file.extendedTypes)
      #expect(extended.isEmpty, "\(file.path) extends \(extended.sorted())")
    }
  }
}
