extension DragAndDrop {
  /// How the desktop wants programs to look; a few round trips when it is asked for the first time and after it has
  /// changed, and none otherwise. See ``onDesktopChange``.
  public var desktopAppearance: DesktopAppearance { reactor.system.settings.appearance }
}
