import TestSupport
import Testing

/// The folders of ToolWindow, each of which may use those below it.
@Suite("The rooms of the tools' window", .computing)
struct ToolWindowRoomsTests {
  /// From the lowest room up.
  private static let rooms = [
    "Geometry", "System", "Input", "Scene", "Controls", "Icons", "Drawing", "Accessibility", "Window",
  ]

  private let files = SourceFile.all(in: "Sources/ToolWindow")

  @Test func `no file names a type of a room above its own`() throws {
    #expect(files.count > 30)
    for file in files {
      let level = try #require(Self.rooms.firstIndex(of: file.room), "\(file.path)")
      let above = files.filter { Self.rooms[(level + 1)...].contains($0.room) }
      let wrong = Set(above.flatMap { $0.types(nested: false) }).intersection(file.capitalizedWords)
      #expect(wrong.isEmpty, "\(file.path) names \(wrong.sorted())")
    }
  }

  @Test func `scenes and their controls are values that know no system`() {
    for file in files where file.room == "Scene" || file.room == "Controls" {
      #expect(file.imports.isEmpty, "\(file.path) imports \(file.imports)")
    }
  }
}
