import XDnDFiles
import Glibc
import TestSupport
import Testing
import XDnD

@testable import xdnd_source

/// Names of files as they come on the standard input, and what others call them.
@Suite("Lists of names, and names elsewhere")
struct NameListTests {
  private func names(_ separator: NameList.Separator, _ pieces: String...) -> [String] {
    var list = NameList(separatedBy: separator)
    let names = pieces.flatMap { list.append(Array($0.utf8)) } + list.finish()
    return names.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `lines are names, whole or in pieces, with an end or without`() {
    #expect(names(.newline, "a\nb\n") == ["a", "b"])
    #expect(names(.newline, "a\nb") == ["a", "b"])
    #expect(names(.newline, "a", "b\nc", "\n") == ["ab", "c"])
    #expect(names(.newline, "\n\na\n\n") == ["a"])
    #expect(names(.newline) == [])
  }

  @Test func `a name may begin with a minus, hold spaces, and with NULs hold lines`() {
    #expect(names(.newline, "-x y\n--\n") == ["-x y", "--"])
    #expect(names(.nul, "a\nb\0-c\0") == ["a\nb", "-c"])
  }

  @Test func `the pieces that names come in make no difference`() {
    let (lines, whole) = (Array("one\n\ntwo words\nthree\n\n\nfour".utf8), ["one", "two words", "three", "four"])
    for length in 1...lines.count {
      var list = NameList(separatedBy: .newline)
      var names: [[UInt8]] = []
      for start in stride(from: 0, to: lines.count, by: length) {
        names += list.append(Array(lines[start..<min(start + length, lines.count)]))
      }
      names += list.finish()
      #expect(text(names) == whole, "\(length)")
    }
  }

  @Test(.computing) func `a name of many pieces takes no more time for each byte than one of few`() {
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 16)
    func join(_ count: Int) {
      var list = NameList(separatedBy: .newline)
      for _ in 0..<count { _ = list.append(piece) }
    }
    let count = 1 << 8
    #expect(WorkGrowth.ratio({ join(count) }, { join(WorkGrowth.factor * count) }) < WorkGrowth.limit)
  }

  @Test func `a name with a NUL cannot be read, although there is a file of the name before that`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([], to: "one")
    #expect(xdnd_source.SourceFile.problem(with: path) == nil)
    let problem = xdnd_source.SourceFile.problem(with: path + "\0two\0")
    #expect(problem == "cannot read '\(path)': a NUL follows, and only -0 reads such lists")
  }

  @Test func `a file URI is the file it names, and the line's end of other systems is no part of it`() {
    #expect(NameList.argument(of: Array("file:///tmp/a%20b\r".utf8)) == "/tmp/a b")
    #expect(NameList.argument(of: Array("file://localhost/tmp/a".utf8)) == "/tmp/a")
    // Not of this machine: it stays what it is, and is not found.
    #expect(NameList.argument(of: Array("file://elsewhere.example/a".utf8)) == "file://elsewhere.example/a")
    #expect(NameList.argument(of: Array("a%20b".utf8)) == "a%20b")
  }

  private func text(_ names: [[UInt8]]) -> [String] { names.map { String(decoding: $0, as: UTF8.self) } }

  @Test func `a list in non-blocking mode ends when it ends, not when it has nothing yet`() async throws {
    let pipe = try Pipe()
    _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
    let reader = NameReader(separatedBy: .newline, from: pipe.readEnd)
    #expect(try text(reader.read()) == [])
    #expect(!reader.isAtEnd)
    pipe.write(Array("one\ntw".utf8))
    #expect(try text(reader.read()) == ["one"])
    #expect(try text(reader.read(until: ContinuousClock.now + .milliseconds(1))) == [])
    #expect(!reader.isAtEnd)
    async let written: Void = onOwnThread {
      pipe.write(Array("o\nthree".utf8))
      pipe.closeWriter()
    }
    let rest = try reader.read(until: nil)
    #expect(text(rest) == ["two", "three"])
    try await written
    #expect(reader.isAtEnd)
  }

  @Test(.timeLimit(.minutes(1))) func `a list that never pauses is read until the time is over`() throws {
    let endless = try Descriptor(openFile(Array("/dev/zero".utf8), O_RDONLY))
    let reader = NameReader(separatedBy: .nul, from: endless.number)
    #expect(try text(reader.read(until: ContinuousClock.now + .milliseconds(10))) == [])
    #expect(!reader.isAtEnd)
  }

  @Test func `a list that cannot be read to its end fails, and a part of a name is no name`() throws {
    let pipe = try Pipe()
    pipe.write(Array("one\ntw".utf8))
    let reader = NameReader(separatedBy: .newline, from: pipe.readEnd)
    #expect(try text(reader.read()) == ["one"])
    // A terminal that is closed fails with EIO; a directory fails, too.
    let directory = try Descriptor(openFile(Array("/".utf8), O_RDONLY))
    try #require(dup2(directory.number, pipe.readEnd) >= 0)
    #expect(throws: SystemError(EISDIR)) { try reader.read(until: nil) }
    #expect(reader.isAtEnd)
    #expect(try text(reader.read()) == [])
    pipe.closeWriter()
  }

  @Test func `a session over ssh knows how this machine was reached`() {
    func prefix(_ connection: String?) -> String {
      RemotePrefix(user: "ann", hostName: "box", connection: connection).uri
    }
    #expect(prefix("10.0.0.2 50000 10.0.0.1 22") == "sftp://ann@10.0.0.1")
    #expect(prefix("10.0.0.2 50000 10.0.0.1 2222") == "sftp://ann@10.0.0.1:2222")
    #expect(prefix("fe80::2 50000 fe80::1 22") == "sftp://ann@[fe80::1]")
    #expect(prefix(nil) == "sftp://ann@box")
    #expect(prefix("nonsense") == "sftp://ann@box")
    #expect(RemotePrefix(user: "a b", hostName: "box", connection: nil).uri == "sftp://a%20b@box")
  }

  @Test func `a prefix stands before the path, with one slash between them`() {
    #expect(RemotePrefix("smb://server/share/")?.uri(of: Array("/a b".utf8)) == "smb://server/share/a%20b")
    #expect(RemotePrefix("sftp://h")?.uri(of: [0x2F, 0xFF]) == "sftp://h/%FF")
    for wrong in ["", "share", "://x", "a b://c", "1:x"] { #expect(RemotePrefix(wrong) == nil, "\(wrong)") }
  }

  @Test func `two clicks on one row within the time are a double click, and three are not two`() {
    func doubles(_ clicks: (row: Int, time: UInt32)...) -> [Bool] {
      var double = DoubleClick()
      return clicks.map { double.click(on: $0.row, at: Timestamp(rawValue: $0.time)) }
    }
    #expect(doubles((1, 1000), (2, 1100), (2, 1400), (2, 1500)) == [false, false, true, false])
    #expect(doubles((2, 1000), (2, 1401)) == [false, false])
    // The server's time begins anew after 49 days.
    #expect(doubles((3, 4_294_967_290), (3, 100)) == [false, true])
  }

  @Test func `programs hear of a transfer every eight mebibytes, and a terminal shows it when it takes long`() {
    var transfers = Transfers()
    let start = ContinuousClock.now
    let news = [(1, 0), (6, 200), (2, 400), (1, 450), (30, 600)].map { megabytes, milliseconds in
      transfers.sent(megabytes << 20, of: .png, at: start + .milliseconds(milliseconds))
    }
    #expect(news.map(\.byteCount) == [1, 7, 9, 10, 40].map { $0 << 20 })
    #expect(news.map(\.isDue) == [false, false, true, false, true])
    #expect(news.map(\.isVisible) == [false, false, true, false, true])
    transfers.finished(.png)
    #expect(transfers.sent(1 << 20, of: .png).byteCount == 1 << 20)
  }
}
