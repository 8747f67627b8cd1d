/// What a manual page says besides the options.
public struct Manual: Sendable {
  /// A variable of the environment.
  public struct Variable: Sendable {
    /// Its name.
    public var name: String
    /// What it does; a sentence.
    public var meaning: String

    /// A variable.
    public init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// What the tool does with them, in words; paragraphs are separated by empty lines.
  public var description: String
  /// Those that it reads.
  public var environment: [Variable]
  /// What each exit status means; those that are left out do not occur.
  public var exitStatuses: [(status: ExitStatus, meaning: String)]
  /// The names of other pages.
  public var seeAlso: [String]

  /// What is said.
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
