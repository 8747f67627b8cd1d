import TestSupport
import Testing

/// The arguments of the examples, which need no display to refuse them.
@Suite("Examples on the command line")
struct ExampleCommandLineTests {
  private func run(_ example: String, _ arguments: String...) throws -> ChildProcess {
    try ChildProcess(BuiltProducts.executable(example), arguments, environment: [:])
  }

  @Test(arguments: ["Lists", "Note"], ["--help", "-h"])
  func `help is a page on the standard output`(_ example: String, _ argument: String) async throws {
    let program = try run(example, argument)
    #expect(try await program.exit() == .exited(0))
    #expect(program.output.text.contains("Usage: \(example)") && program.errors.text == "")
  }

  @Test func `the help of Lists names its option`() async throws {
    let lists = try run("Lists", "--help")
    #expect(try await lists.exit() == .exited(0))
    #expect(lists.output.text.contains("--print"))
  }

  @Test(arguments: ["Lists", "Note"], ["--hlp", "cards"])
  func `an unknown argument is an error that names it`(_ example: String, _ argument: String) async throws {
    let program = try run(example, argument)
    #expect(try await program.exit() == .exited(64))
    #expect(program.errors.text.contains(argument) && program.output.text == "")
  }

  @Test(arguments: ["Lists", "Note"]) func `without a display it says so`(_ example: String) async throws {
    let program = try run(example)
    #expect(try await program.exit() == .exited(69))
    #expect(program.errors.text.hasPrefix("\(example): cannot connect to the X server"))
  }
}
