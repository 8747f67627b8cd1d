import Testing

@testable import XDnD

@Suite("URIs of files")
struct FileURITests {
  func entry(_ uri: String, host: String? = "here") -> FileList.Entry { FileURI.entry(of: uri, hostName: host) }

  @Test(arguments: [
    "file:///a", "file:/a", "file://localhost/a", "FILE://LocalHost/a", "file://here/a", "file://HERE/a", "file:///%61",
  ])
  func `a path is given for this machine`(uri: String) {
    #expect(entry(uri) == .local(path: Array("/a".utf8)))
  }

  @Test(arguments: [
    "file://there/a", "file://here.example.org/a", "file://localhost.evil/a", "file://user@localhost/a",
    "file://localhost:80/a", "file://local%68ost/a", "file://127.0.0.1/a", "file:// /a", "file://her%65/a",
  ])
  func `another host is another host, however it looks`(uri: String) {
    guard case .otherHost = entry(uri) else { return #expect(Bool(false), "\(entry(uri))") }
  }

  @Test(arguments: ["http://here/a", "sftp://here/a", "trash:///a", "mailto:a@b", "files:///a", "fil:e///a"])
  func `what is no file is remote`(uri: String) {
    #expect(entry(uri) == .remote(uri: uri))
  }

  @Test(arguments: [
    "/a", "a", "", "file", "file:", "file:a", "file://", "file://here", "file:///a%00b", "file:///a%2Fb",
    "file:///a%2fb",
    ":///a", "1file:///a", " file:///a", "//here/a", "%66ile:///a", "file:%2F%2F/a", "fi le:///a",
  ])
  func `the rest is malformed`(text: String) {
    #expect(entry(text) == .malformed(text: text))
  }

  @Test func `escapes are undone once, and a stray percent sign stands for itself`() {
    #expect(entry("file:///%2541") == .local(path: Array("/%41".utf8)))
    #expect(entry("file:///100%") == .local(path: Array("/100%".utf8)))
    #expect(entry("file:///%zz%4") == .local(path: Array("/%zz%4".utf8)))
    #expect(entry("file:////a") == .local(path: Array("//a".utf8)))
    #expect(entry("file:///a?b#c") == .local(path: Array("/a?b#c".utf8)))
  }

  @Test func `without a name of our own, no name is ours`() {
    #expect(entry("file://here/a", host: nil) == .otherHost(host: "here", path: Array("/a".utf8)))
    #expect(entry("file:///a", host: "") == .local(path: Array("/a".utf8)))
  }

  @Test func `raw bytes that are not UTF-8 survive`() {
    let list = FileList(decoding: Array("file:///".utf8) + [0xFF, 0x20, 0xE9, 0x0A])
    #expect(list.entries() == [.local(path: [0x2F, 0xFF, 0x20, 0xE9])])
  }

  @Test func `one URI stays one line, and a URI of RFC 3986 stays as it is`() {
    let list = FileList(uris: ["http://a/\r\nfile:///etc", "#x", "", "a:b%20[c]!$&'()*+,;=@~"])
    #expect(
      String(decoding: list.encoded, as: UTF8.self)
        == "http://a/%0D%0Afile:///etc\r\n%23x\r\na:b%20[c]!$&'()*+,;=@~\r\n")
  }

  @Test func `a host is written where one is given, and a relative path is no file for anybody`() {
    #expect(FileList(rawPaths: [Array("/a b".utf8)], host: "there").uris == ["file://there/a%20b"])
    let relative = FileURI.encode(path: Array("etc/passwd".utf8))
    #expect(entry(relative) == .malformed(text: relative))
    // A name cannot become part of the path.
    #expect(FileList(rawPaths: [[0x2F]], host: "a/b").uris == ["file://a%2Fb/"])
  }
}
