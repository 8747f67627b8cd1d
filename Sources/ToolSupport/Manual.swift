/// The contents of a manual page besides the options.
package struct Manual: Sendable {
  /// An environment variable.
  package struct Variable: Sendable {
    /// The variable's name.
    package var name: String
    /// What the variable does, as a sentence.
    package var meaning: String

    /// Creates a variable.
    package init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// The description of the tool. Empty lines separate paragraphs.
  package var description: String
  /// The environment variables that the tool reads.
  package var environment: [Variable]
  /// The exit statuses that occur, with their meanings.
  package var exitStatuses: [(status: ExitStatus, meaning: String)]
  /// The names of related pages.
  package var seeAlso: [String]

  /// Creates the contents of a page.
  package init(
    description: String, environment: [Variable], exitStatuses: [(status: ExitStatus, meaning: String)],
    seeAlso: [String]
  ) {
    self.description = description
    self.environment = environment
    self.exitStatuses = exitStatuses
    self.seeAlso = seeAlso
  }
}
