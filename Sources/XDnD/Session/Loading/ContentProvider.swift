/// A source of content: a ``DropSession``, a ``DropItem`` or a ``Clipboard``. The counterpart of `NSItemProvider`.
///
/// A representation is transferred only when it is loaded: as a whole, as chunks, or into a file. The subclasses also
/// load ``Transferable`` values.
///
/// All closures are called in the isolation domain of the ``DragAndDrop``, from inside ``DragAndDrop/process()`` and
/// other calls into the library. They may call back into it.
public class ContentProvider {
  enum Origin {
    case drop(SessionID)
    /// A drag that hovers, with the timestamp of a position and the time limit of a load.
    case hovering(SessionID, Timestamp, within: Duration)
    case clipboard(AtomName)
    case item(LocalContent)
  }

  /// `nil` once the ``DragAndDrop`` is deallocated.
  private(set) weak var context: SessionContext?
  /// The offered types, best first; `nil` if they are not known without asking for them.
  let offeredTypes: [ContentType]?
  /// The loads of the drop. `nil` for a clipboard, and for loads that the library begins, which are not counted.
  let log: LoadLog?
  /// The index of the item in the drop; `nil` for the whole drop.
  let itemIndex: Int?
  private let origin: Origin

  init(
    _ origin: Origin, offering types: [ContentType]?, log: LoadLog? = nil, itemIndex: Int? = nil,
    _ context: SessionContext?
  ) {
    self.origin = origin
    offeredTypes = types
    self.log = log
    self.itemIndex = itemIndex
    self.context = context
  }

  var typeDatabase: TypeDatabase { context?.configuration.typeDatabase ?? .builtIn }

  /// Whether one of the types is offered, or a subtype or alias of one.
  package func offers(_ wanted: [ContentType]) -> Bool {
    DropOffer(wanted).using(typeDatabase).bestType(among: offeredTypes ?? []) != nil
  }

  var fileLimit: Int { context?.configuration.limits.maximumFileTransferSize ?? .max }

  /// Begins a transfer. Returns `nil` if there is nothing to load from.
  ///
  /// - Parameters:
  ///   - limit: The largest number of bytes to accept; `nil` for the default.
  ///   - task: Receives the notices.
  func begin(
    _ type: ContentType, limit: Int?, _ sink: @escaping ContentSink, for task: LoadTask, _ context: SessionContext
  ) -> Load? {
    let (reactor, type) = (context.reactor, type.atomName)
    var limits = reactor.timing.incoming
    if let limit { limits.byteCount = limit }
    switch origin {
    case .drop(let session):
      return reactor.targets.visit(session).flatMap {
        reactor.loads.load(type, of: $0, for: task, limits: limits, sink: sink)
      }
    case .hovering(let session, let time, let limit):
      (limits.stall, limits.duration) = (limit, limit)
      return reactor.targets.visit(session).flatMap {
        reactor.loads.load(type, of: $0, at: time, for: task, limits: limits, sink: sink)
      }
    case .item(let content):
      let visit = content.session.flatMap { reactor.targets.visit($0) }
      guard visit != nil || content.session == nil else { return nil }
      if content.drag == nil { log?.noteFile() }
      let drag = content.drag.flatMap { reactor.drags[$0] }
      return reactor.loads.load(type, of: visit, from: drag, for: task, limits: limits, sink: sink)
    case .clipboard(let selection):
      guard !context.isClosed else { return nil }
      return reactor.loads.load(type, from: selection, for: task, limits: limits, sink: sink)
    }
  }

  /// The error if there is nothing to load from.
  var emptiness: XDnDError {
    guard case .clipboard(let selection) = origin else { return .nothingDropped }
    return context?.isClosed ?? true ? .displayClosed : .nothingOn(selection)
  }

  /// Returns the provider of a type: this one, or the provider of a file if the source does not offer the type.
  func holder(of type: ContentType) -> ContentProvider { self }

  /// Requests the content of an item of this process, or of a file.
  func provide(_ type: AtomName, to load: Load) {
    guard case .item(let content) = origin, let context else { return }
    let request = DataRequest(type: ContentType(type), requestor: content.window, doorbell: context.doorbell) {
      [weak context, weak load] reader in context?.reactor.perform { _ in load?.provide(reader) }
    }
    content.provide(request)
  }
}

/// Content that this process provides: a dropped item of its own drag, or a local file.
struct LocalContent {
  /// The drop; `nil` for a clipboard.
  let session: SessionID?
  /// The window of the drop, or the drag window, which represents the requestor.
  let window: WindowID
  /// `nil` for a file.
  let drag: DragID?
  /// Answers a request for one of the item's types; refuses any other.
  let provide: (DataRequest) -> Void
}

extension LocalContent {
  init(_ file: DraggedFile, for session: SessionID?, in window: WindowID) {
    self.init(session: session, window: window, drag: nil) { request in
      request.type == file.type ? request.fulfill(contentsOfFile: file.path) : request.refuse()
    }
  }
}
