import XDnDX11
package import XDnD

/// Owns the manager selection of XSETTINGS on a display, until it is released.
package final class FakeSettingsDaemon {
  private let peer: XlibPeer
  private let window: WindowID

  package init(_ server: XServer) throws {
    peer = try XlibPeer(server)
    window = peer.makeWindow(Rect(x: -10, y: -10, width: 1, height: 1), mapped: false)
  }

  /// Says this from now on.
  package func publish(_ settings: [(String, XSettings.Value)]) {
    let bytes = settings.xsettings()
    let name = peer.atom("_XSETTINGS_SETTINGS")
    XChangeProperty(peer.display, window.xid, name, name, 8, PropModeReplace, bytes, Int32(bytes.count))
    XSetSelectionOwner(peer.display, peer.atom("_XSETTINGS_S0"), window.xid, Time(CurrentTime))
    peer.sync()
  }
}
