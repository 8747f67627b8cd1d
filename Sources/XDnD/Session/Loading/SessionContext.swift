/// The driver and the settings, shared by the application's drags, drops and clipboards.
///
/// Only the ``DragAndDrop`` retains it.
final class SessionContext {
  let reactor: Reactor
  let doorbell: Doorbell
  let configuration: Configuration

  init(_ reactor: Reactor, doorbell: Doorbell, _ configuration: Configuration) {
    self.reactor = reactor
    self.doorbell = doorbell
    self.configuration = configuration
  }

  deinit {
    // No driver will run these loads any more, and tasks may await them.
    for load in reactor.loads.halves { (load as? LoadTask)?.abandon() }
  }

  var isClosed: Bool { reactor.system.isClosed }
}
