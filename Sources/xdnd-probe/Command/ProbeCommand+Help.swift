import ArgumentParser

extension ProbeCommand {
  /// Returns the help without a subcommand: the options of `window`, which is the default subcommand, followed by the
  /// list of subcommands. Returns `nil` if the arguments ask for anything else.
  static func help(ifAskedBy arguments: [String]) -> String? {
    let isWhole = arguments == ["--help-hidden"]
    guard isWhole || arguments == ["--help"] || arguments == ["-h"] || arguments == ["help"] else { return nil }
    let others = helpMessage().split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("SUBCOMMANDS:") }
      // Without the line about one more way to ask for help.
      .prefix { !$0.isEmpty }
    return WindowCommand.helpMessage(includeHidden: isWhole).trimmingEnd + "\n\n"
      + others.joined(separator: "\n").trimmingEnd
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    String(self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)])
  }
}
