public import Logging

/// Time limits, sizes and the log of a ``DragAndDrop``.
public struct Configuration: Sendable {
  /// How long a release waits for the target's answer to the last position. Chromium fetches everything before it
  /// answers, so less than five seconds cuts honest targets off.
  public var statusTimeout = Duration.seconds(5)

  /// How long after a drop the other side may be silent: a target that has not confirmed, or our own delegate that
  /// has neither finished nor loaded anything. Each transfer renews it.
  public var finishTimeout = Duration.seconds(30)

  /// How long a peer may take for one part of a transfer.
  public var transferTimeout = Duration.seconds(10)

  /// How long content that comes in parts (INCR) may take in all, without the time that this program holds it up.
  public var maximumTransferDuration = Duration.seconds(3600)

  /// The least bytes that content in parts has to bring each minute; 0 for any. A source that sends one byte every few
  /// seconds answers each part in time, and would go on for as long as it is let.
  public var minimumTransferPace = 4096

  /// How long the provider of a ``DataRequest`` may be silent: to answer it, and between any two parts of the content.
  public var promiseTimeout = Duration.seconds(30)

  /// The most bytes that a load takes, if it does not say otherwise.
  public var maximumTransferSize = 256 << 20

  /// The most bytes that a load into a file, or in chunks, takes, if it does not say otherwise: 16 GiB.
  public var maximumFileTransferSize = 16 << 30

  /// The longest content that is sent in one property; longer content goes by INCR.
  ///
  /// Java reads no more than 4 000 000 bytes of one property, and several toolkits cannot read INCR.
  public var wholePropertySize = 3 << 20

  /// The length of one INCR part, in bytes.
  public var partSize = 256 << 10

  /// How many transfers of one drag or one clipboard are under way at once. What is asked for besides waits its turn, and is
  /// refused after ``promiseTimeout``.
  ///
  /// A transfer may hold an open file, a pipe or a task, and anybody may ask for as many as they like.
  public var maximumTransfers = 128 { didSet { maximumTransfers = max(1, maximumTransfers) } }

  /// How many of them one client of the server has at most.
  public var maximumTransfersPerClient = 32 { didSet { maximumTransfersPerClient = max(1, maximumTransfersPerClient) } }

  /// How many requests may wait for their turn, of all clients; one client may have a quarter of them. Others are refused.
  public var maximumWaitingRequests = 1024 { didSet { maximumWaitingRequests = max(0, maximumWaitingRequests) } }

  /// Which habits of other programs are allowed for; by default all that are known. Take one out to switch it off.
  public var quirks = Quirk.all

  /// How many drags are kept so that their data can still be asked for, the newest included.
  ///
  /// Some applications read what was dropped on them only after they have said that they are done. The newest is kept
  /// until another program begins a drag; those before it, for as long as none of the three limits is exceeded.
  public var keptDragCount = 4

  /// How many bytes the kept drags may hold in memory, the newest included.
  public var keptDragBytes = 64 << 20

  /// How long after its end a drag is kept that is not the newest. Firefox keeps its temporary files for five minutes.
  public var keptDragDuration = Duration.seconds(600)

  /// Whether a window that was dropped on comes to the top, with the keyboard; see ``DropSession/activateWindow()``.
  ///
  /// Off by default: who drags from one window into another goes on in the first one as often as not.
  public var activatesWindowOnDrop = false

  /// Whether a drag has an image at the pointer. Without one, the cursor is all that the user sees.
  public var showsDragImages = true

  /// Whether images appear and go at once, and do not fly; `nil` for what the settings of the desktop say.
  public var reducesMotion: Bool?

  /// How fast images fly: 1 is as they are meant, less is slow motion, for who wants to look closely or to take a picture.
  ///
  /// From 0.01 to 100.
  public var animationSpeed = 1.0 {
    didSet { animationSpeed = animationSpeed.isNaN ? 1 : min(max(animationSpeed, 0.01), 100) }
  }

  /// Where to log. Mistakes of peers are logged at `debug`, everything that is done at `trace`.
  public var logger = Logger(label: "XDnD") { _ in SwiftLogNoOpLogHandler() }

  /// Which types are special cases of others, and which names mean the same: by default that of the system.
  ///
  /// That one is not read before it is needed: when a drag comes over a window that takes drops, or a value is loaded.
  public var typeDatabase = TypeDatabase.system

  /// Called when temporary files have been made that may outlive the process: see ``ContainerSweep``.
  package var onTemporaryFiles: (@Sendable () -> Void)?

  /// The defaults.
  public init() {}

  /// The limits in the words of the machines; one property carries at most what the server takes in one request.
  func timing(maximumWriteSize: Int) -> Reactor.Timing {
    var timing = Reactor.Timing()
    timing.source.status = statusTimeout
    timing.source.finish = finishTimeout
    timing.target.finish = finishTimeout
    timing.outgoing = OutgoingTransfer.Limits(
      wholeProperty: min(wholePropertySize, maximumWriteSize), part: max(4, min(partSize, maximumWriteSize)) & ~3,
      stall: transferTimeout, promise: promiseTimeout)
    timing.serving = SelectionServer.ServingLimits(
      total: maximumTransfers, perClient: maximumTransfersPerClient, waiting: maximumWaitingRequests)
    timing.incoming = IncomingTransfer.Limits(
      stall: transferTimeout, byteCount: maximumTransferSize, minimumPace: minimumTransferPace,
      duration: maximumTransferDuration)
    timing.history = Reactor.History(
      count: keptDragCount, byteCount: keptDragBytes, duration: keptDragDuration)
    return timing
  }
}
