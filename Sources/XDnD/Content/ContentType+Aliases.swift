/// The meaning of a type name on the wire. The table lists X targets, and the MIME types that need special treatment.
struct WireName: Sendable {
  enum Role: Sendable {
    /// Content in a format that unrelated programs read.
    case content
    /// Content in the format of one program or toolkit.
    case proprietary
    /// Describes the content next to it, and is not content itself.
    case companion
    /// Internal data of one program.
    case marker
    /// A query or command to the selection owner.
    case request
    /// The entry to another protocol; the bytes alone are useless.
    case dialogue
  }

  let type: ContentType
  /// The MIME type that this name is a synonym of; `nil` if there is none.
  let content: ContentType?
  let role: Role
  let peers: String
  /// A note for people who choose among types.
  let note: String

  private init(
    _ type: ContentType, _ role: Role, for content: ContentType? = nil, by peers: String, _ note: String = ""
  ) {
    self.type = type
    self.role = role
    self.content = content
    self.peers = peers
    self.note = note
  }

  /// Looks a type up. Unknown parameters are ignored, except for text, where another charset is another name.
  static func of(_ type: ContentType) -> WireName? {
    if let name = byType[type] { return name }
    guard type.hasParameters, type.essence != text else { return nil }
    return byType[type.essence]
  }

  private static let byType = Dictionary(table.map { ($0.type, $0) }) { first, _ in first }

  /// The names of text, best first: lossless before lossy, known encodings before guessed ones.
  static let textByFidelity: [ContentType] = table.filter { $0.content == text }.map(\.type)

  /// The content type that all names of text share.
  static let text: ContentType = "text/plain"

  /// Names with the same content are listed by fidelity. Usage was observed on the wire, unless a comment cites a
  /// document, with GTK 3.24 and 4.8, Qt 5.15 and 6.4, Tk 8.6 with tkdnd 2.10, Java 17, FLTK 1.3, wxWidgets 3.2, SDL
  /// 2.26 and Emacs 28.
  static let table: [WireName] = [
    // Decoded correctly by GTK 3 and 4, Qt 5 and 6, Tk, Java, wxWidgets, Emacs, Firefox and Chromium.
    WireName("text/plain;charset=utf-8", .content, for: text, by: "all but FLTK, SDL and wxWidgets"),
    // The same bytes. FLTK and wxWidgets offer only this and STRING.
    WireName("UTF8_STRING", .content, for: text, by: "all but SDL"),
    // Java and LibreOffice Writer, with or without a byte order mark.
    WireName("text/plain;charset=utf-16", .content, for: text, by: "Java, LibreOffice"),
    WireName("text/plain;charset=utf-16le", .content, for: text, by: "Java"),
    WireName("text/plain;charset=utf-16be", .content, for: text, by: "Java"),
    // An old name for UTF-16. Emacs requests it before text/plain (x-dnd-types-alist).
    WireName("text/unicode", .content, for: text, by: "old Mozilla, Emacs"),
    // Latin-1 in GTK and Chromium, ASCII in GTK 4, UTF-8 in Qt and Firefox. The only name that SDL 2 accepts.
    WireName("text/plain", .content, for: text, by: "everybody", "in an encoding that has to be guessed"),
    // ICCCM §2.7.1: ISO 2022 with X's own charsets. Used by GTK 3, Tk and Java; GTK converts it from UTF-8 on request.
    WireName("COMPOUND_TEXT", .content, for: text, by: "GTK, Tk, Motif", "in X's own mixture of charsets"),
    // ICCCM §2.6.2: any encoding that the owner chooses; the property's type names it.
    WireName("TEXT", .content, for: text, by: "GTK, Qt, Tk, Java, Chromium", "in an encoding that the source chooses"),
    WireName(
      "text/plain;charset=iso-8859-1", .content, for: text, by: "Java", "letters beyond Latin-1 are lost"),
    // Latin-1 by ICCCM §2.7.1. But Firefox and Chromium send UTF-8, and tkdnd sends the result of Tk's conversion.
    WireName("STRING", .content, for: text, by: "everybody", "letters beyond Latin-1 are lost or garbled"),
    WireName("text/plain;charset=us-ascii", .content, for: text, by: "Java", "letters beyond ASCII are lost"),

    // RFC 2483. Offered by every file manager.
    WireName("text/uri-list", .content, by: "everybody", "names things, and does not hold them"),
    // Dolphin: the same list, with KDE's own URI schemes instead of local paths.
    WireName("application/x-kde4-urilist", .proprietary, for: .uriList, by: "Dolphin", "KDE's own schemes"),
    // Java offers it next to text/uri-list, and Emacs reads it: one path in an unspecified encoding.
    WireName("FILE_NAME", .proprietary, by: "Java, Motif, Emacs", "one path only"),
    // UTF-16: the link, LF, the title. Firefox, Chromium and Qt; some with a byte order mark.
    WireName("text/x-moz-url", .content, by: "Firefox, Chromium, Qt", "a link and its title in UTF-16"),
    // 8-bit text: the link, LF, the title. UTF-8 from Firefox, Latin-1 from old programs. Nautilus and Thunar create a
    // link from it.
    WireName("_NETSCAPE_URL", .content, by: "Firefox, Chromium", "a link and its title"),
    WireName("text/x-moz-url-data", .companion, by: "Firefox", "the link of the text/x-moz-url beside it"),
    WireName("text/x-moz-url-desc", .companion, by: "Firefox", "the title of the text/x-moz-url beside it"),

    // "copy" or "cut", then URIs. A clipboard format that some versions also use in drags.
    WireName("x-special/gnome-copied-files", .proprietary, by: "Nautilus, Thunar", "a verb before the URIs"),
    WireName("x-special/mate-copied-files", .proprietary, by: "Caja", "a verb before the URIs"),
    // URIs with the positions of their icons. Nemo and Caja list it before text/uri-list.
    WireName("x-special/gnome-icon-list", .proprietary, by: "Nautilus, Nemo", "URIs and where their icons were"),
    WireName("x-special/mate-icon-list", .proprietary, by: "Caja", "URIs and where their icons were"),
    WireName("application/x-kde-cutselection", .companion, by: "KDE", "whether the URIs beside it were cut"),
    // pcmanfm offers a pointer in its own process; pcmanfm-qt offers a format that only libfm reads.
    WireName("application/x-fmlist-ptr", .marker, by: "pcmanfm", "an address in the source's memory"),
    WireName("libfm/files", .proprietary, by: "pcmanfm-qt", "for programs with libfm"),
    WireName("application/x-qabstractitemmodeldatalist", .proprietary, by: "Qt", "rows of a Qt item view"),
    // gedit and mousepad list it first. Meant for another text view of the same process.
    WireName("GTK_TEXT_BUFFER_CONTENTS", .marker, by: "GTK", "an address in the source's memory"),
    WireName("application/x-gtk-text-buffer-rich-text", .proprietary, by: "GTK", "text with GTK's own tags"),
    // GTK 3 and 4, Qt: four items of format 16.
    WireName("application/x-color", .content, by: "GTK, Qt", "a colour"),

    // Chromium: the second step of direct save. ROX: a single file on another machine.
    WireName("application/octet-stream", .content, by: "Chromium, ROX", "bytes of which nothing is known"),
    // XDS: File Roller, Engrampa, Xarchiver, Firefox, Chromium.
    WireName(
      "XdndDirectSave0", .dialogue, by: "archivers, Firefox, Chromium",
      "the key to direct save: the source writes the file where the target says"),
    WireName("XdndFileRoller0", .marker, by: "File Roller", "for that program itself"),
    WireName("XdndEngrampa0", .marker, by: "Engrampa", "for that program itself"),
    // GTK 4 (gdk/filetransferportal.c) and Firefox: StartTransfer and RetrieveFiles of the document portal.
    WireName("application/vnd.portal.filetransfer", .dialogue, by: "GTK 4, Firefox, KDE", portal),
    WireName("application/vnd.portal.files", .dialogue, by: "GTK 4", portal),
    // Offered by Ark, accepted by Dolphin, Plasma and LXQt: a service name and a path on the session bus.
    WireName("application/x-kde-ark-dndextract-service", .dialogue, by: "Ark", archive),
    WireName("application/x-kde-ark-dndextract-path", .dialogue, by: "Ark", archive),

    // Chromium: the content comes from a web page. Emacs looks for it.
    WireName("chromium/x-renderer-taint", .marker, by: "Chromium", "says that the content comes from a page"),
    WireName("chromium/x-drag-id", .marker, by: "Chromium", "for that program itself"),
    WireName("chromium/x-web-custom-data", .proprietary, by: "Chromium", "what a page has set for pages"),
    WireName("application/x-moz-custom-clipdata", .proprietary, by: "Firefox", "what a page has set for pages"),
    WireName("application/x-moz-internal-item-list", .marker, by: "Firefox", "for that program itself"),
    WireName("application/x-moz-nativeimage", .marker, by: "Firefox", "for that program itself"),
    WireName("application/x-moz-file-promise", .marker, by: "Firefox", "for that program itself"),
    WireName("application/x-moz-file-promise-url", .companion, by: "Firefox", "where the promised file comes from"),
    WireName("application/x-moz-file-promise-dest-filename", .companion, by: "Firefox", "the promised file's name"),
    WireName("text/_moz_htmlcontext", .companion, by: "Firefox", "where in its page the text/html beside it was"),
    WireName("text/_moz_htmlinfo", .companion, by: "Firefox", "where in its page the text/html beside it was"),
    // Emacs (dnd.el): the owner of the files, for remote displays.
    WireName("text/x-xdnd-username", .companion, by: "Emacs", "whose files the URIs beside it name"),
    WireName("HOST_NAME", .companion, by: "Emacs, Motif", "on which machine the content is"),

    // ICCCM §2.6.2 and §2.6.3; SAVE_TARGETS is from the ClipboardManager specification.
    WireName("TARGETS", .request, by: "X", "asks which types there are"),
    WireName("TIMESTAMP", .request, by: "X", "asks since when the source owns the selection"),
    WireName("MULTIPLE", .request, by: "X", "asks for several types at once"),
    WireName("DELETE", .request, by: "X", "asks the source to delete what was moved"),
    WireName("SAVE_TARGETS", .request, by: "X", "asks a clipboard manager to keep the content"),
    WireName("INCR", .request, by: "X", "announces a transfer in parts"),
  ]

  private static let portal = "a key to files in a sandbox; needs the document portal (D-Bus), which is not spoken here"
  private static let archive = "an address on D-Bus, where the archiver waits to extract; D-Bus is not spoken here"
}

extension ContentType {
  /// The names under which the same content is offered and requested, best first, beginning with the type itself.
  ///
  /// ``plainText`` and `text/plain` without a charset mean text as such, and have all names of text as synonyms. A name
  /// that states an encoding has only the names with the same encoding.
  var synonyms: [ContentType] {
    let same: [ContentType] =
      switch self {
      case .plainText, WireName.text: WireName.textByFidelity
      case .utf8String: [.plainText]
      case "STRING": ["text/plain;charset=iso-8859-1"]
      case "text/plain;charset=iso-8859-1": ["STRING"]
      case "text/unicode": ["text/plain;charset=utf-16"]
      case "text/plain;charset=utf-16": ["text/unicode"]
      default: WireName.table.filter { $0.content == self }.map(\.type)
      }
    return [self] + same.filter { $0 != self }
  }
}
