extension String: Transferable {
  /// Text, under the type names that X11 programs use.
  public static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(exporting: PlainText.init(_:), importing: \.text)
    // A source that offers only HTML still provides text.
    ProxyRepresentation(importing: { (styled: StyledText) in styled.plainText })
    // A contact becomes text that fits into a text field.
    ProxyRepresentation(importing: { (contact: ContactCard) in contact.text })
  }
}

extension PlainText: Transferable, WireValue {
  /// Text, under the type names that X11 programs use.
  package static var transferRepresentation: some TransferRepresentation { WireRepresentation<PlainText>() }
}

extension StyledText: Transferable, WireValue {
  /// HTML, and plain text for targets that do not support HTML.
  public static var transferRepresentation: some TransferRepresentation {
    WireRepresentation<StyledText>()
  }
}

extension Link: Transferable, WireValue {
  /// The URL and the title, in all types that browsers, file managers and editors read.
  public static var transferRepresentation: some TransferRepresentation { WireRepresentation<Link>() }
}

extension FileList: Transferable, WireValue {
  /// A list of URIs: `text/uri-list`.
  public static var transferRepresentation: some TransferRepresentation { WireRepresentation<FileList>() }
}

extension CopiedFiles: Transferable, WireValue {
  /// Copied or cut files, in the types that file managers put on the clipboard.
  public static var transferRepresentation: some TransferRepresentation {
    WireRepresentation<CopiedFiles>()
  }
}

extension Color: Transferable, WireValue {
  /// `application/x-color`, and the color's textual notation.
  public static var transferRepresentation: some TransferRepresentation { WireRepresentation<Color>() }
}

extension ContactCard: Transferable, WireValue {
  /// A vCard, and the name with the mail address for targets that do not support vCards.
  public static var transferRepresentation: some TransferRepresentation { WireRepresentation<ContactCard>() }
}
