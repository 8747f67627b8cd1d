import ArgumentParser

extension ProbeCommand {
  /// What `--help` says without a subcommand: all about the window, which is what happens without one, and which other
  /// subcommands there are; `nil` if that is not what is asked for.
  static func help(ifAskedBy arguments: [String]) -> String? {
    let isWhole = arguments == ["--help-hidden"]
    guard isWhole || arguments == ["--help"] || arguments == ["-h"] || arguments == ["help"] else { return nil }
    let others = helpMessage().split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("SUBCOMMANDS:") }
    return WindowCommand.helpMessage(includeHidden: isWhole).trimmingEnd + "\n\n"
      + others.joined(separator: "\n").trimmingEnd
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    String(self[..<(lastIndex { !$0.isWhitespace }.map(index(after:)) ?? startIndex)])
  }
}
