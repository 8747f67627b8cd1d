/// One load: content that this program requests from a drop or a clipboard. Requests without content are loads, too:
/// `XdndDirectSave0`, `DELETE`, `TARGETS` and `SAVE_TARGETS`.
///
/// The load owns the machine. The bytes come from the ``LoadPeer`` and go to the sink, not through the machine.
final class Load {
  enum Purpose {
    case content(ContentSink)
    /// The conversion of `XdndDirectSave0`.
    case directSave(sink: ContentSink, completion: (IncomingTransfer.Result) -> Void)
    /// The conversion of `DELETE` after a move.
    case deletion
    /// The conversion of `TARGETS` that tells the source of a drop that the drop is not over. The closure is called
    /// when the source answers, even if it refuses.
    case renewal(answered: () -> Void)
    /// The conversion of `SAVE_TARGETS`, with the targets to save.
    case handOver([AtomName])

    fileprivate var sink: ContentSink? {
      switch self {
      case .content(let sink), .directSave(let sink, _): sink
      case .deletion, .renewal, .handOver: nil
      }
    }

    fileprivate var isContent: Bool { if case .content = self { true } else { false } }
  }

  let id: TransferID
  let purpose: Purpose
  /// The application's half, where notices go.
  let half: AnyObject?
  /// The visit that the load belongs to; `nil` for a clipboard.
  let visit: Visit?
  let peer: any LoadPeer
  private var machine: IncomingTransfer {
    didSet { alarm.time = machine.nextDeadline }
  }
  private let inbox = Inbox<IncomingTransfer.Input>()
  private lazy var alarm = context.alarms.alarm { [unowned self] in receive(.deadlineReached) }
  private let context: DriverContext
  private unowned let loads: Loads

  init(
    _ id: TransferID, _ target: AtomName, from peer: any LoadPeer, of visit: Visit?, for half: AnyObject?,
    purpose: Purpose, limits: IncomingTransfer.Limits, _ context: DriverContext, in loads: Loads
  ) {
    self.id = id
    self.half = half
    self.peer = peer
    self.visit = visit
    self.purpose = purpose
    self.context = context
    self.loads = loads
    machine = IncomingTransfer(limits: limits, target: purpose.isContent ? ContentType(target) : nil)
  }

  /// The peer, if it is a selection's owner.
  var ownerContent: OwnerContent? { peer as? OwnerContent }

  /// Whether a requested page of content has not arrived yet.
  var isReading: Bool { machine.isReading }

  /// Whether the next part is awaited.
  var isWaiting: Bool { machine.isWaiting }

  func begin() {
    peer.begin(self)
    receive(.begin)
  }

  /// Passes bytes of the content to the sink, and then their header to the machine.
  func receive(_ bytes: UnsafeRawBufferPointer, of header: PropertyHeader, left: Int = 0, announced: Int? = nil) {
    var answer = SinkAnswer.more
    if !bytes.isEmpty, machine.wants(header), let sink = purpose.sink { answer = sink(bytes) }
    let read = IncomingTransfer.Input.read(header, left: left, announced: announced)
    switch answer {
    case .more: receive(read)
    case .full:
      receive(.pause)
      receive(read)
    case .failed: receive(.sinkFailed)
    }
  }

  func receive(_ input: IncomingTransfer.Input) {
    inbox.process(input) { input in
      for effect in machine.receive(input, at: context.now) { perform(effect) }
    }
  }

  private func perform(_ effect: IncomingTransfer.Effect) {
    switch effect {
    case .convert: peer.ask()
    case .readProperty(let offset): peer.read(from: offset)
    case .deleteProperty: peer.discard()
    case .progressed(let received, let expected):
      guard purpose.isContent else { break }
      visit?.progressed()
      peer.progressed()
      tell(.progressed(received: received, expected: expected))
    case .ended(let result):
      loads.remove(self)
      peer.ended(with: result, hasLostOwner: machine.hasLostOwner)
      conclude(with: result)
    }
  }

  private func conclude(with result: IncomingTransfer.Result) {
    switch purpose {
    case .content: tell(.ended(result))
    case .directSave(_, let completion): completion(result)
    case .deletion: visit.map { $0.target?.receive(.deletionAnswered($0.session)) }
    case .renewal(let answered):
      switch result {
      case .complete, .failed(.refused), .failed(.noData): answered()
      case .failed: break
      }
    case .handOver:
      // After a refusal, the list of targets is still in the property. A successful answer has no content, and some
      // managers write no data at all.
      peer.discard()
      tell(.ended(result == .failed(.noData) ? .complete(.nothing) : result))
    }
  }

  func tell(_ notice: Notice.LoadNotice) { context.tell(.load(id, notice), to: half) }

  /// Takes the answer to ``Notice/LoadNotice/contentNeeded(type:)``; `nil` for a refusal.
  func provide(_ reader: (any ContentReader)?) { (peer as? ItemContent)?.provide(reader) }
}

/// The origin of a load's content: a selection's owner, an item of a drag within this process, or a file.
protocol LoadPeer: AnyObject {
  /// Attaches the load, without retaining it, before it begins.
  func begin(_ load: Load)

  /// Asks for the content. The answer is ``IncomingTransfer/Input/answered(hasData:)``.
  func ask()

  /// Reads the current part from an offset on. The load receives the bytes.
  func read(from offset: Int)

  /// Discards unread content.
  func discard()

  /// Called when content has been read.
  func progressed()

  /// Called when the load has ended.
  ///
  /// - Parameter hasLostOwner: Whether the owner vanished while its content was being read.
  func ended(with result: IncomingTransfer.Result, hasLostOwner: Bool)
}

extension PropertyHeader {
  fileprivate static let nothing = PropertyHeader(type: .null, format: 32, byteCount: 0)
}
