/// The types and operations that a drop target accepts, declared in advance. It answers a drag without calling the
/// host.
///
/// A drag of several items from the same ``DragAndDrop`` is decided item by item: the target must accept a type of at
/// least one item. In a drag from another program, all items share one list of types.
///
/// The counterpart of AppKit's `registerForDraggedTypes(_:)` and of the types in SwiftUI's `onDrop(of:delegate:)`.
public struct DropOffer: Equatable, Sendable {
  /// The accepted types, best first. Wildcards such as `image/*` and `*/*` are allowed. Types under one wildcard are
  /// ordered as <doc:Content#Negotiation> describes.
  public var types: [ContentType]
  /// The operations that the target can perform, preferred ones first.
  ///
  /// By default, the target copies. It also moves items from the same ``DragAndDrop`` if their
  /// ``DragItem/operations`` permit it.
  public var operations: [DragOperation] {
    didSet { hasOperations = true }
  }
  /// Whether the target also accepts local files of an accepted type, and loads their content: a file manager offers a
  /// picture as a list of files, and not as an image.
  ///
  /// While the drag hovers, the files' names decide; after the drop, also their first bytes: text in a file named
  /// `a.png` is refused. An offered type comes before a file, unless the target prefers the file's type. A target that
  /// accepts lists of files receives the list.
  ///
  /// Such a drop is a copy, and ``DropSession/items`` are the accepted files. `true` by default; `false` for a target
  /// that must not open files.
  public var readsFiles = true

  /// Whether ``operations`` were set.
  private var hasOperations: Bool

  /// Creates an offer that accepts any of `types` by any of `operations`; `nil` for the default.
  public init(_ types: [ContentType], operations: [DragOperation]? = nil) {
    self.types = types
    self.operations = operations ?? [.copy]
    hasOperations = operations != nil
  }

  /// Returns the offer for one drag.
  ///
  /// - Parameter dragged: The operations of a drag from the same ``DragAndDrop``; `nil` for other drags.
  func following(_ dragged: [DragOperation]?) -> DropOffer {
    guard !hasOperations, let dragged else { return self }
    var offer = self
    offer.operations = [.copy] + dragged.filter { $0 == .move }
    return offer
  }

  /// The database that decides which types are aliases or subtypes of others.
  var database = TypeDatabase.builtIn

  func negotiation(with offered: [ContentType]) -> Negotiation {
    Negotiation(wanted: types, offered: offered, database: database)
  }

  /// Returns the best of a source's types, under the source's name for it; `nil` if none is accepted.
  package func bestType(among offered: [ContentType]) -> ContentType? { negotiation(with: offered).best?.offered }

  /// Returns the answer to a source whose types are accepted; only the operations decide.
  func proposal(accepting content: OfferedContent, requested: DragOperation?) -> DropProposal {
    if let requested, operations.contains(requested) { return .accept(requested) }
    // XDND lets a target answer with the requested operation, Copy or Private. GTK targets also pick another operation
    // from the action list; the tested sources (GTK 3 and 4, Qt 5 and 6, Java) accept that.
    let named = content.namedOperations(requested: requested)
    if let common = operations.first(where: named.contains) { return .accept(common) }
    return operations.contains(.copy) ? .accept(.copy) : .forbidden
  }
}

extension ContentType {
  /// Whether a file can have this type: `false` for lists of files, and for types that only X programs exchange.
  var hasFileForm: Bool {
    guard isMIME, !FileList.reads(self) else { return false }
    return WireName.of(self).map { $0.role == .content } ?? true
  }
}

extension DropOffer {
  /// Whether local files may hold a type that the target prefers to every offered type. `false` for a target that
  /// accepts lists of files.
  func mayReadFiles(among offered: [ContentType]) -> Bool {
    guard readsFiles, offered.contains(where: FileList.reads) else { return false }
    let candidates = negotiation(with: offered).candidates
    guard !candidates.contains(where: { FileList.reads($0.offered) }) else { return false }
    return types.prefix { $0 != candidates.first?.wanted }.contains(where: \.hasFileForm)
  }
}

/// The types and operations that a source offers, as read at Enter.
struct OfferedContent: Hashable, Sendable {
  /// The types, best first, without duplicates.
  var types: [ContentType] = []
  /// `XdndActionList`; empty if it is missing or holds no standard action.
  var operations: [DragOperation] = []
  /// `XdndActionDescription`, one for each of ``operations``; empty if it is missing or the counts differ.
  var descriptions: [String] = []

  /// The operations that a target may answer when the user requests `requested`: those that the source names, and Copy,
  /// which every source must be able to serve, listed or not (XDND v5 "XdndStatus"). gThumb lists only Move and Ask.
  func permittedOperations(requested: DragOperation?) -> [DragOperation] {
    let named = namedOperations(requested: requested)
    return named.contains(.copy) ? named : named + [.copy]
  }

  /// Whether a target may answer with an operation: any permitted one, and Private, which is always a valid answer.
  func permits(_ operation: DragOperation, requested: DragOperation?) -> Bool {
    operation == .private || permittedOperations(requested: requested).contains(operation)
  }

  /// The listed operations, and the requested one even if it is not listed: if Ask is requested, the list may hold only
  /// the choices for the user, as Emacs's does. Without a usable list, the requested operation and Copy: tkdnd fills
  /// its list with atoms named `copy` and `move`, and FLTK writes no list.
  fileprivate func namedOperations(requested: DragOperation?) -> [DragOperation] {
    let listed = operations.isEmpty ? [.copy] : operations
    guard let requested, !listed.contains(requested) else { return listed }
    return [requested] + listed
  }
}
