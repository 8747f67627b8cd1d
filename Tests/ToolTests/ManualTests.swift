import TestSupport
import Testing

@Suite("What the tools say of themselves")
struct ManualTests {
  private func output(of tool: Tool, _ arguments: String...) async throws -> String {
    let (status, output, errors) = try await tool.run(arguments)
    #expect(status == .exited(0), "\(tool) \(arguments): \(errors)")
    return output
  }

  /// Each option that a text names, such as `--text`.
  private func options(in text: String) -> Set<String> {
    Set(text.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.0) })
  }

  @Test(arguments: Tool.allCases)
  func `help fits on a screen, with examples first`(tool: Tool) async throws {
    let lines = try await output(of: tool, "--help").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 40)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let example = try #require(lines.firstIndex { $0.hasPrefix("  \(tool.rawValue)") })
    let usage = try #require(lines.firstIndex { $0.hasPrefix("USAGE") })
    #expect(example < usage)
  }

  @Test(arguments: Tool.allCases)
  func `the manual page has all options, also those that help leaves out`(tool: Tool) async throws {
    let page = try await output(of: tool, "--generate-manual")
    #expect(page.contains(".Dt \(tool.rawValue.uppercased()) 1"))
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "SEE ALSO"] {
      #expect(page.contains("\n.Sh \(section)\n"), "\(section)")
    }
    let documented = options(in: page.replacing("Fl \\-", with: "--").replacing("\\-", with: "-"))
    var known = options(in: try await output(of: tool, "--help-hidden"))
    if tool == .probe {
      for subcommand in ["window", "record", "replay", "check", "inspect", "draw"] {
        known.formUnion(options(in: try await output(of: tool, "help", subcommand)))
      }
    }
    #expect(known.count > 20)
    #expect(known.subtracting(documented).subtracting(["--help", "--help-hidden", "--version"]) == [])
  }

  @Test(arguments: Tool.allCases, ["bash", "zsh", "fish"])
  func `there are completions for three shells`(tool: Tool, shell: String) async throws {
    let script = try await output(of: tool, "--generate-completion-script", shell)
    #expect(script.contains(tool.rawValue))
    #expect(script.contains("timeout"))
  }

  @Test func `both have the same version`() async throws {
    let versions = try await [output(of: .source, "--version"), output(of: .probe, "--version")]
    #expect(versions[0].wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    #expect(versions[0] == versions[1])
  }
}
