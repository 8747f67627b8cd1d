import Testing

@testable import xdnd_probe

@Suite("Xwayland")
struct XWaylandTests {
  @Test(arguments: [
    (true, nil, nil, true), (false, "XWAYLAND0", "Weston WM", true), (false, "HDMI-1", "wlroots wm", true),
    (false, "Virtual-1", "GNOME Shell", false), (false, nil, nil, false),
  ])
  func `Xwayland is known by its extension, by its outputs or by its window manager`(
    hasExtension: Bool, firstOutput: String?, windowManager: String?, expected: Bool
  ) {
    let isXWayland = Desktop.isXWayland(
      hasExtension: hasExtension, firstOutput: firstOutput, windowManager: windowManager)
    #expect(isXWayland == expected)
  }
}
