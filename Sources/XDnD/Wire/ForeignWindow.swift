/// The properties of another client's window that determine who takes its drops.
package struct ForeignWindow: Equatable, Sendable {
  /// A property that names a window.
  package struct Link: Equatable, Sendable {
    package var window: WindowID
    package var state: State

    package enum State: Equatable, Sendable {
      /// The window does not exist.
      case gone
      /// The window exists, but its `XdndProxy` does not name itself: the proxy is gone, and its ID was reused.
      case unrelated
      /// The window is a proxy: its `XdndProxy` names itself.
      case proxy
    }

    package init(_ window: WindowID, _ state: State) {
      self.window = window
      self.state = state
    }
  }

  /// Whether it is the root window of a screen.
  package var isRoot = false
  /// `XdndAware`.
  package var aware: PropertyValue?
  /// `XdndProxy`.
  package var proxy: Link?
  /// `_XDND_SAVED_BY`: the proxy of a program that uses this library and has replaced `XdndAware` and `XdndProxy`.
  package var savedBy: Link?
  /// `_XDND_SAVED_AWARE`: the `XdndAware` that the program has replaced.
  package var savedAware: PropertyValue?
  /// `_XDND_SAVED_PROXY`: the `XdndProxy` that the program has replaced.
  package var savedProxy: PropertyValue?

  package init() {}
}

extension AtomName {
  /// The proxy for which a window's `XdndAware` and `XdndProxy` were replaced.
  package static let xdndSavedBy = AtomName("_XDND_SAVED_BY")
  /// The replaced `XdndAware`.
  package static let xdndSavedAware = AtomName("_XDND_SAVED_AWARE")
  /// The replaced `XdndProxy`.
  package static let xdndSavedProxy = AtomName("_XDND_SAVED_PROXY")
}

extension PropertyValue {
  /// `XdndAware` of this program's targets.
  package static let advertisedAwareness = PropertyValue(
    type: .atom, contents: .words([UInt32(ProtocolVersion.advertised.number)]))

  /// The value of a property that names one window.
  package static func window(_ window: WindowID) -> PropertyValue {
    PropertyValue(type: .window, contents: .words([window.rawValue]))
  }
}
