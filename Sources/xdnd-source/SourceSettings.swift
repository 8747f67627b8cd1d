import ToolSupport
import XDnD

/// What the user has asked for, besides what is dragged.
struct SourceSettings {
  var shared: SharedOptions
  var window: WindowOptions
  var drag: DragOptions
  /// What is made of names that come later.
  var maker: RowMaker

  /// The library's configuration for these options.
  var configuration: Configuration {
    var configuration = shared.configuration
    configuration.quirks = drag.quirks
    return configuration
  }
}
