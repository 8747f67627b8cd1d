/// How the place that something is dragged from and the place under the pointer belong together.
public enum DragRelation: String, Hashable, Sendable, CaseIterable {
  /// They are the same container: a list within which something is put elsewhere.
  case sameContainer = "same-container"
  /// They are two containers of this program.
  case sameApplication = "same-application"
  /// The other one belongs to another program, as far as one can tell: to another connection to the server.
  case otherApplication = "other-application"

  /// How a drag out of `source` relates to `place`.
  ///
  /// - Parameters:
  ///   - source: `nil` if nobody has said where the drag comes from.
  ///   - place: `nil` for what belongs to somebody else.
  init(from source: DragContainer?, to place: DragContainer?) {
    guard let place else {
      self = .otherApplication
      return
    }
    self = source == place ? .sameContainer : .sameApplication
  }
}

/// Something that holds what can be dragged, and takes what is dropped: a window, or a part of one by its name.
public struct DragContainer: Hashable, Sendable {
  /// The window that it is in.
  public var window: WindowID
  /// Tells the containers of one window apart; `nil` for the window as a whole.
  public var name: String?

  /// A window, or the part of it that the application calls `name`.
  public init(window: WindowID, name: String? = nil) {
    self.window = window
    self.name = name
  }
}
