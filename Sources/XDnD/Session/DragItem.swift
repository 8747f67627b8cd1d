/// What is dragged: a promise of the same content in one or more representations, best first.
///
/// The types are published when the drag begins; nothing is computed or read before somebody asks for it.
public struct DragItem {
  /// What may be done with it, the default first.
  ///
  /// Copy only, unless said otherwise: file managers move a file as soon as they may.
  public var operations: [DragOperation] = [.copy]

  /// What the operations are called in the menu that a target shows for ``DragOperation/ask``.
  public var operationDescriptions: [DragOperation: String] = [:]

  private(set) var representations: [Representation] = []

  struct Representation {
    var type: ContentType
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

  /// Text, under all the names by which applications look for it.
  ///
  /// `text/plain` without a charset and `STRING` are Latin-1: GTK and Chromium read them so. Text that does not fit
  /// goes into `text/plain` as UTF-8 all the same, for SDL 2 looks for nothing else; `STRING` is then left out.
  public init(text: String) {
    promise(text: text)
  }

  /// Files on this machine.
  ///
  /// - Parameter paths: Absolute.
  public init(files paths: [String]) {
    promise(FileList(paths: paths))
  }

  /// The types, in the order of fidelity.
  public var types: [ContentType] { representations.map(\.type) }

  /// Adds a representation, of lower fidelity than those that are there. A type that is there already is left alone.
  ///
  /// - Parameters:
  ///   - type: What it is.
  ///   - provide: Called each time that somebody asks; must lead to an answer of the request, now or later.
  public mutating func promise(_ type: ContentType, provide: @escaping (DataRequest) -> Void) {
    guard !representations.contains(where: { $0.type.name == type.name }) else { return }
    representations.append(Representation(type: type, provide: provide))
  }

  /// Adds all representations of another item that are not there yet, as ones of lower fidelity.
  public mutating func append(representationsOf other: DragItem) {
    for representation in other.representations { promise(representation.type, provide: representation.provide) }
  }

  /// Adds bytes that are at hand.
  public mutating func promise(_ type: ContentType, bytes: [UInt8]) {
    promise(type) { $0.fulfill(bytes) }
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

  /// Adds files as `text/uri-list`.
  public mutating func promise(_ files: FileList) {
    promise(.uriList, bytes: files.encoded)
  }

  /// Adds text under all its names, see ``init(text:)``.
  public mutating func promise(text: String) {
    let utf8 = Array(text.utf8)
    let scalars = text.unicodeScalars
    let latin1: [UInt8]? = scalars.allSatisfy { $0.value < 0x100 } ? scalars.map { UInt8($0.value) } : nil
    promise(.plainText, bytes: utf8)
    promise("UTF8_STRING", bytes: utf8)
    promise("text/plain", bytes: latin1 ?? utf8)
    promise("TEXT") { $0.fulfill(utf8, as: "UTF8_STRING") }
    if let latin1 { promise("STRING", bytes: latin1) }
  }
}
