/// A value that can be dragged, dropped, copied and pasted in one or more representations.
///
/// The names follow Apple's Core Transferable framework. The representations are listed in order of fidelity: a target
/// should take the first one that it supports.
///
/// ```swift
/// struct Note: Codable, Transferable {
///   var text: String
///   static var transferRepresentation: some TransferRepresentation {
///     CodableRepresentation(contentType: "application/x-note")  // JSON; import XDnDFoundation
///     ProxyRepresentation(exporting: \.text, importing: Note.init(text:))
///   }
/// }
/// ```
public protocol Transferable: Sendable {
  /// The type of ``transferRepresentation``. Its ``TransferRepresentation/Item`` is the conforming type.
  associatedtype Representation: TransferRepresentation

  /// The representations of the value, best first.
  ///
  /// The result builder checks that each is a representation of this type. An implementation with `return` bypasses the
  /// builder, and a representation of another type then stops the program at its first use.
  @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

extension Transferable {
  /// The forms of ``transferRepresentation``.
  ///
  /// A constraint `Representation.Item == Self` would make the cast unnecessary. But then a conforming type would have to
  /// repeat its name in `some TransferRepresentation<Note>`, because an opaque type hides its associated types.
  static var transferForms: TransferForms<Self> {
    guard let forms = transferRepresentation.forms as? TransferForms<Self> else {
      preconditionFailure("\(Self.self).transferRepresentation represents \(Representation.Item.self)")
    }
    return forms
  }
}

/// One or more ways to convert a value to bytes and back. See ``DataRepresentation``, ``FileRepresentation``,
/// ``ProxyRepresentation``, and `CodableRepresentation` in the product `XDnDFoundation`.
public protocol TransferRepresentation<Item>: Sendable {
  /// The type of the value.
  associatedtype Item: Sendable

  /// The types of the representation, with their conversions.
  var forms: TransferForms<Item> { get }
}

/// An exported type of a value, and the closure that provides the content.
struct TransferExport {
  var type: ContentType
  /// The name of a file with the content.
  var fileName: String?
  var visibility = TransferRepresentationVisibility.all
  var provide: (DataRequest) -> Void
}

/// The exported and imported types of a value, best first. Created by the representations; applications need not create
/// it.
public struct TransferForms<Item: Sendable>: Sendable {
  /// A type, or a pattern such as `image/*`, that the value can be created from.
  struct Import: Sendable {
    var type: ContentType
    var make: Make

    enum Make: Sendable {
      /// From bytes of the given type.
      case bytes(@Sendable ([UInt8], ContentType) throws -> Item)
      /// From the contents of a file at the given path, which is removed afterwards.
      case file(@Sendable (String, ContentType) throws -> Item)
    }
  }

  /// The exported types may depend on the value: not every text fits into Latin-1.
  var exports: @Sendable (Item) -> [TransferExport]
  var imports: [Import]

  init(exports: @escaping @Sendable (Item) -> [TransferExport] = { _ in [] }, imports: [Import] = []) {
    self.exports = exports
    self.imports = imports
  }

  static func joining(_ all: [TransferForms<Item>]) -> TransferForms<Item> {
    TransferForms(exports: { item in all.flatMap { $0.exports(item) } }, imports: all.flatMap(\.imports))
  }
}

extension TransferForms: TransferRepresentation {
  /// These forms.
  public var forms: TransferForms<Item> { self }
}

/// Builds a list of representations, best first.
@resultBuilder
public enum TransferRepresentationBuilder<Item: Sendable> {
  /// Adds one representation.
  public static func buildExpression(_ representation: some TransferRepresentation<Item>) -> TransferForms<Item> {
    representation.forms
  }

  /// Builds the list.
  public static func buildBlock(_ forms: TransferForms<Item>...) -> TransferForms<Item> {
    .joining(forms)
  }
}
