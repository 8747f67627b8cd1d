extension String: Transferable {
  /// Text, under all the names by which applications look for it.
  public static var transferRepresentation: some TransferRepresentation<String> {
    ProxyRepresentation(exporting: PlainText.init(_:), importing: \.text)
    // Who offers nothing but HTML has text in it.
    ProxyRepresentation(importing: { (styled: StyledText) in styled.plainText })
  }
}

extension PlainText: Transferable, WireValue {
  /// Text, under all the names by which applications look for it.
  public static var transferRepresentation: some TransferRepresentation<PlainText> { WireRepresentation<PlainText>() }
}

extension StyledText: Transferable, WireValue {
  /// HTML, and plain text for those that know no HTML.
  public static var transferRepresentation: some TransferRepresentation<StyledText> {
    WireRepresentation<StyledText>()
  }
}

extension Link: Transferable, WireValue {
  /// URL and title in all the forms that browsers, file managers and editors read.
  public static var transferRepresentation: some TransferRepresentation<Link> { WireRepresentation<Link>() }
}

extension FileList: Transferable, WireValue {
  /// `text/uri-list`.
  public static var transferRepresentation: some TransferRepresentation<FileList> { WireRepresentation<FileList>() }
}

extension CopiedFiles: Transferable, WireValue {
  /// What file managers put on the clipboard.
  public static var transferRepresentation: some TransferRepresentation<CopiedFiles> {
    WireRepresentation<CopiedFiles>()
  }
}

extension Color: Transferable, WireValue {
  /// `application/x-color`, and its notation as text.
  public static var transferRepresentation: some TransferRepresentation<Color> { WireRepresentation<Color>() }
}
