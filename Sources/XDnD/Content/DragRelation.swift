/// How the drag source and the drop location are related.
public enum DragRelation: String, Hashable, Sendable, CaseIterable {
  /// Both are the same container, for example when the user reorders a list.
  case sameContainer = "same-container"
  /// They are different containers of this program.
  case sameApplication = "same-application"
  /// The drop location belongs to another program, that is, to another X connection.
  case otherApplication = "other-application"

  /// Creates the relation of a drag out of `source` to `place`.
  ///
  /// - Parameters:
  ///   - source: The container of the source; `nil` if the host has named none.
  ///   - place: The container under the pointer; `nil` if it belongs to another program.
  init(from source: DragContainer?, to place: DragContainer?) {
    guard let place else {
      self = .otherApplication
      return
    }
    self = source == place ? .sameContainer : .sameApplication
  }
}

/// A place that content is dragged from or dropped on: a window, or a named part of one.
public struct DragContainer: Hashable, Sendable {
  /// The window of the container.
  public var window: WindowID
  /// The name of the part, unique within its window; `nil` for the whole window.
  public var name: String?

  /// Creates a container for a window, or for its part that the host calls `name`.
  public init(window: WindowID, name: String? = nil) {
    self.window = window
    self.name = name
  }
}
