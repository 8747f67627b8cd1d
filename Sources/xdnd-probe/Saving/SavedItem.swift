import XDnDFiles
import XDnDToolSupport
import XDnDToolWindow
import XDnDFileOperations
import XDnD

/// The result for one item of a saved drop.
struct SavedItem {
  let report: Report
  /// For display.
  let name: String
  /// The result, or the reason for a failure, for display.
  let details: String
  var state = Scene.Row.State.plain
  /// The absolute path of the saved file; `nil` if there is none.
  var path: RawPath?
}

extension Report {
  /// - Parameter kind: The operation; `nil` for an undo.
  init(_ result: ItemResult, _ kind: FileOperation.Kind?) {
    func visible(_ path: RawPath) -> String { Formatting.visible(RawArgument.string(path)) }
    let from = Value.path(result.source)
    func saved(_ verb: String, _ path: RawPath, _ bytes: Int?, _ problem: FileError? = nil) -> Report {
      let size = bytes.map { ": \(Formatting.bytes($0))" } ?? ""
      let but = problem.map { "; the original remains: \($0)" } ?? ""
      let replaced = result.replaced.map { "; the previous file was moved to the trash (\(visible($0.path)))" } ?? ""
      return Report(
        "saved", "\(verb) \(visible(path))\(size)\(replaced)\(Formatting.visible(but)).",
        [
          "path": .path(path), "bytes": bytes.map { .integer($0) }, "how": kind.map { .string($0.word) }, "from": from,
          "replaced": result.replaced.map { .path($0.path) }, "reason": problem.map { .string($0.description) },
        ])
    }
    self =
      switch result.outcome {
      case .copied(let path, let bytes): saved("Copied to", path, bytes)
      case .moved(let path, let bytes): saved("Moved to", path, bytes)
      case .copiedOnly(let path, let bytes, let error): saved("Copied to", path, bytes, error)
      case .linked(let path): saved("Linked as", path, nil)
      case .skipped(let reason):
        Report(
          "not-saved", "Skipped \(visible(result.source)): \(Formatting.visible(reason)).",
          ["from": from, "reason": .string(reason)])
      case .failed(let error):
        Report(
          "not-saved", "\(kind == nil ? "" : "Not saved: ")\(Formatting.visible(error.description)).".capitalizedFirst,
          ["from": from, "reason": .string(error.description)])
      case .cancelled:
        Report("not-saved", "Not saved: \(visible(result.source)).", ["from": from, "reason": "cancelled"])
      case .trashed(let file):
        Report("trashed", "Moved \(visible(result.source)) to the trash.", ["path": from, "trash": .path(file.path)])
      case .restored(let path): Report("restored", "Restored \(visible(path)) from the trash.", ["path": .path(path)])
      }
  }
}

extension FileOperation.Kind {
  var operation: DragOperation {
    switch self {
    case .copy: .copy
    case .move: .move
    case .link: .link
    }
  }

  var participle: String {
    switch self {
    case .copy: "copying"
    case .move: "moving"
    case .link: "linking"
    }
  }

  /// The operation, for programs.
  var word: String { operation.description }
}
