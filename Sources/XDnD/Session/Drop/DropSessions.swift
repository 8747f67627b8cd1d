/// The drags over the windows of this program, and their drops. Dispatches the notices of drop targets to sessions and
/// delegates.
///
/// Only the ``DragAndDrop`` retains it.
final class DropSessions {
  let saves: PendingSaves
  private let reactor: Reactor
  private let windows: DropWindows
  private let loads: PendingLoads
  private let drags: DragSessions
  private let activatesWindows: Bool
  private var sessions: [SessionID: Reference] = [:]

  /// A session is retained while the drag is over the window; after the drop, only the application and its loads retain
  /// it.
  private struct Reference {
    weak var session: DropSession?
    /// Set while the drag is over the window, and again when the application has answered the drop.
    var kept: DropSession?
  }

  /// - Parameters:
  ///   - drags: To find the drag from this program that is over one of its windows.
  ///   - activatesWindows: Whether a drop raises and focuses the window.
  init(
    _ reactor: Reactor, windows: DropWindows, loads: PendingLoads, saves: PendingSaves, drags: DragSessions,
    activatesWindows: Bool
  ) {
    self.reactor = reactor
    self.windows = windows
    self.loads = loads
    self.saves = saves
    self.drags = drags
    self.activatesWindows = activatesWindows
  }

  func keepUntilEnd(_ session: DropSession) { sessions[session.id]?.kept = session }

  func receive(_ notice: Notice.TargetNotice, _ window: WindowID) {
    let registration = windows[window]
    switch notice {
    case .entered(let id, let source, let version, let content):
      let session = DropSession(
        id: id, window: window, source: source, version: version, content: content,
        offer: registration?.offer ?? DropOffer([]),
        localDrag: source == reactor.system.dragWindow ? drags.current : nil, loads: loads, sessions: self)
      sessions[id] = Reference(session: session, kept: session)
      if registration?.isDelegateReleased == true {
        reactor.warn("all drags are refused: the delegate of the drop target was deallocated", window)
      }
      // Regions ask their window's delegate themselves, because it is asked of each visit whatever they accept.
      if let registration, registration.regions == nil { session.validate(by: registration.delegate) }
      registration?.delegate(for: session)?.dropEntered(session)
    case .proposalNeeded(let request):
      guard let session = sessions[request.session]?.kept else { break }
      session.update(for: request)
      let proposal = registration?.delegate(for: session)?.dropUpdated(session) ?? .forbidden
      session.showTaken(by: proposal)
      reactor.targets.receive(.proposal(proposal, to: request), for: window)
    case .scrolled(let id, let scroll, let point):
      guard let session = sessions[id]?.kept else { break }
      session.moved(to: point)
      registration?.delegate(for: session)?.dropScrolled(session, scroll)
    case .exited(let id, let reason):
      guard let session = sessions.removeValue(forKey: id)?.kept else { break }
      session.ended()
      session.hideTaken()
      registration?.delegate(for: session)?.dropExited(session, reason)
    case .dropped(let id, let details):
      guard let session = sessions[id]?.kept else { break }
      sessions[id]?.kept = nil
      session.dropped(details)
      if activatesWindows { session.activateWindow() }
      guard let delegate = registration?.delegate(for: session) else { return session.reject() }
      delegate.performDrop(session)
    case .ended(let id, let result):
      let failure = XDnDError(result)
      // Before its loads end, so that placeholders show why.
      sessions[id]?.session?.loadLog.end(failure)
      loads.dropEnded(id, failure)
      guard let session = sessions.removeValue(forKey: id)?.session else { break }
      session.ended()
      session.hideTaken()
      registration?.delegate(for: session)?.dropEnded(session, result)
    case .unregistered: windows.forget(window)
    case .lost, .ignored: break
    }
  }
}

extension XDnDError {
  /// The failure of a drop; `nil` if the application has answered it.
  fileprivate init?(_ result: DropResult) {
    switch result {
    case .finished, .rejected: return nil
    case .sourceVanished: self.init(.sourceVanished, "the source is gone")
    case .timedOut: self.init(.timedOut, "the drop was not finished in time")
    }
  }
}
