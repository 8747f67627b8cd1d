import XDnD

/// What is done with accepted drops.
protocol DropHandler: AnyObject {
  /// Fetches the content of a drop or a paste, and finishes or rejects it.
  func take(_ drop: any ProbeDrop)

  /// Whether no work is in progress that must finish before the tool ends.
  var isIdle: Bool { get }

  /// Stops all work without leaving partial or temporary files.
  func stop()
}
