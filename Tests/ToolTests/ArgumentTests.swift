import Foundation
import Glibc
import TestSupport
import Testing

/// What the tools say about their arguments, word by word.
@Suite("Arguments of the tools", .timeLimit(.minutes(1)))
struct ArgumentTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let tool: Tool
    let arguments: [String]
    let sentence: String

    init(_ tool: Tool, _ arguments: [String], _ sentence: String) {
      self.tool = tool
      self.arguments = arguments
      self.sentence = sentence
    }

    var testDescription: String { ([tool.rawValue] + arguments).joined(separator: " ") }
  }

  private static func invalid(_ value: String, _ option: String, _ reason: String) -> String {
    "The value '\(value)' is invalid for '\(option)': \(reason)"
  }

  static let mistakesOfSource: [Mistake] = [
    Mistake(.source, [], "nothing to drag: give file names, or use --text, --html, --uri, --color or --type"),
    Mistake(.source, ["--once"], "nothing to drag: give file names, or use --text, --html, --uri, --color or --type"),
    Mistake(.source, ["/missing/file"], "cannot read '/missing/file': No such file or directory"),
    Mistake(.source, ["/etc", "/missing/file"], "cannot read '/missing/file': No such file or directory"),
    Mistake(.source, [""], "cannot read '': No such file or directory"),
    Mistake(.source, ["/a\u{1B}[31m\nb"], #"cannot read '/a\u{1B}[31m\nb': No such file or directory"#),
    Mistake(.source, ["--type", "image/png=@/missing"], "cannot read '/missing': No such file or directory"),
    Mistake(.source, ["--type", "image/png=@/etc"], "cannot read '/etc': Is a directory"),
    Mistake(.source, ["--text"], "Missing value for '--text <text>'"),
    Mistake(.source, ["--text", "a", "--text", "b"], "--text cannot be repeated"),
    Mistake(.source, ["--color", "#fff", "--html", "x", "--color", "#000"], "--color cannot be repeated"),
  ]

  /// Options that mean nothing together.
  static let mistakesInPairs: [Mistake] = [
    Mistake(.source, ["--once", "--and-exit", "first", "--text", "x"], "--once cannot be used with --and-exit"),
    Mistake(
      .source, ["--and-exit", "never", "--text", "x"],
      invalid("never", "--and-exit <first|all>", "expected 'first' or 'all'")),
    Mistake(.source, ["--at", "1,2", "--text", "x"], "--at, --via and --steps need --to"),
    Mistake(.source, ["--at", "1", "--text", "x"], invalid("1", "--at", "expected X,Y, such as 40,30")),
    Mistake(
      .source, ["--to", "x", "--steps", "2", "--via", "1,2", "--text", "x"], "--steps cannot be used with --via"),
    Mistake(.source, ["--to", "x", "--now", "--text", "x"], "--now cannot be used with --to"),
    Mistake(
      .source, ["--to", "x", "--clipboard", "--text", "x"], "--to cannot be used with --clipboard or --primary"),
    Mistake(.source, ["--now", "--clipboard", "--text", "x"], "--now cannot be used with --clipboard or --primary"),
    Mistake(
      .source, ["--prefix", "share", "--text", "x"],
      "--prefix must be a URI such as sftp://user@host or smb://server/share"),
    Mistake(
      .source, ["--grace", "-1", "--text", "x"], invalid("-1", "--grace", "expected a number of seconds")),
  ]

  static let mistakesInContent: [Mistake] =
    ["nonsense", "", "#12345", "red", "rgb(1,2)", "#ggg"].map {
      Mistake(
        .source, ["--color", $0],
        invalid($0, "--color", "expected a color such as #3584e4, #3584e480 or rgb(53, 132, 228)"))
    }
    + ["nonsense", "", ":", "two words:x", " "].map {
      Mistake(
        .source, ["--uri", $0],
        invalid(
          $0, "--uri <uri>",
          "expected a URI such as https://example.org/, optionally followed by a space and a title"))
    }
    + ["a/b=!", "a/b=!  "].map {
      Mistake(
        .source, ["--type", $0], invalid($0, "--type <mime=content>", "missing command after '!'"))
    }

  static let mistakesInTypes: [Mistake] = ["png", "=@file", "", "a b=c", "text/plain;charset=utf-8", "ü/ü=x"].map {
    Mistake(
      .source, ["--type", $0],
      invalid(
        $0, "--type <mime=content>", "expected MIME=@FILE, MIME=TEXT or MIME=!COMMAND, such as image/png=@picture.png"))
  }

  static let mistakesOfProbe: [Mistake] = [
    Mistake(.probe, ["file"], "Unexpected argument 'file'"),
    Mistake(.probe, ["--output", "/missing/file"], "cannot write '/missing/file': No such file or directory"),
    Mistake(.probe, ["--output", "/etc"], "cannot write '/etc': Is a directory"),
    Mistake(.probe, ["--output", "/etc/passwd/file"], "cannot write '/etc/passwd/file': Not a directory"),
    Mistake(.probe, ["--output", ""], "cannot write '': No such file or directory"),
    Mistake(
      .probe, ["--all", "--output", "/missing/file"],
      "--all cannot be used with --output"),
  ]

  static let mistakesInAcceptance: [Mistake] = ["", ",", "image/png,", "image/png,,text/plain", "ü"].map {
    let reason = "expected MIME types separated by commas, such as image/png,image/*"
    return Mistake(.probe, ["--accept", $0], invalid($0, "--accept <types>", reason))
  }

  /// What both get wrong alike.
  static func sharedMistakes(_ tool: Tool) -> [Mistake] {
    // What the help hides is named without its value.
    func mistakes(_ option: String, _ name: String, _ reason: String, _ values: [String]) -> [Mistake] {
      values.map { Mistake(tool, [option, $0], invalid($0, name.isEmpty ? option : "\(option) <\(name)>", reason)) }
    }
    var all = [Mistake(tool, ["--bogus"], "Unknown option '--bogus'")]
    all += mistakes(
      "--timeout", "seconds", "expected a number of seconds greater than 0",
      ["0", "-1", "abc", "", "nan", "inf", "1e12"])
    all += mistakes(
      "--geometry", "", "expected a geometry such as 300x200, +40+40 or 300x200+40+40",
      ["", "300", "0x0", "300x200+1", "99999x1", "-5"])
    all += mistakes(
      "--action", "actions", "expected copy, move, link or ask, separated by commas", ["", "fly", "copy,", "Copy"])
    all += mistakes(
      "--log", "", "expected one of trace, debug, info, notice, warning, error, critical", ["loud", ""])
    return all
  }

  static let mistakes: [Mistake] =
    mistakesOfSource + mistakesInPairs + mistakesInTypes + mistakesInContent + mistakesOfProbe + mistakesInAcceptance
    + sharedMistakes(.source)
    + sharedMistakes(.probe)

  @Test(arguments: mistakes)
  func `a mistake is told in one line`(_ mistake: Mistake) async throws {
    let run = try await mistake.tool.run(mistake.arguments)
    #expect(run.status == .exited(64))
    #expect(run.output == "")
    #expect(run.errors == "\(mistake.tool.rawValue): \(mistake.sentence)\n")
  }

  @Test func `more options than two thousand are refused, and files are not counted`() async throws {
    let run = try await Tool.source.run(Array(repeating: "--type=a/b=c", count: 50_000))
    #expect(run.status == .exited(64))
    #expect(run.errors == "xdnd-source: more than 2000 options\n")
    let files = try await Tool.source.run(["--"] + Array(repeating: "-missing", count: 3000))
    #expect(files.errors == "xdnd-source: cannot read '-missing': No such file or directory\n")
  }

  @Test func `an unreadable file is told in one line, with the bytes of its name`() async throws {
    let tool = try BuiltProducts.executable("xdnd-source")
    let process = try ChildProcess("bash", ["-c", #"exec "$0" $'/missing/\xff\xfe'"#, tool])
    #expect(try await process.exit() == .exited(64))
    #expect(process.errors.text == #"xdnd-source: cannot read '/missing/\xFF\xFE': No such file or directory"# + "\n")
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a directory that cannot be written to is told before anything is dropped`() async throws {
    let directory = try TemporaryDirectory()
    #expect(chmod(directory.path, 0o500) == 0)
    let run = try await Tool.probe.run(["--output", directory("out")])
    #expect(run.status == .exited(64))
    #expect(run.errors == "xdnd-probe: cannot write '\(directory("out"))': Permission denied\n")
  }

  @Test(arguments: Tool.allCases)
  func `no display and an unreachable one are told in one line`(_ tool: Tool) async throws {
    let content = tool == .source ? ["--text", "-5 degrees", "--type=a/b;c=d=e"] : ["--accept", "a/b"]
    let without = try await tool.run(content)
    #expect(without.status == .exited(69))
    #expect(without.output == "")
    #expect(without.errors == "\(tool.rawValue): no display: DISPLAY is not set\n")
    let unreachable = try await tool.run(content + ["--display", ":4095"])
    #expect(unreachable.status == .exited(69))
    #expect(unreachable.output == "")
    #expect(unreachable.errors == "\(tool.rawValue): cannot open display :4095\n")
  }

  @Test(arguments: Tool.allCases)
  func `the help fits a screen and names the usual options, and the hidden one names all`(
    _ tool: Tool
  ) async throws {
    let own =
      tool == .source
      ? ["--text", "--uri", "--type", "<files>", "--stdin", "-0", "--now", "--to", "--and-exit", "--save-as"]
      : ["--accept", "--for", "--output", "--all", "--print", "--print0", "--exec", "--confirm", "--save"]
    let shared = ["--once", "--timeout", "--action", "--version", "--help", "--clipboard"]
    let hidden =
      ["--geometry", "--display", "--log", "--appearance", "--json", "--primary"]
      + (tool == .source
        ? [
          "--html", "--color", "--at", "--icon", "--badge", "--remote", "--prefix", "--frameless", "--rows",
          "--no-open", "--grace", "--via", "--steps", "--promise", "--exact",
        ] : ["--explain", "--count", "--checksum"])
    for option in ["--help", "-h", "--help-hidden"] {
      let run = try await tool.run(tool == .source ? [option] : ["window", option])
      #expect(run.status == .exited(0))
      #expect(run.errors == "")
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.filter { $0.count > 80 } == [])
      if option != "--help-hidden" { #expect(lines.count <= 41) }
      let words = Set(run.output.split { " \n,".contains($0) }.map(String.init))
      #expect(words.isSuperset(of: own + shared + (option == "--help-hidden" ? hidden : [])))
    }
  }

  @Test func `the help of the probe begins with examples, and has the rest where one asks for it`() async throws {
    let short = try await Tool.probe.run(["--help"])
    let lines = short.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 60)
    let example = try #require(lines.firstIndex { $0.hasPrefix("  xdnd-probe") })
    let options = try #require(lines.firstIndex { $0.contains("--accept <types>") })
    #expect(example < 5 && example < options)
    #expect(lines.contains("SUBCOMMANDS:"))
    #expect(!short.output.contains("--url-files"))
    let long = try await Tool.probe.run(["--help-hidden"])
    #expect(long.status == .exited(0))
    for option in ["--url-files", "--existing", "--verbose", "--accept", "SUBCOMMANDS:"] {
      #expect(long.output.contains(option))
    }
  }

  @Test(arguments: Tool.allCases)
  func `the version is one line`(_ tool: Tool) async throws {
    let run = try await tool.run(["--version"])
    #expect(run.status == .exited(0))
    #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    #expect(run.errors == "")
  }
}
