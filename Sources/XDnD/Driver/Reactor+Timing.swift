extension Reactor {
  /// How long each half waits, and how much it takes, serves and keeps.
  struct Timing: Equatable, Sendable {
    var target = TargetMachine.Timing()
    var source = SourceMachine.Timing()
    var outgoing = OutgoingTransfer.Limits()
    var serving = SelectionServer.ServingLimits()
    var incoming = IncomingTransfer.Limits()
    var saving = DirectSaveReceiver.Timing()
    var history = History()
  }
}
