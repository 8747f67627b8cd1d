import XDnDX11

/// The positions of this program's windows on the screen, while drags are over them.
///
/// A window's place depends on all windows on its way to the root. The library watches each of them, and then requests
/// its place in its parent without waiting. Later changes arrive as events. The other windows of the display cost
/// nothing.
final class WindowPlaces {
  private let display: DisplayHandle
  private let masks: EventMasks
  /// The windows on the way from the followed ones to the root, as far as they are known.
  private var tree: WindowTree
  /// How often each window is followed.
  private var followed: [WindowID: Int] = [:]
  private var watches: [WindowID: Watch] = [:]
  /// The way to the root from a window that was followed before. The next one is likely to be the same or in the same
  /// frame, so these windows are queried together, and not one after the other.
  private var lastPath: [WindowID] = []
  /// The number of questions that have not been answered.
  private var pending = 0
  /// The callbacks that wait until the place of their window is known, or no question is pending.
  private var waiting: [(window: WindowID, receive: () -> Void)] = []

  /// The state of a watched window, with the last question about it.
  private enum Watch {
    /// Its events are being selected. Its place is requested afterwards, so that no change is missed.
    case selecting(Question)
    case asked(Question)
    /// It did not exist when its events were to be selected.
    case missing

    var isMissing: Bool { if case .missing = self { true } else { false } }
  }

  init(_ display: DisplayHandle, _ masks: EventMasks) {
    self.display = display
    self.masks = masks
    tree = WindowTree(root: display.root)
  }

  /// See ``WindowSystem/follow(_:then:)``.
  ///
  /// - Parameter receive: Called later, unless this returns `true` or the window is unfollowed before.
  func follow(_ window: WindowID, then receive: @escaping () -> Void) -> Bool {
    followed[window, default: 0] += 1
    for likely in [window] + lastPath { watch(likely) }
    advance()
    if isSettled(window) { return true }
    waiting.append((window, receive))
    return false
  }

  private func isSettled(_ window: WindowID) -> Bool { pending == 0 || origin(of: window) != nil }

  /// See ``WindowSystem/unfollow(_:)``.
  func unfollow(_ window: WindowID) {
    guard let count = followed[window] else { return }
    followed[window] = count > 1 ? count - 1 : nil
    if count == 1 { waiting.removeAll { $0.window == window } }
    // The watches end together: the windows are few, and most of them have followed windows below them.
    guard followed.isEmpty else { return }
    // A visit may be over before all answers have arrived.
    if origin(of: window) != nil { lastPath = tree.path(from: window, below: display.root) }
    let watched = watches.filter { !$0.value.isMissing }
    tree = WindowTree(root: display.root)
    watches.removeAll()
    masks.remove(watched.mapValues { _ in StructureNotifyMask })
  }

  /// The upper-left corner of a window (inside its border), in root coordinates. `nil` unless the places of all windows
  /// on the way to the root are known.
  func origin(of window: WindowID) -> Point? { tree.origin(of: window, below: display.root) }

  /// Applies a change of a window.
  func receive(_ change: WindowTree.Change, about window: WindowID, serial: UInt) {
    guard let watch = watches[window] else { return }
    _ = tree.apply(change, to: window, serial: serial)
    switch change {
    case .reparented: if case .asked = watch { ask(window) }
    case .destroyed: watches[window] = nil
    default: break
    }
  }

  // MARK: Questions

  /// Watches the windows that have turned out to be on the way from the followed ones.
  private func advance() {
    for window in followed.keys {
      for ancestor in tree.path(from: window, below: display.root) { watch(ancestor) }
    }
  }

  private func watch(_ window: WindowID) {
    guard watches[window] == nil else { return }
    let asked = Question()
    watches[window] = .selecting(asked)
    // The parent is most likely the next window on the way. So each level of windows takes one round trip.
    question { [self] finish in
      var batch = RequestBatch(display)
      batch.parent(of: window) { [weak self, weak asked] parent in
        guard let self, asked != nil, let parent, parent != .none, parent != display.root else { return }
        watch(parent)
      }
      batch.send(then: finish)
    }
    question { [self] finish in
      masks.add(StructureNotifyMask, to: window, onError: .swallow) { [weak self, weak asked] exists in
        defer { finish() }
        guard let self, asked != nil else { return }
        if exists {
          ask(window)
        } else {
          masks.forget(window)
          watches[window] = .missing
        }
      }
    }
  }

  /// Asks a watched window for its place in its parent.
  private func ask(_ window: WindowID) {
    let asked = Question()
    watches[window] = .asked(asked)
    question { [self] finish in
      var attributes: RequestBatch.Attributes?
      var batch = RequestBatch(display)
      batch.attributes(of: window) { attributes = $0 }
      batch.parent(of: window) { [weak self, weak asked] parent in
        guard let self, let attributes, let parent, asked != nil else { return }
        tree.setPlace(attributes.geometry, in: parent, of: window, serial: attributes.serial)
      }
      batch.send { [weak self] in
        self?.advance()
        finish()
      }
    }
  }

  /// Counts a question until its answer is complete.
  ///
  /// - Parameter send: Sends the question, and calls its argument when the answer has been processed.
  private func question(_ send: (_ finish: @escaping () -> Void) -> Void) {
    pending += 1
    send { [weak self] in
      guard let self else { return }
      pending -= 1
      let settled = waiting.filter { self.isSettled($0.window) }
      waiting.removeAll { self.isSettled($0.window) }
      for entry in settled { entry.receive() }
    }
  }
}
