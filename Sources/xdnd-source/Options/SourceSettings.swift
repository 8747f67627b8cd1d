import XDnDToolSupport
import XDnD

/// The parsed options, apart from the content to drag.
struct SourceSettings {
  var shared: SharedOptions
  var window: WindowOptions
  var drag: DragOptions
  /// Makes the rows of file names that arrive later.
  var maker: RowMaker

  /// The library configuration for these options.
  var configuration: Configuration {
    var configuration = shared.configuration
    configuration.quirks = drag.quirks
    return configuration
  }
}
