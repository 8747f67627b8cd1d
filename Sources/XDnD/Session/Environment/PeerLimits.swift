/// The limits on other programs' use of bytes, types, time, transfers and files. The defaults suit most programs.
///
/// Content that exceeds a limit fails to load, with the error that the limit's description names. A limit that only
/// affects the peer causes no error; its name is logged at `notice`, at most once a second.
///
/// `docs/reliability.md` also lists the fixed limits.
public struct PeerLimits: Hashable, Sendable {
  // MARK: Bytes and types

  /// The largest number of bytes that a load into memory or into a closure accepts, unless the load sets its own limit:
  /// 256 MiB. Beyond it, the load fails with ``XDnDError/Code/tooLarge``.
  public var maximumTransferSize = 256 << 20

  /// The largest number of bytes that a load into a file or as chunks accepts, unless the load sets its own limit, and
  /// that a direct save accepts: 16 GiB. Beyond it, the load or the save fails with ``XDnDError/Code/tooLarge``.
  public var maximumFileTransferSize = 16 << 30

  /// The largest number of types of a drag or a clipboard, from 3 to 1000. Further ones are ignored.
  public var maximumTypeCount = 1000 {
    didSet { maximumTypeCount = min(max(3, maximumTypeCount), Negotiation.offerLimit) }
  }

  // MARK: Time

  /// How long a peer may take for one part of a transfer; 10 seconds by default. Beyond it, a load fails with
  /// ``XDnDError/Code/timedOut``. Raise it for connections that stall, and for targets that process each part before
  /// they request the next one.
  public var transferTimeout = Duration.seconds(10)

  /// How long an INCR transfer may take in total: one hour. Time in which this program holds the transfer up does not
  /// count. Beyond it, the load fails with ``XDnDError/Code/timedOut``.
  public var maximumTransferDuration = Duration.seconds(3600)

  /// The minimum number of bytes that an INCR transfer must bring each minute: 4096; 0 for no minimum. It stops a
  /// source that sends single bytes, each within ``transferTimeout``. Below it, the load fails with
  /// ``XDnDError/Code/timedOut``.
  public var minimumTransferPace = 4096

  /// How long the source waits, after the button is released, for the target's answer to the last position. A drop on a
  /// hung program fails after this time, with ``DragOutcome/timedOut``. Chromium loads all content before it answers;
  /// with less than five seconds, the default, correct targets time out.
  public var statusTimeout = Duration.seconds(5)

  // MARK: Transfers to other programs

  /// The largest number of simultaneous transfers of one drag or one clipboard: 128; at least 1. Further requests are
  /// queued, and refused after ``Configuration/promiseTimeout``.
  ///
  /// A transfer may hold an open file, a pipe or a task, and any client of the server can request any number of them.
  public var maximumTransfers = 128 { didSet { maximumTransfers = max(1, maximumTransfers) } }

  /// The largest number of simultaneous transfers to one client of the server: 32; at least 1.
  public var maximumTransfersPerClient = 32 {
    didSet { maximumTransfersPerClient = max(1, maximumTransfersPerClient) }
  }

  /// The largest number of queued requests, of all clients together: 1024. One client may have a quarter of them.
  /// Further requests are refused.
  public var maximumWaitingRequests = 1024 { didSet { maximumWaitingRequests = max(0, maximumWaitingRequests) } }

  // MARK: Files that a source saves itself

  /// The largest number of files and directories of a direct save, at any depth: 10,000; at least 1. Beyond it, the
  /// save fails with ``XDnDError/Code/tooLarge``.
  public var maximumSavedFileCount = 10_000 { didSet { maximumSavedFileCount = max(1, maximumSavedFileCount) } }

  /// The largest depth of the directories of a direct save, from 0, for files only, to 200. Beyond it, the save fails
  /// with ``XDnDError/Code/tooLarge``.
  public var maximumSavedDepth = 200 { didSet { maximumSavedDepth = min(max(0, maximumSavedDepth), 200) } }

  /// Creates the defaults.
  public init() {}
}
