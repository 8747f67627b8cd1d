/// What is dragged or copied: a promise of one thing in one or more representations, best first.
///
/// The types are published when the drag begins; nothing is computed or read before somebody asks for it.
public struct DragItem {
  /// What may be done with it, best first.
  ///
  /// Which one is the default depends on where it goes: see ``OperationPolicy``.
  ///
  /// Copy only, unless said otherwise: file managers move a file as soon as they may.
  public var operations: [DragOperation] = [.copy]

  /// What the operations are called in the menu that a target shows for ``DragOperation/ask``.
  public var operationDescriptions: [DragOperation: String] = [:]

  /// Whatever the application wants to find again when the drop is on a window of its own; it never leaves the process.
  ///
  /// See ``DropSession/localItems``.
  public var localContext: Any?

  /// What it looks like while it is dragged. Without one the library draws something.
  ///
  /// See ``DragAndDrop/image(ofWindow:area:hotspot:)``.
  public var preview: DragImage?

  /// Where it lies when the drag begins: its image comes from there, and goes back there if nobody takes it.
  public var origin: DragOrigin?

  /// The value that the item was made of, for drops on windows of the same process; `nil` if it was made of promises.
  public private(set) var value: (any Transferable)?

  /// The files that it is when somebody wants files, see ``promise(_:)-(FilePromise)``.
  public internal(set) var filePromises: [FilePromise] = []

  /// Whether it stands for several items.
  var isJoined = false

  var representations: [Representation] = []

  struct Representation {
    var type: ContentType
    /// Whether others are told of it. They may ask for it all the same.
    var isListed = true
    /// Whether it stands for promised files and nothing else.
    var isPromise = false
    /// How many bytes it holds in memory, for as long as somebody may ask for it.
    var byteCount = 0
    var provide: (DataRequest) -> Void
  }

  /// How many bytes all representations hold in memory.
  var byteCount: Int {
    representations.reduce(0) { $0 &+ $1.byteCount }
  }

  /// Nothing yet; see ``promise(_:provide:)``.
  public init() {}

  /// A value, in all the representations that its type has.
  public init<Value: Transferable>(_ value: Value) {
    self.value = value
    promise(value)
  }

  /// Files on this machine.
  ///
  /// - Parameter paths: Absolute.
  public init(files paths: [String]) {
    self.init(FileList(paths: paths))
  }

  /// The types, in the order of fidelity.
  public var types: [ContentType] { representations.filter(\.isListed).map(\.type) }

  /// Adds a representation, of lower fidelity than those that are there. A type that is there already is left alone.
  ///
  /// - Parameters:
  ///   - type: What it is.
  ///   - provide: Called each time that somebody asks; must lead to an answer of the request, now or later.
  public mutating func promise(_ type: ContentType, provide: @escaping (DataRequest) -> Void) {
    add(Representation(type: type, provide: provide))
  }

  /// Adds a value in all its representations.
  public mutating func promise<Value: Transferable>(_ value: Value) {
    for form in Value.transferRepresentation.forms.exports(value) {
      add(Representation(type: form.type, provide: form.provide))
    }
  }

  /// Adds the representations of another item that are not there yet, as ones of lower fidelity.
  ///
  /// - Parameters:
  ///   - other: Where to take them from; its operations and its value are left there.
  ///   - types: Which ones; `nil` for all.
  public mutating func append(representationsOf other: DragItem, of types: [ContentType]? = nil) {
    for representation in other.representations where types?.contains(representation.type) ?? true {
      add(representation)
    }
  }

  /// Adds bytes that are at hand.
  public mutating func promise(_ type: ContentType, bytes: [UInt8]) {
    add(Representation(type: type, byteCount: bytes.count) { $0.fulfill(bytes) })
  }

  /// Adds the content of a file, which is opened when somebody asks and read part by part.
  ///
  /// - Parameters:
  ///   - type: What it is.
  ///   - path: Relative paths are resolved when the file is opened.
  public mutating func promise(_ type: ContentType, contentsOfFile path: String) {
    promise(type) { $0.fulfill(contentsOfFile: path) }
  }

  /// The same for a path that need not be UTF-8.
  public mutating func promise(_ type: ContentType, contentsOfFile rawPath: [UInt8]) {
    promise(type) { $0.fulfill(contentsOfFile: rawPath) }
  }

  mutating func add(_ representation: Representation) {
    guard !representations.contains(where: { $0.type.name == representation.type.name }) else { return }
    representations.append(representation)
  }
}
