import ArgumentParser
import ToolSupport

/// The value of `--exec`: a command of the shell in which `{}` stands for what was dropped.
///
/// What was dropped is never a part of the command, or a file could be named so that the shell runs its name: it is
/// given beside the command, and `{}` becomes `"$@"`, which the shell reads as just these words.
struct CommandTemplate: Sendable {
  /// As the user has written it.
  let argument: String
  /// For the shell.
  let script: String

  @Sendable init(argument: String) throws {
    guard argument.contains(where: { !$0.isWhitespace }) else { throw ValidationError("it has to be a command") }
    self.argument = argument
    var script = ""
    var quote: Character?
    var rest = Substring(argument)
    while let character = rest.popFirst() {
      if character == "\\", quote != "'", let next = rest.popFirst() {
        script.append(character)
        script.append(next)
        continue
      }
      if character == "'" || character == "\"", quote == nil || quote == character {
        quote = quote == nil ? character : nil
      }
      // In single quotes it is a part of something else, such as a program of awk.
      guard character == "{", rest.first == "}", quote != "'" else {
        script.append(character)
        continue
      }
      let next = rest.dropFirst().first
      guard quote == nil, Self.ends(script.last), Self.ends(next) else {
        throw ValidationError("{} has to stand by itself, without quotes: it is quoted already")
      }
      rest.removeFirst()
      script += "\"$@\""
    }
    self.script = script
  }

  /// Whether a word ends beside this character.
  private static func ends(_ neighbor: Character?) -> Bool {
    neighbor.map { $0.isWhitespace || ";|&()<>`".contains($0) } ?? true
  }
}
