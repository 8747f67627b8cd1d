import Testing
import XDnDToolWindow

@testable import XDnDToolSupport

@Suite("Work that takes long, as a row says it")
struct WorkProgressTests {
  private let start = ContinuousClock.now

  @Test func `what is known of the whole makes a part of one, and what turns out wrong makes none`() {
    var work = WorkProgress("sending", at: start)
    func activity(after seconds: Int) -> RowActivity { work.activity(.cancel, at: start + .seconds(seconds)) }
    #expect(activity(after: 0) == RowActivity(words: "sending", progress: .indeterminate, action: .cancel))
    work.advance(to: 1 << 20, of: 4 << 20, at: start + .seconds(1))
    #expect(activity(after: 1).progress == .fraction(0.25) && activity(after: 1).percent == 25)
    #expect(activity(after: 1).words == "sending, 1.0 MiB/s, 3 s left")
    #expect(activity(after: 1).amount == "1.0 MiB of 4.0 MiB" && activity(after: 1).rest == "3 s")
    work.advance(to: 4 << 20, of: 4 << 20, at: start + .seconds(2))
    #expect(activity(after: 2).percent == 100)
    // A file has grown.
    work.advance(to: 5 << 20, of: 4 << 20, at: start + .seconds(3))
    #expect(activity(after: 3).progress == .indeterminate && activity(after: 3).percent == nil)
    #expect(activity(after: 3).words.hasPrefix("sending, 5.0 MiB, "))
    work.advance(to: 0, of: 0, at: start + .seconds(4))
    #expect(activity(after: 4).progress == .indeterminate)
  }

  @Test func `work that stands still says for how long, in place of a rate`() {
    var work = WorkProgress("receiving", at: start)
    work.advance(to: 1 << 20, of: 4 << 20, at: start + .seconds(1))
    func words(after seconds: Int) -> String { work.activity(.cancel, at: start + .seconds(seconds)).words }
    #expect(words(after: 2).hasSuffix(" left"))
    #expect(words(after: 3) == "receiving, 1.0 MiB, nothing for 2 s")
    #expect(words(after: 61) == "receiving, 1.0 MiB, nothing for 60 s")
    work.advance(to: 2 << 20, of: 4 << 20, at: start + .seconds(62))
    #expect(!words(after: 62).contains("nothing"))
    // The end of the content is awaited, or what is done with it.
    work.advance(to: 4 << 20, of: 4 << 20, at: start + .seconds(63))
    #expect(!words(after: 70).contains("nothing"))
  }

  @Test func `a part that bytes do not measure has no size and no rate`() {
    var work = WorkProgress("copying", at: start)
    work.advance(to: 0.5)
    let activity = work.activity(.stop, at: start + .seconds(9))
    #expect(activity == RowActivity(words: "copying", progress: .fraction(0.5), action: .stop))
  }
}
