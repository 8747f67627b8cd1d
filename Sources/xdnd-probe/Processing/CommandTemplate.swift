import ArgumentParser
import XDnDToolSupport

/// The value of `--exec`: a shell command in which `{}` stands for the dropped files.
///
/// File names never become part of the command text, where the shell could execute them. They are passed as arguments,
/// and `{}` is replaced by `"$@"`.
struct CommandTemplate: Sendable {
  /// The command as given.
  let argument: String
  /// The command for the shell.
  let script: String

  @Sendable init(argument: String) throws {
    guard argument.contains(where: { !$0.isWhitespace }) else { throw ValidationError("expected a shell command") }
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
      // Within single quotes, `{}` belongs to something else, such as an awk program.
      guard character == "{", rest.first == "}", quote != "'" else {
        script.append(character)
        continue
      }
      let next = rest.dropFirst().first
      guard quote == nil, Self.ends(script.last), Self.ends(next) else {
        throw ValidationError("{} must be a word of its own, without quotes; it is quoted automatically")
      }
      rest.removeFirst()
      script += "\"$@\""
    }
    self.script = script
  }

  /// Whether a word ends next to this character.
  private static func ends(_ neighbor: Character?) -> Bool {
    neighbor.map { $0.isWhitespace || ";|&()<>`".contains($0) } ?? true
  }
}
