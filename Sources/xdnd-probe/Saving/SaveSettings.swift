import XDnDFiles
import ArgumentParser
import XDnDFileOperations
import Glibc
import XDnDToolSupport
import XDnD

struct SavingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Save drops in this directory. Ctrl+Z undoes.", valueName: "dir"))
  var save: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --save: what to do if a file exists: ask, keep-both, replace (moves the old file to the trash) or skip. (default: ask)",
      valueName: "choice", visibility: .hidden), transform: ConflictPolicy.named)
  var existing: ConflictPolicy?

  @Flag(
    name: .customLong("url-files"),
    help: ArgumentHelp("With --save: save links as .url files instead of .desktop files.", visibility: .hidden))
  var savesURLFiles = false

  /// - Throws: `ValidationError` if the directory cannot be written to.
  func settings() throws -> SaveSettings? {
    guard let save else {
      guard existing == nil, !savesURLFiles else {
        throw ValidationError("--existing and --url-files need --save")
      }
      return nil
    }
    do {
      let directory = try FileDirectory(rawPath: RawArgument.bytes(of: save))
      return SaveSettings(directory: directory, existing: existing ?? .ask, linkFormat: savesURLFiles ? .url : .desktop)
    } catch {
      throw ValidationError(error.message)
    }
  }
}

/// How drops are saved as files.
struct SaveSettings {
  let directory: FileDirectory
  let existing: ConflictPolicy
  let linkFormat: Clipping.LinkFormat

  /// The directory's path through its open descriptor. It stays valid when the original path is replaced, for
  /// example by a symbolic link that a source made. Without `/proc` it is the path as given.
  var heldPath: [UInt8] {
    let path = Array("/proc/self/fd/\(directory.fileDescriptor)".utf8)
    return withCPath(path) { access($0, F_OK) } == 0 ? path : directory.rawPath
  }

  /// Returns the path of a saved file below ``heldPath``.
  func heldPath(of file: SavedFile) -> [UInt8] { heldPath.appending(file.rawPath.lastName) }

  var visibleName: String { Formatting.visible(RawArgument.string(directory.rawPath)) }

  /// The accepted types, best first: direct save, files, images, colors and links, then any other content.
  static let types: [ContentType] =
    [.directSave] + FileList.importableTypes + ["image/*", .color, .mozURL, .netscapeURL, "*/*"]

  static let operations: [DragOperation] = [.copy, .move, .link, .ask]
}

extension ConflictPolicy {
  /// The words of `--existing`.
  static let words: [(word: String, policy: ConflictPolicy)] = [
    ("ask", .ask), ("keep-both", .always(.keepBoth)), ("replace", .always(.replace)), ("skip", .always(.skip)),
  ]

  @Sendable static func named(_ argument: String) throws -> ConflictPolicy {
    guard let policy = words.first(where: { $0.word == argument })?.policy else {
      throw ValidationError("unknown choice; expected one of \(words.map(\.word).joined(separator: ", "))")
    }
    return policy
  }
}
