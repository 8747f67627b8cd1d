import XDnDFiles

/// Removes the promised files that earlier drags have left in the cache, when they are no longer needed.
///
/// A target may store the path of a dropped file, or open the file as a document, and reports neither. So the files
/// outlive the drag and the process, and are removed only if nothing suggests that they are still used.
package enum TemporaryFiles {
  /// How long files are kept after the drag, and after they were last requested or read.
  package static let lifetime = Duration.seconds(86_400)

  /// An empty file that is created in a container when the promised files are complete. A file whose status changed
  /// later was changed by the user.
  static let completionMark = Array(".xdnd-complete".utf8)

  /// Removes each container that no running process has locked, if none of its files was changed or is open, and none
  /// was requested or read within the ``lifetime``.
  ///
  /// - Parameter root: The parent of all containers of this user.
  package static func sweep(_ root: [UInt8]? = PrivateDirectory.cacheRoot) {
    guard let root else { return }
    PrivateDirectory.sweep(root, olderThan: lifetime) { directory in
      let completion = try? directory.use(of: completionMark).changed
      return directory.hasFileInUse(changedAfter: completion, readWithin: lifetime)
    }
  }
}
