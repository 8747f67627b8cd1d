/// The contents of a manual page besides the options.
public struct Manual: Sendable {
  /// An environment variable.
  public struct Variable: Sendable {
    /// The variable's name.
    public var name: String
    /// What the variable does, as a sentence.
    public var meaning: String

    /// Creates a variable.
    public init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// The description of the tool. Empty lines separate paragraphs.
  public var description: String
  /// The environment variables that the tool reads.
  public var environment: [Variable]
  /// The exit statuses that occur, with their meanings.
  public var exitStatuses: [(status: ExitStatus, meaning: String)]
  /// The names of related pages.
  public var seeAlso: [String]

  /// Creates the contents of a page.
  public init(
    description: String, environment: [Variable], exitStatuses: [(status: ExitStatus, meaning: String)],
    seeAlso: [String]
  ) {
    self.description = description
    self.environment = environment
    self.exitStatuses = exitStatuses
    self.seeAlso = seeAlso
  }
}
