/// The content of an item of a drag within this process, or of a file. The load reads it like an INCR transfer, but
/// without the server: the length is announced, and each part is ready before the load is notified.
///
/// The provider is asked in a later turn: it may refuse at once, but a load must not end before the call that began it
/// has returned. Each turn reads a few MiB at most.
final class ItemContent: LoadPeer {
  private let target: AtomName
  /// Notified of progress, so that the drag waits for this target as long as for the target of another program.
  private weak var drag: Drag?
  private weak var load: Load?
  private var reader: (any ContentReader)?
  private var hasAnnounced = false
  /// The part that is ready; empty at the end.
  private var part: ArraySlice<UInt8>?
  /// Whether the reader had no bytes when it was asked.
  private(set) var awaitsContent = false
  private lazy var turn = context.alarms.alarm(for: .itself) { [unowned self] in goOn() }
  private let context: DriverContext

  /// The maximum number of bytes that are read at once.
  private static let partSize = 256 << 10
  /// The number of bytes after which a turn ends.
  private static let turnSize = 4 << 20

  init(_ target: AtomName, of drag: Drag?, _ context: DriverContext) {
    self.target = target
    self.drag = drag
    self.context = context
  }

  func begin(_ load: Load) { self.load = load }

  func isOf(_ drag: DragID) -> Bool { self.drag?.drag == drag }

  func ask() { turn.time = context.now }

  /// Takes the provider's answer; `nil` for a refusal.
  func provide(_ reader: (any ContentReader)?) {
    self.reader = reader
    load?.receive(.answered(hasData: reader != nil))
  }

  /// Asks the provider for a reader, or reads the available bytes.
  func goOn() {
    guard let load else { return }
    guard let reader else { return load.tell(.contentNeeded(type: target)) }
    awaitsContent = false
    var left = Self.turnSize
    while left > 0, part == nil, load.isWaiting {
      switch reader.read(upTo: Self.partSize) {
      case .bytes(let bytes):
        left -= bytes.count
        part = bytes
        load.receive(.propertyChanged)
      case .pending:
        (awaitsContent, turn.time) = (true, nil)
        return
      case .failed: return load.receive(.ownerFailed)
      }
    }
  }

  func read(from offset: Int) {
    guard let load, let reader else { return }
    if !hasAnnounced {
      hasAnnounced = true
      let announcement = PropertyHeader(type: .incr, format: 32, byteCount: 4)
      load.receive(UnsafeRawBufferPointer(start: nil, count: 0), of: announcement, announced: reader.byteCount)
    } else if let part {
      self.part = nil
      let header = PropertyHeader(
        type: reader.propertyType ?? target, format: reader.unit.format, byteCount: part.count)
      part.withUnsafeBytes { load.receive($0, of: header) }
    }
    turn.time = context.now
  }

  func discard() { part = nil }

  func progressed() { drag?.receive(.transferProgressed) }

  func ended(with result: IncomingTransfer.Result, hasLostOwner: Bool) {
    (reader, turn.time) = (nil, nil)
    switch result {
    case .complete: drag?.receive(.contentDelivered)
    // A drop may end while content is loaded, which is no failure of the source.
    case .failed(.cancelled): break
    case .failed: drag?.receive(.transferFailed)
    }
  }
}
