import TestSupport
import Testing

@testable import XDnD

/// Values for code that waits, from other programs.
@Suite("Awaiting values", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
@MainActor
struct ValueAwaitTests {
  @Test func `a drop and a clipboard are awaited for values`() async throws {
    let source = ["--html", "<b>Grüße</b>", "--uri", "https://example.org/ Title", "--color", "#ff0000"]
    let report = try await DropReceiver.drop(source: { _ in source }) { drop, driver, _, _ in
      #expect(try await drop.load(StyledText.self) == StyledText(html: "<b>Grüße</b>"))
      #expect(try await drop.load(String.self) == "Grüße")
      #expect(try await drop.load(Link.self) == Link(url: "https://example.org/", title: "Title"))
      #expect(try await drop.load(Color.self) == Color(red: .max, green: 0, blue: 0))
      let error = await #expect(throws: XDnDError.self) { try await drop.load(EncodedImage.self) }
      #expect(error?.code == .transferRefused)
      #expect(drop.localItems == nil)
      let clipboard = driver.clipboard
      let empty = await #expect(throws: XDnDError.self) { try await clipboard.load(String.self) }
      #expect(empty?.code == .transferRefused)
      try clipboard.write(DragItem(Color(red: 1, green: 2, blue: 3)))
      #expect(try await clipboard.load(Color.self) == Color(red: 1, green: 2, blue: 3))
      #expect(try await clipboard.load(String.self) == "#000100020003")
      drop.finish(.copy)
      return drop.context?.reactor.loads.count
    }
    #expect(report.value == 0)
    #expect(report.source == .exited(0))
  }

  @Test func `a task that is cancelled while it waits for a value cancels the transfer`() async throws {
    let report = try await DropReceiver.drop(source: { _ in ["--type", "image/png=!sleep 600"] }) { drop, _, _ in
      let load = Task {
        do throws(XDnDError) {
          _ = try await drop.load(EncodedImage.self)
          return XDnDError.Code?.none
        } catch {
          return error.code
        }
      }
      await Task.yield()
      load.cancel()
      let code = await load.value
      drop.reject()
      return (code: code, loads: drop.context?.reactor.loads.count)
    }
    #expect(report.value.code == .cancelled)
    #expect(report.value.loads == 0)
  }
}
