import XDnDFiles
package import XDnD

extension DragItem {
  /// Merges items into one for a clipboard. For files, it also states the copy operation, which file managers require
  /// (`x-special/gnome-copied-files`, `application/x-kde-cutselection`).
  ///
  /// - Parameter paths: The local files among the items.
  package init(copying items: [DragItem], files paths: [[UInt8]]) {
    self.init(joining: items)
    guard !paths.isEmpty else { return }
    append(
      representationsOf: DragItem(CopiedFiles(files: FileList(rawPaths: paths), operation: .copy)),
      of: [.gnomeCopiedFiles, .kdeCutSelection])
  }
}
