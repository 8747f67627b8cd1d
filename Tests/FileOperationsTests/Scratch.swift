import XDnDFiles
import Foundation
import Glibc
import Testing

@testable import XDnDFileOperations

/// A directory of a test's own, with a trash beside it, both removed at the end.
final class Scratch {
  let path: String
  let trash: Trash
  private let root: String

  init(in parent: String = NSTemporaryDirectory()) throws {
    root = String(decoding: raw(parent).appending(raw("fileops-\(getpid())-\(UUID().uuidString)")), as: UTF8.self)
    path = root + "/files"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    trash = Trash(home: raw(root + "/Trash"), user: getuid()) { _ in nil }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Makes a file, and the directories that it needs.
  @discardableResult
  func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
    let path = self(name)
    if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
    try Data(text.utf8).write(to: URL(filePath: path))
    chmod(path, mode)
    return path
  }

  @discardableResult
  func makeDirectory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
    return self(name)
  }

  func text(_ name: String) -> String? { try? String(contentsOfFile: self(name), encoding: .utf8) }

  /// All that is in a directory, hidden things too.
  func list(_ name: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: self(name))) ?? []).sorted()
  }

  /// Names in the trash.
  var trashed: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + "/Trash/files")) ?? []).sorted()
  }

  func trashInfo(_ name: String) -> String? {
    try? String(contentsOfFile: root + "/Trash/info/\(name).trashinfo", encoding: .utf8)
  }
}

func raw(_ path: String) -> RawPath { Array(path.utf8) }

func status(_ path: String) -> stat {
  var result = stat()
  lstat(path, &result)
  return result
}

/// Another file system than that of the temporary directory; `nil` if there is none.
let otherFileSystem: String? = {
  let shared = "/dev/shm"
  guard access(shared, W_OK) == 0, status(shared).st_dev != status(NSTemporaryDirectory() + "/.").st_dev else {
    return nil
  }
  return shared
}()

extension Trait where Self == ConditionTrait {
  /// Skips where there is only one file system.
  static var requiresTwoFileSystems: Self {
    .enabled(
      if: otherFileSystem != nil,
      "missing: a file system of its own that can be written to at /dev/shm, besides the temporary directory")
  }
}

/// Runs a task as the tools do: by waiting for its descriptor.
func finish(_ task: FileTask) throws {
  while !task.isFinished {
    var descriptor = pollfd(fd: task.fileDescriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&descriptor, 1, 60_000) > 0, "the task is silent")
    task.process()
  }
}

/// Runs an operation to its end.
func perform(
  _ kind: FileOperation.Kind, _ sources: [String], to destination: String, conflicts: ConflictPolicy = .ask,
  trash: Trash, forAll: Bool = false, answer: @escaping (Conflict) -> ConflictChoice = { _ in .skip }
) throws -> OperationReport {
  var report: OperationReport?
  let box = TaskBox()
  let operation = FileOperation(kind, sources.map(raw), to: raw(destination), conflicts: conflicts)
  let task = try FileTask(operation, trash: trash) { event in
    switch event {
    case .progress: break
    case .conflict(let conflict): box.task?.answer(answer(conflict), forAll: forAll)
    case .finished(let result): report = result
    }
  }
  box.task = task
  try finish(task)
  return try #require(report)
}

func undo(_ undoable: Undoable, trash: Trash) throws -> OperationReport {
  var report: OperationReport?
  let task = try FileTask(undoing: undoable, trash: trash) { if case .finished(let result) = $0 { report = result } }
  try finish(task)
  return try #require(report)
}

final class TaskBox { weak var task: FileTask? }

/// Runs an operation on this thread. Its questions go unanswered: at the first, it ends as if it was cancelled.
func performHere(
  _ kind: FileOperation.Kind, _ source: String, to destination: String, trash: Trash, meter: Meter = Meter(),
  allowsUnnamed: Bool = true
) throws -> OperationReport {
  let conflicts = try ConflictChannel { _ in }
  conflicts.close()
  let runner = OperationRunner(
    FileOperation(kind, [raw(source)], to: raw(destination)), trash: trash, meter: meter, conflicts: conflicts)
  runner.allowsUnnamed = allowsUnnamed
  return runner.run()
}

extension ItemResult.Outcome {
  /// The words of a failure or of a reason.
  var words: String? {
    switch self {
    case .failed(let error), .copiedOnly(_, _, let error): error.description
    case .skipped(let words): words
    default: nil
    }
  }

  /// The name that something has got.
  var newName: String? {
    switch self {
    case .copied(let path, _), .moved(let path, _), .linked(let path), .copiedOnly(let path, _, _), .restored(let path):
      path.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    default: nil
    }
  }
}
