/// Which programs see a representation. The counterpart of Core Transferable's type of the same name.
///
/// Apple's cases `team` and `group` have no counterpart: X11 does not know who made a program.
public enum TransferRepresentationVisibility: Hashable, Sendable {
  /// All programs on the display.
  case all
  /// Only this process. The representation is not published, and a request for it is refused.
  case ownProcess
}

extension TransferRepresentation {
  /// Suggests a file name for a target that saves the representation as a file.
  ///
  /// A ``DragItem`` also promises the best representation that has a name as a file: see ``DragItem/promise(_:)-(Value)``.
  ///
  /// - Parameter fileName: The name with its extension. It is sanitized, and numbered if it is taken.
  public func suggestedFileName(_ fileName: String) -> some TransferRepresentation<Item> {
    suggestedFileName { _ in fileName }
  }

  /// Suggests a file name that depends on the value.
  ///
  /// - Parameter fileName: Returns the name with its extension; `nil` for no file. Called when the ``DragItem`` is
  ///   created.
  public func suggestedFileName(
    _ fileName: @escaping @Sendable (Item) -> String?
  ) -> some TransferRepresentation<Item> {
    modifyingExports { item, exports in
      guard let name = fileName(item) else { return exports }
      return exports.map { export in
        var export = export
        export.fileName = name
        return export
      }
    }
  }

  /// Offers the representation only for values that meet a condition. Imports are unaffected.
  ///
  /// - Parameter condition: Called when the ``DragItem`` is created.
  public func exportingCondition(
    _ condition: @escaping @Sendable (Item) -> Bool
  ) -> some TransferRepresentation<Item> {
    modifyingExports { condition($0) ? $1 : [] }
  }

  /// Limits which programs see the representation.
  ///
  /// A representation with ``TransferRepresentationVisibility/ownProcess`` stays in the ``DragItem``, for drops on
  /// windows of the same ``DragAndDrop``. Imports are unaffected.
  public func visibility(_ visibility: TransferRepresentationVisibility) -> some TransferRepresentation<Item> {
    modifyingExports { _, exports in
      exports.map { export in
        var export = export
        // `all` does not undo the limit of an inner modifier.
        if visibility != .all { export.visibility = visibility }
        return export
      }
    }
  }

  private func modifyingExports(
    _ modify: @escaping @Sendable (Item, [TransferExport]) -> [TransferExport]
  ) -> TransferForms<Item> {
    let forms = forms
    return TransferForms(exports: { modify($0, forms.exports($0)) }, imports: forms.imports)
  }
}
