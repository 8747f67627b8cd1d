import Testing

@testable import xdnd_probe

@Suite("What inspect says about the desktop")
struct InspectedDesktopTests {
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

  @Test(arguments: [
    (0, "No window accepts drops."), (1, "One window accepts drops:"), (3, "3 windows accept drops, topmost first:"),
  ])
  func `the list of targets has a heading that counts them`(count: Int, expected: String) {
    #expect(Desktop.heading(targets: count) == expected)
  }
}
