import TestSupport
import Testing

@testable import XDnD

/// HTML as a preview shows it.
@Suite("HTML as runs of styled text") struct HTMLRunsTests {
  /// The runs, each with letters for its style and heading before a colon.
  private func runs(_ html: String) -> [String] {
    let letters: [(HTMLRuns.Style, String)] = [
      (.bold, "b"), (.italic, "i"), (.underlined, "u"), (.struckThrough, "s"), (.monospaced, "m"), (.link, "l"),
    ]
    return HTMLRuns(html).runs.map { run in
      let style = letters.filter { run.style.contains($0.0) }.map(\.1).joined()
      return "\(style)\(run.heading == 0 ? "" : "\(run.heading)"):\(run.text)"
    }
  }

  @Test func `have the styles of their elements, and plain spaces before them`() {
    #expect(
      runs("plain <b>bold <i>both</i></b> <u>under</u> <del>gone</del> <code>code</code>")
        == [":plain ", "b:bold ", "bi:both", ": ", "u:under", ": ", "s:gone", ": ", "m:code"])
    #expect(runs("a <a href='x'>link</a> <a name='y'>place</a>") == [":a ", "ul:link", ": place"])
    #expect(runs("<b><i>crossed</b> over</i> end") == ["bi:crossed", "i: over", ": end"])
    #expect(runs("</b><b>open") == ["b:open"])
  }

  @Test func `have the styles that word processors write`() {
    #expect(
      runs("<b style='font-weight:normal'>x<span style=\"FONT-WEIGHT: 700; font-style:italic\">y</span></b>z")
        == [":x", "bi:y", ":z"])
    #expect(runs("<span style='text-decoration: underline line-through'>x</span>") == ["us:x"])
    #expect(runs("<a href=x style='text-decoration:none'>x</a>") == ["l:x"])
  }

  @Test func `have the color that is set for them, by a declaration or in the old way`() {
    let html = "a<font color='#ff0000'>b<i style='color: rgb(0, 255, 0)'>c</i>d</font><b style='color:inherit'>e</b>"
    let colors = HTMLRuns(html).runs.map { ($0.text, $0.color) }
    #expect(colors.map(\.0) == ["a", "b", "c", "d", "e"])
    let (red, green) = (Color(red: .max, green: 0, blue: 0), Color(red: 0, green: .max, blue: 0))
    #expect(colors.map(\.1) == [nil, red, green, red, nil])
  }

  @Test func `show headings and paragraphs with space between them`() {
    #expect(runs("<h1>Title</h1>\n<p>one\n<p>two <h3>three</h3>") == ["b1:Title", ":\n\none\n\ntwo\n\n", "b3:three"])
  }

  @Test(arguments: [
    ("<ul><li>a<li>b<ol><li>x<li>y</ol></ul>c", "• a\n• b\n    1. x\n    2. y\n\nc"),
    ("<li>lost</li>", "• lost"), ("a<br><br><br><br>b", "a\n\nb"), ("a<div>b</div>c", "a\nb\nc"),
    ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a\tb\n1\t2"),
    ("<pre>a\n  b\r\n</pre>", "a\n  b\n"), ("a<pre>b</pre>c", "a\n\nb\n\nc"), ("  a \n\t b  ", "a b"),
    ("x<img alt='a picture' src='http://example.org/x.png'>y", "xa picturey"),
    ("<title>t</title><style>b{}</style><script>alert('<b>x')</script>a<!-- <i> -->b", "ab"),
    ("&lt;b&gt; &amp; caf&eacute;&nbsp;&#x1F600;", "<b> & café\u{A0}😀"), ("", ""), ("<", "<"), ("<b", ""),
  ])
  func `have the line breaks, marks and characters of the page`(_ html: String, _ text: String) {
    #expect(HTMLRuns(html).text == text)
  }

  @Test func `that are bold end with their cell`() {
    #expect(runs("<table><tr><th>a<td>b</table>") == ["b:a", ":\tb"])
    #expect(runs("<dl><dt>a<dd>b</dl>") == ["b:a", ":\nb"])
  }

  private static let count = 2_000_000
  private static let pieces = [
    "<b>", "<b><i>", "</b>", "<ul>", "<ol><li>x", "<li>", "<br>x", "<br>", "<p>x", "&", "&amp;", "&#x", "<",
    "<a href='",
    "<a style='font-weight:bold;;;'>", "<font color=#123456>x", "<script>", "<!--", "<pre>\n", "<td>", "<h1>x", " ",
    "x", "x ", "<b>x</b><i>x</i>",
    "e\u{301}\u{301}", "<span style='a:b;", "</script", "<title><",
  ]

  @Test(.exhaustive, arguments: pieces) func `are made at once, and are not many, whatever the page repeats`(
    _ piece: String
  ) {
    let html = String(repeating: piece, count: Self.count / piece.utf8.count)
    var runs: HTMLRuns?
    let time = ContinuousClock().measure { runs = HTMLRuns(html) }
    #expect(time < .seconds(5))
    let text = runs?.text ?? "none"
    #expect(text.utf8.count <= HTMLRuns.mostText + 64)
    #expect((runs?.runs.count ?? .max) <= HTMLRuns.mostText)
  }

  @Test func `say what the plain text of the page says`() {
    let pieces = [
      "<b>", "</b>", "<i style='font-weight:bold'>", "</i>", "<p>", "<br>", "<h2>", "</h2>", "<table><tr><td>",
      "</table>",
      "<script>x<", "</script>", "<!-- c -->", "&amp;", "&#0;", "a", "b", " ", "é", "<", ">", "<a href=\"x", "\">",
      "</a>",
      "<pre>", "</pre>", "\n", "<th>", "<title>", "</title>",
    ]
    func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    var random = SplitMix64(seed: 19)
    for _ in 0..<QuickTests.cases(of: 20_000) {
      let html = (0..<random.below(40)).map { _ in random.pick(pieces) }.joined()
      let runs = HTMLRuns(html)
      #expect(words(runs.text) == words(HTMLPlainText.text(of: html)), "\(html)")
      #expect(runs.runs.allSatisfy { !$0.text.isEmpty && (0...6).contains($0.heading) }, "\(html)")
      let neighbors = zip(runs.runs, runs.runs.dropFirst())
      #expect(neighbors.allSatisfy { $0.style != $1.style || $0.heading != $1.heading }, "\(html)")
    }
  }
}
