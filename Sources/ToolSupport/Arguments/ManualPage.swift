package import ArgumentParser
import Glibc
import XDnDJSONText

/// A command with a manual page, which the option `--generate-manual` prints.
package protocol DocumentedCommand: ParsableCommand {
  /// The section DESCRIPTION. Empty lines separate paragraphs.
  static var pageDescription: String { get }
  static var environmentVariables: [(name: String, meaning: String)] { get }
  static var exitStatuses: [(status: ExitStatus, meaning: String)] { get }
  static var relatedPages: [String] { get }
}

/// Writes a manual page in mdoc. The options come from the argument parser, including hidden ones, which `--help`
/// omits.
struct ManualPage {
  private let tool: any DocumentedCommand.Type
  /// The parser's description of the command.
  private let command: JSONValue
  private var lines: [String] = []

  /// - Parameter help: The output of `--experimental-dump-help`.
  /// - Returns: `nil` if the output is invalid.
  init?(of tool: any DocumentedCommand.Type, help: String) {
    guard let command = try? JSONValue(json: help)["command"] else { return nil }
    self.tool = tool
    self.command = command
  }

  mutating func text() -> String {
    let name = command.text("commandName")
    // The date of `SOURCE_DATE_EPOCH`, for reproducible builds, or today's.
    let now = getenv("SOURCE_DATE_EPOCH").flatMap { time_t(String(cString: $0)) } ?? time(nil)
    lines = [
      ".Dd \(Formatting.time("%B %-d, %Y", at: now, in: gmtime_r))", ".Dt \(name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(name)", ".Nd \(Self.escaped(Self.asPhrase(command.text("abstract"))))",
    ]
    let subcommands = command.elements("subcommands").filter { $0.text("commandName") != "help" }
    lines += [".Sh SYNOPSIS", ".Nm", ".Op Ar options"]
    for argument in command.elements("arguments") where argument.text("kind") == "positional" {
      lines.append(".Op Ar \(argument.text("valueName")) ...")
    }
    for subcommand in subcommands {
      lines += [".Nm", ".Cm \(subcommand.text("commandName"))", ".Op Ar options", ".Op Ar arguments"]
    }
    lines.append(".Sh DESCRIPTION")
    paragraphs(tool.pageDescription)
    options(of: command, section: true)
    for subcommand in subcommands { self.subcommand(subcommand) }
    lines += [".Sh ENVIRONMENT", ".Bl -tag -width 6n"]
    items(tool.environmentVariables.map { (".It Ev \($0.name)", $0.meaning) })
    lines += [".Sh EXIT STATUS", ".Bl -tag -width 6n -compact"]
    items(tool.exitStatuses.map { (".It \($0.status.rawValue)", $0.meaning) })
    examples([command] + subcommands)
    lines.append(".Sh SEE ALSO")
    lines.append(tool.relatedPages.map { ".Xr \($0) 1" }.joined(separator: " ,\n"))
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Arguments

  private mutating func subcommand(_ subcommand: JSONValue) {
    lines.append(".Sh THE SUBCOMMAND \(subcommand.text("commandName").uppercased())")
    paragraphs(subcommand.text("abstract"))
    options(of: subcommand, section: false)
  }

  private mutating func options(of command: JSONValue, section: Bool) {
    // Every command has these two options, so they are left out.
    let arguments = command.elements("arguments").filter {
      !["help", "version"].contains($0["preferredName"]?["name"]?.string)
    }
    guard !arguments.isEmpty else { return }
    if section { lines.append(".Sh OPTIONS") }
    var titles: [String] = []
    for title in arguments.map({ $0.text("sectionTitle") }) where !titles.contains(title) {
      titles.append(title)
    }
    for title in titles {
      if !title.isEmpty { lines.append(".Ss \(Self.escaped(title))") }
      lines.append(".Bl -tag -width 6n")
      for argument in arguments where argument.text("sectionTitle") == title { item(argument) }
      lines.append(".El")
    }
  }

  private mutating func item(_ argument: JSONValue) {
    let value = Self.escaped(argument.text("valueName"))
    let names = argument.elements("names").map { ($0.text("kind") == "short" ? "Fl " : "Fl \\-") + $0.text("name") }
    switch argument.text("kind") {
    case "positional": lines.append(".It Ar \(value)")
    case "flag": lines.append(".It \(names.joined(separator: " , "))")
    default: lines.append(".It \(names.joined(separator: " , ")) Ar \(value)")
    }
    for key in ["abstract", "discussion"] { paragraphs(argument.text(key)) }
  }

  // MARK: Lists and paragraphs

  private mutating func items(_ items: [(head: String, meaning: String)]) {
    for (head, meaning) in items {
      lines.append(head)
      paragraphs(meaning)
    }
    lines.append(".El")
  }

  /// The examples: the indented lines in the commands' discussions.
  private mutating func examples(_ commands: [JSONValue]) {
    let examples = commands.flatMap { command in
      command.text("discussion").split(separator: "\n").filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
    }
    guard !examples.isEmpty else { return }
    lines += [".Sh EXAMPLES", ".Bd -literal"]
    lines += examples.map(Self.escaped)
    lines.append(".Ed")
  }

  private mutating func paragraphs(_ text: String) {
    for (index, paragraph) in text.split(separator: "\n\n").enumerated() {
      if index > 0 { lines.append(".Pp") }
      var line = ""
      for word in paragraph.split(whereSeparator: \.isWhitespace) {
        // roff expects each sentence on a new line.
        let isNewSentence = line.last.map { ".?!".contains($0) } ?? false
        if isNewSentence || line.count + word.count > 76 {
          lines.append(Self.escaped(line))
          line = ""
        }
        line += line.isEmpty ? word : " " + word
      }
      if !line.isEmpty { lines.append(Self.escaped(line)) }
    }
  }

  // MARK: Text

  /// Escapes characters that have a meaning in roff.
  private static func escaped(_ text: some StringProtocol) -> String {
    let escapes: [Character: String] = [
      "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    ]
    let result = text.map { escapes[$0] ?? String($0) }.joined()
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  /// Turns a sentence into a phrase for the NAME section: `Drag files.` into `drag files`.
  private static func asPhrase(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension JSONValue {
  /// The string member of this name; empty if there is none.
  fileprivate func text(_ name: String) -> String { self[name]?.string ?? "" }

  /// The values of the list member of this name; empty if there is none.
  fileprivate func elements(_ name: String) -> [JSONValue] { self[name]?.list ?? [] }
}

extension DocumentedCommand {
  /// Prints the page and ends the tool if `--generate-manual` is the only argument.
  static func printManual(ifAskedBy arguments: [String]) {
    guard arguments == ["--generate-manual"], var page = ManualPage(of: Self.self, help: _dumpHelp()) else { return }
    print(page.text(), terminator: "")
    fflush(nil)
    ExitStatus.dropped.exit()
  }
}
