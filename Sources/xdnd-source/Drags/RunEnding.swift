import XDnDToolSupport
import XDnD

/// Decides after which drag the tool ends, and with which exit status.
final class RunEnding {
  private enum Rule {
    /// When the user closes the tool.
    case closed
    /// The first drag, whatever its outcome (`--once`, `--now`, `--to`).
    case firstDrag
    /// The first successful drop (`--and-exit first`).
    case firstDrop
    /// The successful drop of the last row (`--and-exit all`).
    case allRows
  }

  private let rule: Rule
  private let loop: EventLoop
  private var last: ExitStatus?
  /// Whether the tool was asked to end and only completes drops.
  private(set) var isRequested = false

  /// - Parameter isSingle: Whether the run consists of one drag, as without a window.
  init(_ settings: SourceSettings, isSingle: Bool, on loop: EventLoop) {
    rule =
      if isSingle || settings.shared.once {
        .firstDrag
      } else {
        switch settings.drag.andExit {
        case .first: .firstDrop
        case .all: .allRows
        case nil: .closed
        }
      }
    self.loop = loop
  }

  /// Asks the tool to end when all drops are delivered.
  func request() { isRequested = true }

  /// Whether the tool is about to end, and takes no more input.
  var isOver: Bool { isRequested || loop.isStopping }

  /// Whether a new drag may begin. Drops in progress do not prevent one, unless the tool may end with one of them.
  ///
  /// - Parameter others: Whether there are other drags that have not ended.
  func allowsDrag(besides others: Bool) -> Bool {
    !isOver && !(others && (rule == .firstDrag || rule == .firstDrop))
  }

  /// - Parameters:
  ///   - isDelivering: Whether a target still receives the content of this or another drop.
  ///   - areAllTaken: Whether every row has been dropped.
  func ended(
    _ outcome: DragOutcome, as status: ExitStatus, isDelivering: Bool, areAllTaken: Bool
  ) {
    last = status
    switch rule {
    case _ where isRequested: break
    // The button was released before the pointer was grabbed: the user has dragged nothing yet.
    case .firstDrag: if outcome != .cancelled(.buttonReleased) { loop.stop(status) }
    case .firstDrop: if status == .dropped { loop.stop(status) }
    case .allRows, .closed: break
    }
    endIfDone(isDelivering: isDelivering, areAllTaken: areAllTaken)
  }

  /// Handles the end of a transfer, which can outlast its drag, or of the list of rows.
  func endIfDone(isDelivering: Bool, areAllTaken: Bool) {
    guard !isDelivering else { return }
    if isRequested {
      loop.stop(last ?? .cancelled)
    } else if rule == .allRows, areAllTaken {
      loop.stop(.dropped)
    }
  }
}
