/// What is known of a name that goes over the wire: the one table of names that are more, or less, than a MIME type.
struct WireName: Sendable {
  /// What a name is good for.
  enum Role: Sendable {
    /// Content in a form that programs of different families read.
    case content
    /// Content in a form of one program or family.
    case proprietary
    /// Says something about the content beside it, and is none itself.
    case companion
    /// Bookkeeping of one program.
    case marker
    /// A question to the owner of a selection, or an order.
    case request
    /// The key to a protocol of its own; the bytes alone are worth nothing.
    case dialogue
  }

  /// The name.
  let type: ContentType
  /// The MIME type that has the same content; `nil` if there is none but the name itself.
  let content: ContentType?
  let role: Role
  /// Which programs use it, as far as was seen.
  let peers: String
  /// In words, what one should know who chooses among types.
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

  /// Parameters that the table does not name change nothing. Of text they do: another charset is another name.
  static func of(_ type: ContentType) -> WireName? {
    if let name = byType[type] { return name }
    guard type.hasParameters, type.essence != text else { return nil }
    return byType[type.essence]
  }

  private static let byType = Dictionary(table.map { ($0.type, $0) }) { first, _ in first }

  /// The names of text, best first: lossless before lossy, a known encoding before one that is to be guessed.
  static let textByFidelity: [ContentType] = table.filter { $0.content == text }.map(\.type)

  /// The kind of content that all names of text have in common.
  static let text: ContentType = "text/plain"

  /// Names with the same content are in the order of fidelity. Who uses what was seen on the wire, unless the
  /// comment names a document; versions: GTK 3.24 and 4.8, Qt 5.15 and 6.4, Tk 8.6 with tkdnd 2.10, Java 17, FLTK 1.3,
  /// wxWidgets 3.2, SDL 2.26, Emacs 28.
  static let table: [WireName] = [
    // Read right by GTK 3 and 4, Qt 5 and 6, Tk, Java, wxWidgets, Emacs, Firefox and Chromium.
    WireName("text/plain;charset=utf-8", .content, for: text, by: "all but FLTK, SDL and wxWidgets"),
    // The same bytes. FLTK and wxWidgets offer it and STRING alone.
    WireName("UTF8_STRING", .content, for: text, by: "all but SDL"),
    // Java, LibreOffice Writer; with a byte order mark or without.
    WireName("text/plain;charset=utf-16", .content, for: text, by: "Java, LibreOffice"),
    WireName("text/plain;charset=utf-16le", .content, for: text, by: "Java"),
    WireName("text/plain;charset=utf-16be", .content, for: text, by: "Java"),
    // UTF-16 too, by an old name; Emacs asks for it before text/plain (x-dnd-types-alist).
    WireName("text/unicode", .content, for: text, by: "old Mozilla, Emacs"),
    // Latin-1 for GTK and Chromium, ASCII for GTK 4, UTF-8 for Qt and Firefox; the only name that SDL 2 takes.
    WireName("text/plain", .content, for: text, by: "everybody", "in an encoding that has to be guessed"),
    // ICCCM 2.7.1: ISO 2022 with X's own charsets. GTK 3, Tk and Java; GTK makes it of UTF-8 when asked.
    WireName("COMPOUND_TEXT", .content, for: text, by: "GTK, Tk, Motif", "in X's own mixture of charsets"),
    // ICCCM 2.6.2: in whatever encoding the owner likes, the property's type says which.
    WireName("TEXT", .content, for: text, by: "GTK, Qt, Tk, Java, Chromium", "in whatever encoding the source likes"),
    WireName(
      "text/plain;charset=iso-8859-1", .content, for: text, by: "Java", "letters beyond Latin-1 are lost"),
    // Latin-1 by ICCCM 2.7.1, but both browsers put UTF-8 there, and tkdnd whatever Tk makes of it.
    WireName("STRING", .content, for: text, by: "everybody", "letters beyond Latin-1 are lost or garbled"),
    WireName("text/plain;charset=us-ascii", .content, for: text, by: "Java", "letters beyond ASCII are lost"),

    // RFC 2483. Every file manager.
    WireName("text/uri-list", .content, by: "everybody", "names things, and does not hold them"),
    // Dolphin: the same lines, with KDE's own schemes instead of local paths.
    WireName("application/x-kde4-urilist", .proprietary, for: .uriList, by: "Dolphin", "KDE's own schemes"),
    // Java offers it beside text/uri-list, Emacs reads it: one path, in an encoding that nobody tells.
    WireName("FILE_NAME", .proprietary, by: "Java, Motif, Emacs", "one path only"),
    // UTF-16, link LF title: Firefox, Chromium, Qt. Some with a byte order mark.
    WireName("text/x-moz-url", .content, by: "Firefox, Chromium, Qt", "a link and its title in UTF-16"),
    // Bytes, link LF title: UTF-8 from Firefox, Latin-1 from old programs. Nautilus and Thunar make a link of it.
    WireName("_NETSCAPE_URL", .content, by: "Firefox, Chromium", "a link and its title"),
    WireName("text/x-moz-url-data", .companion, by: "Firefox", "the link of the text/x-moz-url beside it"),
    WireName("text/x-moz-url-desc", .companion, by: "Firefox", "the title of the text/x-moz-url beside it"),

    // "copy" or "cut", then URIs; the clipboard's form, on a drag too in some versions.
    WireName("x-special/gnome-copied-files", .proprietary, by: "Nautilus, Thunar", "a verb before the URIs"),
    WireName("x-special/mate-copied-files", .proprietary, by: "Caja", "a verb before the URIs"),
    // URIs with the places of their icons: Nemo, Caja, before text/uri-list.
    WireName("x-special/gnome-icon-list", .proprietary, by: "Nautilus, Nemo", "URIs and where their icons were"),
    WireName("x-special/mate-icon-list", .proprietary, by: "Caja", "URIs and where their icons were"),
    WireName("application/x-kde-cutselection", .companion, by: "KDE", "whether the URIs beside it were cut"),
    // pcmanfm offers a pointer of its process, pcmanfm-qt what only libfm reads.
    WireName("application/x-fmlist-ptr", .marker, by: "pcmanfm", "an address in the source's memory"),
    WireName("libfm/files", .proprietary, by: "pcmanfm-qt", "for programs with libfm"),
    WireName("application/x-qabstractitemmodeldatalist", .proprietary, by: "Qt", "rows of a Qt item view"),
    // gedit, mousepad: meant for another text view of the same process, and first in their lists.
    WireName("GTK_TEXT_BUFFER_CONTENTS", .marker, by: "GTK", "an address in the source's memory"),
    WireName("application/x-gtk-text-buffer-rich-text", .proprietary, by: "GTK", "text with GTK's own tags"),
    // GTK 3 and 4, Qt: format 16, four items.
    WireName("application/x-color", .content, by: "GTK, Qt", "a colour"),

    // Chromium has it as the second half of direct save, ROX for a single file that is not on this machine.
    WireName("application/octet-stream", .content, by: "Chromium, ROX", "bytes of which nothing is known"),
    // XDS: file-roller, engrampa, xarchiver, Firefox, Chromium.
    WireName(
      "XdndDirectSave0", .dialogue, by: "archivers, Firefox, Chromium",
      "the key to direct save: the source writes the file where the target says"),
    WireName("XdndFileRoller0", .marker, by: "File Roller", "for that program itself"),
    WireName("XdndEngrampa0", .marker, by: "Engrampa", "for that program itself"),
    // GTK 4 (gdk/filetransferportal.c), Firefox; StartTransfer and RetrieveFiles of the document portal.
    WireName("application/vnd.portal.filetransfer", .dialogue, by: "GTK 4, Firefox, KDE", portal),
    WireName("application/vnd.portal.files", .dialogue, by: "GTK 4", portal),
    // Ark, taken by Dolphin, Plasma and LXQt: the name of a service and a path on the session bus.
    WireName("application/x-kde-ark-dndextract-service", .dialogue, by: "Ark", archive),
    WireName("application/x-kde-ark-dndextract-path", .dialogue, by: "Ark", archive),

    // Chromium: the content comes out of a page. Emacs looks for it.
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
    // Emacs (dnd.el): whose files they are, for displays that are far away.
    WireName("text/x-xdnd-username", .companion, by: "Emacs", "whose files the URIs beside it name"),
    WireName("HOST_NAME", .companion, by: "Emacs, Motif", "on which machine the content is"),

    // ICCCM 2.6.2 and 2.6.3; SAVE_TARGETS is the clipboard manager specification's.
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
  /// The names under which the same content is offered and asked for, best first; the type itself is the first.
  ///
  /// ``plainText`` and `text/plain` without a charset stand for text as such, so all names of text serve them. A name
  /// that says in which encoding the text is wanted is served by those that have the same.
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
