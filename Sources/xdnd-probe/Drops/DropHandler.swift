import XDnD

/// What is done with accepted drops.
protocol DropHandler: AnyObject {
  /// Fetches the content of a drop or a paste, and finishes or rejects it.
  func take(_ drop: any ProbeDrop)

  /// Takes over the report of a drop's end, if the drop is finished although its file is not there yet.
  ///
  /// - Parameter end: Reports it.
  /// - Returns: Whether `end` is called later.
  func holdsEnd(of drop: any ProbeDrop, _ end: @escaping () -> Void) -> Bool

  /// Whether no work is in progress that must finish before the tool ends.
  var isIdle: Bool { get }

  /// Stops all work without leaving partial or temporary files.
  func stop()
}

extension DropHandler {
  func holdsEnd(of drop: any ProbeDrop, _ end: @escaping () -> Void) -> Bool { false }
}
