import Testing

@testable import XDnD

/// What real programs offer, as seen on the wire, and what is made of it.
@Suite struct NegotiationPeersTests {
  struct Offer: CustomTestStringConvertible, Sendable {
    let peer: String
    let offered: [String]
    let wanted: [ContentType]
    let order: [String]

    var testDescription: String { "\(peer), \(wanted)" }

    init(_ peer: String, _ offered: String, _ wanted: [ContentType], _ order: String) {
      self.peer = peer
      self.offered = offered.split(separator: " ").map(String.init)
      self.wanted = wanted
      self.order = order.split(separator: " ").map(String.init)
    }
  }

  private static let utf8 = "text/plain;charset=utf-8"
  private static let gtkText = "\(utf8) UTF8_STRING text/plain"
  private static let gtkHTML = "text/html \(gtkText)"
  private static let qtText = "text/plain UTF8_STRING STRING TEXT"
  private static let qtHTML = "text/html \(utf8) UTF8_STRING text/plain STRING TEXT"
  private static let qtURIs = "text/uri-list text/x-moz-url text/plain"
  private static let tkText = "\(utf8) UTF8_STRING text/plain STRING TEXT COMPOUND_TEXT UTF8_STRING"
  private static let charsets = ["UTF-16", "UTF-8", "UTF-16BE", "UTF-16LE", "ISO-8859-1", "US-ASCII"]
  private static func java(_ type: String) -> String {
    (charsets.map { "\(type);charset=\($0)" } + [type]).joined(separator: " ")
  }
  private static let javaText = "UTF8_STRING TEXT STRING \(java("text/plain"))"
  private static let javaTextOrder = """
    text/plain;charset=UTF-8 UTF8_STRING text/plain;charset=UTF-16 text/plain;charset=UTF-16LE \
    text/plain;charset=UTF-16BE text/plain TEXT text/plain;charset=ISO-8859-1 STRING text/plain;charset=US-ASCII
    """
  private static let javaHTMLOrder = """
    text/html text/html;charset=UTF-16 text/html;charset=UTF-8 text/html;charset=UTF-16BE text/html;charset=UTF-16LE \
    text/html;charset=ISO-8859-1 text/html;charset=US-ASCII
    """
  private static let chromiumImage = """
    text/x-moz-url UTF8_STRING STRING TEXT text/plain XdndDirectSave0 application/octet-stream \
    chromium/x-renderer-taint text/html chromium/x-drag-id
    """
  private static let firefoxLink = """
    text/x-moz-url _NETSCAPE_URL text/x-moz-url-data text/x-moz-url-desc application/x-moz-custom-clipdata \
    text/_moz_htmlcontext text/_moz_htmlinfo text/html text/plain \(utf8) UTF8_STRING STRING
    """
  private static let caja = """
    x-special/mate-icon-list text/uri-list UTF8_STRING COMPOUND_TEXT TEXT STRING \(utf8) text/plain
    """

  private static let serialized = "application/x-java-serialized-object;class=java.lang.String"
  private static let embedded =
    "application/x-openoffice-embed-source-xml;windows_formatname=\"Star\" "
    + "text/rtf text/richtext text/html text/plain;charset=utf-16 "
    + "application/x-openoffice-objectdescriptor-xml;typename=swriter text/plain;charset=utf-8 UTF8_STRING STRING"

  static let text = [
    Offer("GTK 3 and 4", gtkText, [.plainText], gtkText),
    Offer("GTK 3 and 4, html", gtkHTML, [.plainText], "\(gtkText) text/html"),
    Offer("Qt 5 and 6", qtText, [.plainText], "UTF8_STRING text/plain TEXT STRING"),
    Offer("Qt 5 and 6, html", qtHTML, [.plainText], "\(utf8) UTF8_STRING text/plain TEXT STRING text/html"),
    Offer("Qt 5 and 6, files", qtURIs, [.plainText], "text/plain"),
    Offer("Tk", tkText, [.plainText], "\(utf8) UTF8_STRING text/plain COMPOUND_TEXT TEXT STRING"),
    Offer("Java", javaText, [.plainText], javaTextOrder),
    Offer(
      "Java, html", "\(java("text/html")) \(javaText)", [.plainText],
      """
      \(javaTextOrder) text/html;charset=UTF-16 text/html;charset=UTF-8 text/html;charset=UTF-16BE \
      text/html;charset=UTF-16LE text/html text/html;charset=ISO-8859-1 text/html;charset=US-ASCII
      """),
    Offer("FLTK", "UTF8_STRING STRING", [.plainText], "UTF8_STRING STRING"),
    Offer("wxWidgets", "UTF8_STRING STRING UTF8_STRING UTF8_STRING STRING", [.plainText], "UTF8_STRING STRING"),
    Offer("Chromium, image", chromiumImage, [.plainText], "UTF8_STRING text/plain TEXT STRING text/html"),
    Offer("Firefox, link", firefoxLink, [.plainText], "\(utf8) UTF8_STRING text/plain STRING text/html"),
  ]

  static let html = [
    Offer("GTK 3 and 4", gtkHTML, [.html, .plainText], gtkHTML),
    Offer("Qt 5 and 6", qtHTML, [.html, .plainText], "text/html \(utf8) UTF8_STRING text/plain TEXT STRING"),
    Offer("Qt 5 and 6, no html", qtText, [.html, .plainText], "UTF8_STRING text/plain TEXT STRING"),
    Offer("Java", "\(java("text/html")) \(javaText)", [.html], javaHTMLOrder),
    Offer(
      "Java and then text", "\(java("text/html")) \(javaText)", [.html, .plainText], "\(javaHTMLOrder) \(javaTextOrder)"
    ),
    Offer("FLTK", "UTF8_STRING STRING", [.html], ""),
  ]

  static let files = [
    Offer("GTK, Tk, wxWidgets", "text/uri-list", [.uriList, .plainText], "text/uri-list"),
    Offer("Qt 5 and 6", qtURIs, [.uriList, .plainText], "text/uri-list text/plain"),
    Offer("Qt 5 and 6, who wants links", qtURIs, [.mozURL, .uriList], "text/x-moz-url text/uri-list"),
    Offer("Java", "FILE_NAME text/uri-list", [.uriList], "text/uri-list"),
    Offer("Java, who takes all", "FILE_NAME text/uri-list", ["*/*"], "text/uri-list FILE_NAME"),
    Offer(
      "Dolphin", "\(qtURIs) application/x-kde4-urilist", [.uriList], "text/uri-list application/x-kde4-urilist"),
    Offer(
      "Caja", caja, [.uriList, .plainText],
      "text/uri-list \(utf8) UTF8_STRING text/plain COMPOUND_TEXT TEXT STRING"),
  ]

  static let everything = [
    Offer("GTK 3 and 4, html", gtkHTML, ["*/*"], gtkHTML),
    Offer("Qt 5 and 6, html", qtHTML, ["text/*"], "text/html \(utf8) UTF8_STRING text/plain TEXT STRING"),
    Offer("Qt 5 and 6, files", qtURIs, ["*/*"], qtURIs),
    Offer("Tk", tkText, ["*/*"], "\(utf8) UTF8_STRING text/plain COMPOUND_TEXT TEXT STRING"),
    Offer("FLTK", "UTF8_STRING STRING", ["text/*"], "UTF8_STRING STRING"),
    Offer("all, an image", "image/png", ["*/*"], "image/png"),
    Offer("all, an image", "image/png", ["image/*", .plainText], "image/png"),
    Offer("all, a type of their own", "application/x-lab-blob", ["*/*"], "application/x-lab-blob"),
    Offer("all, a type of their own", "application/x-lab-blob", ["image/*", .plainText], ""),
    Offer(
      "Chromium, image", chromiumImage, ["*/*"],
      "text/x-moz-url text/html UTF8_STRING text/plain TEXT STRING application/octet-stream"),
    Offer(
      "Firefox, link", firefoxLink, ["*/*"],
      """
      text/x-moz-url text/html \(utf8) UTF8_STRING text/plain STRING application/x-moz-custom-clipdata _NETSCAPE_URL
      """),
    Offer(
      "Caja", caja, ["*/*"],
      "text/uri-list \(utf8) UTF8_STRING text/plain COMPOUND_TEXT TEXT STRING x-special/mate-icon-list"),
    Offer(
      "LibreOffice Writer", embedded, ["*/*"],
      """
      text/html text/rtf text/richtext text/plain;charset=utf-8 UTF8_STRING text/plain;charset=utf-16 STRING \
      application/x-openoffice-embed-source-xml;windows_formatname="Star" \
      application/x-openoffice-objectdescriptor-xml;typename=swriter
      """),
    Offer(
      "gpick", "application/x-color-object-list application/x-color text/plain UTF8_STRING", ["*/*"],
      "application/x-color UTF8_STRING text/plain application/x-color-object-list"),
    Offer(
      "Java, serialized objects", "JAVA_DATAFLAVOR:\(serialized) \(serialized) \(javaText)", ["*/*"],
      "\(javaTextOrder) JAVA_DATAFLAVOR:\(serialized) \(serialized)"),
    Offer(
      "KDE and vendors", "application/x-kde-thing application/vnd.example.chart application/pdf text/plain", ["*/*"],
      "application/pdf text/plain application/x-kde-thing application/vnd.example.chart"),
    Offer("File Roller", "XdndDirectSave0 XdndFileRoller0", ["*/*"], ""),
  ]

  @Test(arguments: text + html + files + everything)
  func `what a real program offers is asked for in this order`(offer: Offer) {
    let negotiation = Negotiation(wanted: offer.wanted, offered: offer.offered.map { ContentType($0) })
    #expect(negotiation.candidates.map(\.offered.name) == offer.order)
    #expect(
      DropOffer(offer.wanted).bestType(among: offer.offered.map { ContentType($0) })?.name == offer.order.first)
  }
}
