public import Logging

/// The settings of a ``DragAndDrop`` that a host may have a reason to change: limits, motion, and the logger. The
/// defaults suit most programs.
///
/// A ``DragAndDrop`` copies the configuration when it is created.
public struct Configuration: Sendable {
  /// The limits on other programs' use of bytes, types, time, transfers and files.
  public var limits = PeerLimits()

  /// How long a drag that begins waits while another client grabs the pointer or the keyboard; one second by default.
  /// Raise it if your toolkit is slow to release its grab: see ``DragDelegate/dragNeedsGrab(_:)``.
  public var grabTimeout = Duration.seconds(1)

  /// How long the target of a drop may be silent. For a drag from this program, the target must confirm the drop within
  /// this time; for a drop on this program, the application must answer it. Each transferred part restarts the time.
  /// Raise it if your program works longer on dropped content before it answers.
  public var finishTimeout = Duration.seconds(30)

  /// How long after the drop the user may take to decide: the time limit of a drop after a call of
  /// ``DropSession/waitForUser()``, unless ``finishTimeout`` is longer. Ten minutes by default; Qt's sources wait
  /// equally long. Raise it if your question may stay open for longer.
  public var choiceTimeout = Duration.seconds(600)

  /// How long the provider of a ``DataRequest`` may take to answer it, and to deliver each part of the content. Raise
  /// it if your content takes longer to compute.
  public var promiseTimeout = Duration.seconds(30)

  /// The largest content, in bytes, that is sent in a single property: 3 MiB. Longer content is sent as an INCR
  /// transfer. The limit is lowered to the server's largest request if necessary.
  ///
  /// Java reads at most 4 000 000 bytes of one property, and several toolkits do not support INCR.
  package var wholePropertySize = 3 << 20

  /// The length of one part of an INCR transfer, in bytes: 512 KiB. It is lowered to the server's largest request, and
  /// to 256 KiB for a requestor that may use Tk, which reads no more than 400 000 bytes of a part.
  ///
  /// Raise it for a connection with high latency: each part costs a round trip.
  public var partSize = 512 << 10

  /// Which workarounds for other programs are active; by default all. Remove one to switch it off.
  package var quirks = Quirk.all

  /// The number of drags whose content stays available after their end, including the newest.
  ///
  /// Some applications read dropped content only after they have confirmed the drop. The newest drag is kept until
  /// another program begins a drag. Earlier drags are kept until ``keptDragCount``, ``keptDragBytes`` or
  /// ``keptDragDuration`` is exceeded.
  package var keptDragCount = 4

  /// The largest number of bytes that the kept drags may hold in memory, including the newest.
  package var keptDragBytes = 64 << 20

  /// How long an earlier drag is kept after its end. For comparison, Firefox keeps its temporary files for five
  /// minutes.
  package var keptDragDuration = Duration.seconds(600)

  /// Whether a drop raises and focuses the window. See ``DropSession/activateWindow()``.
  ///
  /// Off by default: users who drag between windows often continue in the first one. Switch it on if the user types
  /// into the window after a drop.
  public var activatesWindowOnDrop = false

  /// Whether a drag has an image at the pointer. Switch it off if your program draws its own, or for a display so slow
  /// that the image lags; the user then sees only the cursor.
  public var showsDragImages = true

  /// Whether drag images fade instead of flying, and spring-loaded regions open without blinking; `nil` for the
  /// desktop's setting. Set it if your program has its own setting for motion.
  public var reducesMotion: Bool?

  /// The speed factor of the drag image animations, from 0.01 to 100. 1 is the normal speed; smaller values are slow
  /// motion, for inspection and screenshots.
  public var animationSpeed = 1.0 {
    didSet { animationSpeed = animationSpeed.isNaN ? 1 : min(max(animationSpeed, 0.01), 100) }
  }

  /// The logger, which shows why a drag fails. Mistakes of this program are logged at `warning`, mistakes of peers at
  /// `debug`, and each action at `trace`. By default nothing is logged.
  public var logger = Logger(label: "XDnD") { _ in SwiftLogNoOpLogHandler() }

  /// The type database: which types are subtypes of others, and which names are synonyms. By default the system's.
  ///
  /// The system's database is read when it is first needed: when a drag enters a window that accepts drops, or when a
  /// value is loaded. Tests set ``TypeDatabase/builtIn``, which is the same on each machine.
  public var typeDatabase = TypeDatabase.system

  /// Creates a configuration with the defaults.
  public init() {}

  /// The limits for the state machines. A property is at most as long as the server's largest request.
  func timing(maximumWriteSize: Int) -> Reactor.Timing {
    var timing = Reactor.Timing()
    timing.source.grab = grabTimeout
    timing.source.status = limits.statusTimeout
    timing.source.finish = finishTimeout
    timing.target.finish = finishTimeout
    timing.target.choice = choiceTimeout
    timing.outgoing = OutgoingTransfer.Limits(
      wholeProperty: min(wholePropertySize, maximumWriteSize), part: max(4, min(partSize, maximumWriteSize)) & ~3,
      stall: limits.transferTimeout, promise: promiseTimeout)
    timing.serving = SelectionServer.ServingLimits(
      total: limits.maximumTransfers, perClient: limits.maximumTransfersPerClient,
      waiting: limits.maximumWaitingRequests)
    timing.incoming = IncomingTransfer.Limits(
      stall: limits.transferTimeout, byteCount: limits.maximumTransferSize, minimumPace: limits.minimumTransferPace,
      duration: limits.maximumTransferDuration)
    timing.typeCount = limits.maximumTypeCount
    timing.history = OfferStore.History(
      count: keptDragCount, byteCount: keptDragBytes, duration: keptDragDuration)
    return timing
  }
}
