extension DragAndDrop {
  /// The desktop's appearance settings. The first access, and the first after a change, makes a few round trips; later
  /// ones make none. See ``onDesktopChange``.
  public var desktopAppearance: DesktopAppearance { reactor.system.settings.appearance }
}
