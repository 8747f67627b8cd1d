/// A value that can be dragged, dropped and pasted, in one or more representations.
///
/// The names are those of Apple's CoreTransferable. The representations stand in the order of fidelity: the first is
/// the one that a target should take if it can.
///
///     struct Note: Codable, Transferable {
///       var text: String
///       static var transferRepresentation: some TransferRepresentation<Note> {
///         CodableRepresentation(contentType: "application/x-note")
///         ProxyRepresentation(exporting: \.text, importing: Note.init(text:))
///       }
///     }
public protocol Transferable: Sendable {
  /// The type of ``transferRepresentation``.
  associatedtype Representation: TransferRepresentation where Representation.Item == Self

  /// The forms in which it travels, best first.
  @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

/// One way, or several, to turn a value into bytes and back.
public protocol TransferRepresentation<Item>: Sendable {
  /// The value.
  associatedtype Item: Sendable

  /// What it comes to: the types, and how to get from and to them.
  var forms: TransferForms<Item> { get }
}

/// The forms of a value on the wire, best first. Made by the representations; there is no need to make one by hand.
public struct TransferForms<Item: Sendable>: Sendable {
  /// One type that a value can be given as.
  struct Export {
    var type: ContentType
    var provide: (DataRequest) -> Void
  }

  /// One type, or a pattern such as `image/*`, that a value can be made from.
  struct Import: Sendable {
    var type: ContentType
    var make: Make

    enum Make: Sendable {
      /// From bytes, and the type that the source gave them.
      case bytes(@Sendable ([UInt8], ContentType) throws -> Item)
      /// From the path of a file that is removed afterwards.
      case file(@Sendable (String, ContentType) throws -> Item)
    }
  }

  /// Which types there are may depend on the value: not all text fits into Latin-1.
  var exports: @Sendable (Item) -> [Export]
  var imports: [Import]

  init(exports: @escaping @Sendable (Item) -> [Export] = { _ in [] }, imports: [Import] = []) {
    self.exports = exports
    self.imports = imports
  }

  /// One after the other.
  static func joining(_ all: [TransferForms<Item>]) -> TransferForms<Item> {
    TransferForms(exports: { item in all.flatMap { $0.exports(item) } }, imports: all.flatMap(\.imports))
  }
}

/// Several representations of one value, as ``TransferRepresentationBuilder`` puts them together.
public struct TransferRepresentationList<Item: Sendable>: TransferRepresentation {
  /// All of theirs.
  public let forms: TransferForms<Item>
}

/// Lists representations, one a line, best first.
@resultBuilder
public enum TransferRepresentationBuilder<Item: Sendable> {
  /// One representation.
  public static func buildExpression(_ representation: some TransferRepresentation<Item>) -> TransferForms<Item> {
    representation.forms
  }

  /// All of them.
  public static func buildBlock(_ forms: TransferForms<Item>...) -> TransferRepresentationList<Item> {
    TransferRepresentationList(forms: .joining(forms))
  }
}
