import Testing
import XDnD

@testable import XDnDToolSupport

/// What both tools share: the bar on a terminal, options from the environment, and windows by name.
@Suite("Progress, defaults and windows by name")
struct ProgressAndDefaultsTests {
  @Test(arguments: [
    ("--once  --text hi", ["--once", "--text", "hi"]), ("", []), ("  ", []), ("'a b' \"c d\"", ["a b", "c d"]),
    ("a\\ b", ["a b"]), ("'a\\b'", ["a\\b"]), (#""a\"b\\c\d""#, [#"a"b\c\d"#]), ("''", [""]), ("a''b", ["ab"]),
    ("--text='a b'c", ["--text=a bc"]), ("a\tb\nc", ["a", "b", "c"]),
  ])
  func `words are split as a shell splits them`(_ text: String, _ words: [String]) throws {
    #expect(try DefaultArguments.words(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == words)
  }

  @Test func `what is not closed is a mistake`() {
    for text in ["'a", "\"a", "a\\"] {
      #expect(throws: DefaultArguments.Mistake.self) { try DefaultArguments.words(of: Array(text.utf8)) }
    }
  }

  @Test func `a size has a unit or none, and anything else is a mistake`() throws {
    #expect(try SizeArgument.bytes("5") == 5)
    #expect(try ["5k", "5M", "5g", "5T"].map(SizeArgument.bytes) == [10, 20, 30, 40].map { 5 << $0 })
    for text in ["", "k", "-5", "5x", "5ß", "5ﬁ", "5KB", "99999999999T"] {
      #expect(throws: (any Error).self, "\(text)") { try SizeArgument.bytes(text) }
    }
  }

  @Test(arguments: [8, 20, 40, 80, 200])
  func `a bar fits its line`(_ width: Int) {
    for label in ["a", String(repeating: "long name ", count: 10)] {
      for total in [nil, 100 << 20, 10] {
        let line = ProgressBar.line(label, 52 << 20, of: total, width: width)
        #expect(width < 30 || line.count < width, "\(line)")
        #expect(line.contains("52.0 MiB"))
      }
    }
  }

  @Test func `a bar shows the part that is done, and without a whole there is none`() {
    let half = ProgressBar.line("a", 50, of: 100, width: 41)
    #expect(half.contains("  50 %"))
    #expect(abs(half.count { $0 == "█" } - half.count { $0 == "░" }) <= 1)
    #expect(!ProgressBar.line("a", 50, of: nil, width: 41).contains("█"))
    #expect(ProgressBar.line("a", 100, of: 100, width: 41).contains(" 100 %"))
  }

  // MARK: Windows

  private let clients = [
    ClientWindows.Client(window: WindowID(rawValue: 1), title: "Terminal", classes: ["xterm", "XTerm"]),
    ClientWindows.Client(window: WindowID(rawValue: 2), title: "Terminal two", classes: ["xterm", "XTerm"]),
    ClientWindows.Client(window: WindowID(rawValue: 3), title: "", classes: ["gimp", "Gimp"]),
  ]

  @Test func `a whole name counts for more than a part, and a part has no case`() throws {
    #expect(try WindowChoice.window(named: "Terminal", among: clients).rawValue == 1)
    #expect(try WindowChoice.window(named: "TWO", among: clients).rawValue == 2)
    #expect(try WindowChoice.window(named: "gim", among: clients).rawValue == 3)
    // Another window of the same program has another title.
    let probe = [
      ClientWindows.Client(window: WindowID(rawValue: 4), title: "xterm", classes: ["xterm", "XTerm"])
    ]
    #expect(try WindowChoice.window(named: "xterm", among: clients + probe).rawValue == 4)
  }

  @Test func `a window that nobody can find has no name, unless there is no other`() throws {
    let hidden = ClientWindows.Client(
      window: WindowID(rawValue: 5), title: "gimp", classes: ["gimp", "Gimp"], isFindable: false)
    #expect(try WindowChoice.window(named: "gimp", among: [hidden] + clients).rawValue == 3)
    #expect(try WindowChoice.window(named: "gimp", among: [hidden]).rawValue == 5)
  }

  @Test func `a name that fits several windows lists them, and one that fits none says so`() throws {
    let several = #expect(throws: WindowChoice.Failure.self) {
      try WindowChoice.window(named: "term", among: clients)
    }
    #expect(several?.sentence == "'term' matches 2 windows: 0x1 'Terminal', 0x2 'Terminal two'")
    #expect(several?.status == .usage)
    let none = #expect(throws: WindowChoice.Failure.self) { try WindowChoice.window(named: "x!", among: clients) }
    #expect(none?.status == .noTarget)
  }

  @Test func `numbers are windows, and pick is a hand`() {
    #expect(WindowChoice(argument: "0x400002") == .id(WindowID(rawValue: 0x400002)))
    #expect(WindowChoice(argument: "4194306") == .id(WindowID(rawValue: 0x400002)))
    #expect(WindowChoice(argument: "pick") == .pick)
    #expect(WindowChoice(argument: "0xterm") == .name("0xterm"))
    #expect(WindowChoice(argument: "-1") == .name("-1"))
  }
}
