/// What a window takes: the part of the answer to a drag that needs no code to run.
public struct DropOffer: Equatable, Sendable {
  /// The types that can be used, best first. `image/*` and `*/*` stand for all that they cover; of those the
  /// source's order counts, except that plain text comes after what it was made from: see ``Negotiation``.
  public var types: [ContentType]
  /// The operations that can be done, preferred ones first.
  public var operations: [DragOperation]

  /// Takes any of `types`, by any of `operations`.
  public init(_ types: [ContentType], operations: [DragOperation] = [.copy]) {
    self.types = types
    self.operations = operations
  }

  /// Which names and special cases count when types are compared.
  var database = TypeDatabase.builtIn

  /// What can be asked for of a source that offers `offered`, best first, and why.
  func negotiation(with offered: [ContentType]) -> Negotiation {
    Negotiation(wanted: types, offered: offered, database: database)
  }

  /// The best type here that a source offers, under the name that it offers it by.
  public func bestType(among offered: [ContentType]) -> ContentType? { negotiation(with: offered).best?.offered }

  /// What to propose to a source that offers `content` and whose user asks for `requested`.
  func proposal(for content: OfferedContent, requested: DragOperation?) -> DropProposal {
    guard bestType(among: content.types) != nil else { return .forbidden }
    if let requested, operations.contains(requested) { return .accept(requested) }
    // The specification lets a target answer with what was asked for, with Copy, or with Private. GTK targets also
    // pick something else from the action list, and all sources that were measured accept it.
    let named = content.namedOperations(requested: requested)
    if let common = operations.first(where: named.contains) { return .accept(common) }
    return operations.contains(.copy) ? .accept(.copy) : .forbidden
  }
}

/// What a source says that it has, as read when it enters.
struct OfferedContent: Hashable, Sendable {
  /// Best first, without duplicates.
  var types: [ContentType] = []
  /// `XdndActionList`; empty when there is none, or when it holds nothing that the protocol knows.
  var operations: [DragOperation] = []
  /// `XdndActionDescription`, one for each of ``operations``; empty when there are none or the counts differ.
  var descriptions: [String] = []

  /// What a target may answer when the user asks for `requested`: what the source names, and Copy, which every source must
  /// be able to serve, listed or not (XDND, XdndStatus). gThumb lists Move and Ask.
  func permittedOperations(requested: DragOperation?) -> [DragOperation] {
    let named = namedOperations(requested: requested)
    return named.contains(.copy) ? named : named + [.copy]
  }

  /// What the source lists, and the request in any case: a list next to Ask may hold only what there is to choose from, as
  /// that of Emacs does. tkdnd fills its list with atoms named `copy` and `move`, FLTK has no list at all: then the request
  /// alone counts, and Copy.
  fileprivate func namedOperations(requested: DragOperation?) -> [DragOperation] {
    let listed = operations.isEmpty ? [.copy] : operations
    guard let requested, !listed.contains(requested) else { return listed }
    return [requested] + listed
  }
}
