import ToolSupport

/// What the user has asked for, besides what is dragged.
struct SourceSettings {
  var shared: SharedOptions
  var window: WindowOptions
  var drag: DragOptions
  /// What is made of names that come later.
  var maker: RowMaker
}
