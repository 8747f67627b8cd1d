import ArgumentParser
import FileOperations
import ToolSupport
import XDnD

/// The options that say how drops become files.
struct SavingOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Save what is dropped in a directory: files are copied, moved or linked as the action says, content becomes a "
        + "clipping, promised files are written there. Control+Z takes the last drop back.", valueName: "dir"))
  var save: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "What to do when there is a file of the same name: ask, keep-both, replace (the old one goes to the trash), skip. (default: ask)",
      valueName: "choice"), transform: ConflictPolicy.named)
  var existing: ConflictPolicy?

  @Flag(name: .customLong("url-files"), help: "Save links as .url files instead of .desktop files.")
  var savesURLFiles = false

  /// - Throws: If the directory cannot be written to.
  func settings() throws -> SaveSettings? {
    guard let save else {
      guard existing == nil, !savesURLFiles else {
        throw ValidationError("--existing and --url-files say how to save; --save says where")
      }
      return nil
    }
    do {
      let directory = try FileDirectory(rawPath: RawArgument.bytes(of: save))
      return SaveSettings(
        directory: directory, existing: existing ?? .ask, linkFormat: savesURLFiles ? .url : .desktop)
    } catch {
      throw ValidationError(error.message)
    }
  }
}

/// How drops become files.
struct SaveSettings {
  let directory: FileDirectory
  let existing: ConflictPolicy
  let linkFormat: Clipping.LinkFormat

  /// For people.
  var visibleName: String { Humane.visible(RawArgument.string(directory.rawPath)) }

  /// What is saved, best first: what its source saves by itself, files, and then what opens as what it was.
  static let types: [ContentType] =
    [.directSave] + FileList.importableTypes + ["image/*", .color, .mozURL, .netscapeURL, "*/*"]

  /// What can be done with files.
  static let operations: [DragOperation] = [.copy, .move, .link, .ask]
}

extension ConflictPolicy {
  /// The words of `--existing`.
  static let words: [(word: String, policy: ConflictPolicy)] = [
    ("ask", .ask), ("keep-both", .keepBoth), ("replace", .replace), ("skip", .skip),
  ]

  @Sendable static func named(_ argument: String) throws -> ConflictPolicy {
    guard let policy = words.first(where: { $0.word == argument })?.policy else {
      throw ValidationError("there are \(words.map(\.word).joined(separator: ", "))")
    }
    return policy
  }
}
