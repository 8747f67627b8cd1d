public import XDnD

// The counterpart of `UTType` is `ContentType`, whose identifier is a MIME type or the name of an X target.

extension ContentType {
  /// Creates the type of files with an extension. The counterpart of `UTType.init(filenameExtension:)`.
  ///
  /// - Parameter filenameExtension: The extension, without the dot. The result is `nil` if the built-in database lacks it.
  public init?(filenameExtension: String) {
    guard let type = TypeDatabase.builtIn.types(forFileName: Array("x.\(filenameExtension)".utf8)).first else {
      return nil
    }
    self = type
  }

  /// Creates a type that the program defines. It needs no declaration elsewhere. The counterpart of
  /// `UTType.init(exportedAs:)`.
  ///
  /// - Parameter identifier: The name on the wire, such as `com.example.card`.
  public init(exportedAs identifier: String) { self.init(identifier) }

  /// A link, as browsers offer it. The counterpart of `UTType.url`, which includes ``fileURL``; here, list both.
  public static var url: ContentType { .mozURL }

  /// A list of files. The counterpart of `UTType.fileURL`.
  public static var fileURL: ContentType { .uriList }

  /// The name. The counterpart of `UTType.identifier`.
  public var identifier: String { name }

  /// The MIME type without parameters; `nil` for an X target, and for a pattern such as `image`. The counterpart of
  /// `UTType.preferredMIMEType`.
  public var preferredMIMEType: String? { type == nil || isWildcard ? nil : essence.name }

  /// Creates a type from its name or from an identifier that Apple declares.
  init(identifier: String) { self = Self.declared[identifier] ?? ContentType(identifier) }

  /// Apple's identifiers, which older code without `UTType` contains as strings.
  private static let declared: [String: ContentType] = [
    "public.item": .item, "public.data": .item, "public.content": .item,
    "public.text": .text, "public.plain-text": .plainText, "public.utf8-plain-text": .plainText,
    "public.html": .html, "public.rtf": .rtf, "public.xml": .xml, "public.json": .json, "com.adobe.pdf": .pdf,
    "public.url": .url, "public.file-url": .fileURL,
    "public.image": .image, "public.png": .png, "public.jpeg": .jpeg, "public.tiff": .tiff,
    "com.compuserve.gif": .gif, "org.webmproject.webp": .webp, "public.svg-image": .svg,
    "public.audio": .audio, "public.movie": .movie, "public.vcard": .vCard, "public.folder": .directory,
  ]
}
