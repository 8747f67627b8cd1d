package import ArgumentParser
import Glibc
import JSONText

/// A command with a manual page, which the option `--generate-manual` prints.
package protocol DocumentedCommand: ParsableCommand {
  /// The contents of the page besides the options.
  static var manual: Manual { get }
}

/// Writes a manual page in mdoc. The options come from the argument parser, hidden ones included, for which `--help`
/// has no room.
struct ManualPage {
  private let manual: Manual
  private let command: JSONValue
  private let date: String
  private var lines: [String] = []

  /// Reads the parser's description of the command; `nil` if it is invalid.
  ///
  /// - Parameter help: The output of `--experimental-dump-help`.
  init?(_ manual: Manual, help: String) {
    guard let command = try? JSONValue(json: help)["command"] else { return nil }
    self.manual = manual
    self.command = command
    date = Self.date()
  }

  /// Returns the whole page.
  mutating func text() -> String {
    let name = command["commandName"]?.string ?? ""
    lines = [".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)"]
    lines.append(".Nd \(Self.escaped(Self.asPhrase(command["abstract"]?.string ?? "")))")
    synopsis(name)
    lines.append(".Sh DESCRIPTION")
    paragraphs(manual.description)
    let subcommands = (command["subcommands"]?.list ?? []).filter { $0["commandName"]?.string != "help" }
    options(of: command, section: true)
    for subcommand in subcommands { self.subcommand(subcommand) }
    environment()
    exitStatus()
    examples([command] + subcommands)
    lines.append(".Sh SEE ALSO")
    lines.append(manual.seeAlso.map { ".Xr \($0) 1" }.joined(separator: " ,\n"))
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func synopsis(_ name: String) {
    lines += [".Sh SYNOPSIS", ".Nm", ".Op Ar options"]
    for argument in command["arguments"]?.list ?? [] where argument["kind"]?.string == "positional" {
      lines.append(".Op Ar \(argument["valueName"]?.string ?? "") ...")
    }
    for subcommand in command["subcommands"]?.list ?? [] where subcommand["commandName"]?.string != "help" {
      lines += [".Nm", ".Cm \(subcommand["commandName"]?.string ?? "")", ".Op Ar options", ".Op Ar arguments"]
    }
  }

  // MARK: Arguments

  private mutating func subcommand(_ subcommand: JSONValue) {
    let name = (subcommand["commandName"]?.string ?? "").uppercased()
    lines.append(".Sh THE SUBCOMMAND \(name)")
    paragraphs(subcommand["abstract"]?.string ?? "")
    options(of: subcommand, section: false)
  }

  private mutating func options(of command: JSONValue, section: Bool) {
    let arguments = (command["arguments"]?.list ?? []).filter {
      // Every command has these two options.
      !["help", "version"].contains($0["preferredName"]?["name"]?.string)
    }
    guard !arguments.isEmpty else { return }
    if section { lines.append(".Sh OPTIONS") }
    var titles: [String] = []
    for title in arguments.map({ $0["sectionTitle"]?.string ?? "" }) where !titles.contains(title) {
      titles.append(title)
    }
    for title in titles {
      if !title.isEmpty { lines.append(".Ss \(Self.escaped(title))") }
      lines.append(".Bl -tag -width 6n")
      for argument in arguments where (argument["sectionTitle"]?.string ?? "") == title { item(argument) }
      lines.append(".El")
    }
  }

  private mutating func item(_ argument: JSONValue) {
    let value = argument["valueName"]?.string.map(Self.escaped) ?? ""
    let names = (argument["names"]?.list ?? []).compactMap { name -> String? in
      guard let text = name["name"]?.string else { return nil }
      return name["kind"]?.string == "short" ? "Fl \(text)" : "Fl \\-\(text)"
    }
    switch argument["kind"]?.string {
    case "positional": lines.append(".It Ar \(value)")
    case "flag": lines.append(".It \(names.joined(separator: " , "))")
    default: lines.append(".It \(names.joined(separator: " , ")) Ar \(value)")
    }
    for key in ["abstract", "discussion"] {
      if let text = argument[key]?.string { paragraphs(text) }
    }
  }

  // MARK: The rest

  private mutating func environment() {
    guard !manual.environment.isEmpty else { return }
    lines += [".Sh ENVIRONMENT", ".Bl -tag -width 6n"]
    for variable in manual.environment {
      lines.append(".It Ev \(variable.name)")
      paragraphs(variable.meaning)
    }
    lines.append(".El")
  }

  private mutating func exitStatus() {
    lines += [".Sh EXIT STATUS", ".Bl -tag -width 6n -compact"]
    for (status, meaning) in manual.exitStatuses {
      lines.append(".It \(status.rawValue)")
      paragraphs(meaning)
    }
    lines.append(".El")
  }

  /// The examples: the indented lines in the commands' discussions.
  private mutating func examples(_ commands: [JSONValue]) {
    let examples = commands.flatMap { command in
      (command["discussion"]?.string ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
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

  // MARK: Letters

  /// Escapes characters that have a meaning in roff.
  private static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  /// Turns a sentence into a phrase for the NAME section: `Drag files.` into `drag files`.
  private static func asPhrase(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Today's date, or that of `SOURCE_DATE_EPOCH` for reproducible builds.
  private static func date() -> String {
    var now = getenv("SOURCE_DATE_EPOCH").flatMap { time_t(String(cString: $0)) } ?? time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    return "\(months[Int(parts.tm_mon)]) \(parts.tm_mday), \(parts.tm_year + 1900)"
  }
}

extension DocumentedCommand {
  /// Prints the page and ends the tool if that is the only argument.
  static func printManual(ifAskedBy arguments: [String]) {
    guard arguments == ["--generate-manual"], var page = ManualPage(manual, help: _dumpHelp()) else { return }
    print(page.text(), terminator: "")
    fflush(nil)
    ExitStatus.dropped.exit()
  }
}
