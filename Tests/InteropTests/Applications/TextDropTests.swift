import TestSupport
import Testing

extension ApplicationTests {
  /// Text that is dropped on an editor is inserted.
  @Suite("Text dropped on editors", .serialized)
  struct TextDropTests {
    @Test(.requires(.gedit))
    func `text is inserted in gedit, and is no document`() async throws {
      try await ApplicationStage.with(.gedit) { stage in
        let source = try await stage.drop(["--text", "Grüße"])
        do { try await stage.awaitTitle { $0.hasPrefix("*Untitled") } } catch { throw source.failure("\(error)") }
        #expect(!source.sentTypes.contains("XdndDirectSave0"))
        #expect(!source.sentTypes.isEmpty)
      }
    }
  }
}
