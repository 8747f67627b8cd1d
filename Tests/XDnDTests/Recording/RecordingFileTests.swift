import XDnDConformance
import TestSupport
import Testing
import XDnD

@Suite("Recording files", .computing)
struct RecordingFileTests {
  @Test func `a drag is written so that people can read it`() {
    let lines = RecordingSample.drag.text.split(separator: "\n").map(String.init)
    #expect(
      lines[0]
        == #"{"recording":"xdnd","version":1,"role":"target","display":":7","date":"2026-11-21T16:20:05Z","# + ""
        + #""peer":{"window":"0x400002","program":"gedit","pid":4711},"#
        + #""frame":{"window":"0x600001","x":600,"y":60,"width":300,"height":300}}"#)
    #expect(
      lines[1]
        == #"{"time":0,"received":"message","type":"XdndEnter","window":"0x600001","#
        + #""words":["0x400002","0x5000000","0x138","0x0","0x0"],"names":{"2":"text/plain"}}"#)
    #expect(
      lines[9]
        == #"{"time":2500200,"sent":"conversion","selection":"XdndSelection","target":"text/plain","#
        + #""property":"XDND_DATA","requestor":"0x600001","timestamp":2500}"#)
    #expect(
      lines[11]
        == #"{"time":2501200,"sent":"property","change":"read","window":"0x600001","name":"XDND_DATA","#
        + #""type":"text/plain","format":8,"size":5,"text":"Hello"}"#)
    #expect(
      lines[12]
        == #"{"time":2501300,"sent":"property","change":"deleted","window":"0x600001","name":"XDND_DATA"}"#)
    #expect(
      lines[14]
        == #"{"time":2600000,"received":"owner","selection":"XdndSelection","window":"0x0","timestamp":2600}"#)
    #expect(lines[15] == #"{"time":2700000,"received":"vanished","window":"0x400002"}"#)
    #expect(lines.count == 16)
  }

  @Test func `an entry is marked as the recorder's own, and a drop with what is known of the pointer`() throws {
    var recording = RecordingSample.drag
    recording.entries[8].isRecordersOwn = true
    recording.entries[7].isPointerGrabbed = false
    let lines = recording.text.split(separator: "\n").map(String.init)
    #expect(lines[9].hasSuffix(#","own":true}"#))
    #expect(lines[8].hasSuffix(#","grabbed":false}"#))
    #expect(try Recording(text: recording.text.utf8) == recording)
  }

  @Test func `content is text where it is UTF-8, numbers where it is numbers, and base64 elsewhere`() {
    func line(_ format: Int, _ bytes: [UInt8]) -> String {
      Recording.Entry(
        time: 0,
        WireEvent(
          .sent,
          .property(WireEvent.Property(.read, RecordingSample.name("P"), of: .none, format: format, bytes: bytes)))
      ).line
    }
    #expect(line(8, Array("é".utf8)).hasSuffix(#""format":8,"size":2,"text":"é"}"#))
    #expect(line(8, [0xFF]).hasSuffix(#""format":8,"size":1,"base64":"/w=="}"#))
    #expect(line(8, [0xFF, 0xFE]).hasSuffix(#""base64":"//4="}"#))
    #expect(line(8, [0xFF, 0xFE, 0xFD]).hasSuffix(#""base64":"//79"}"#))
    #expect(line(16, [0x61, 0x62]).hasSuffix(#""format":16,"size":2,"base64":"YWI="}"#))
    #expect(line(32, withUnsafeBytes(of: UInt32(0x138)) { Array($0) }).hasSuffix(#""size":4,"words":["0x138"]}"#))
    #expect(line(8, []).hasSuffix(#""format":8}"#))
  }

  @Test func `whatever is written is read back as it was`() throws {
    #expect(try Recording(text: RecordingSample.drag.text.utf8) == RecordingSample.drag)
    var random = SplitMix64(seed: 77)
    for _ in 0..<QuickTests.cases(of: 500) {
      let recording = RecordingSample.random(&random)
      #expect(try Recording(text: recording.text.utf8) == recording)
    }
  }

  @Test func `what is known only later has lines of its own, and the last of them counts`() throws {
    let drag = RecordingSample.drag
    let frame = try #require(drag.target)
    let text = [
      Recording(role: .target).headerLine, Recording.Peer(program: "another").line, frame.line, drag.entries[0].line,
      drag.peer.line,
    ].joined(separator: "\n")
    let recording = try Recording(text: text.utf8)
    #expect(recording.peer == drag.peer)
    #expect(recording.target == frame)
    #expect(recording.entries == [drag.entries[0]])
  }

  @Test func `what newer recorders write is passed over, and so is the half line of one that was killed`() throws {
    let drag = RecordingSample.drag
    var text = drag.text.replacing("\"time\":0,", with: "\"mood\":{\"good\":[null]},\"time\":0,")
    text = text.replacing("\n", with: "\r\n") + "\n{\"note\":\"something else\"}\n"
    #expect(try Recording(text: text.utf8) == drag)
    let whole = Array(drag.text.utf8)
    let header = drag.headerLine.utf8.count + 1
    for end in QuickTests.numbers(of: header..<whole.count) {
      let read = try Recording(text: whole[..<end])
      #expect(
        drag.entries.starts(with: read.entries)
          && read.entries.count >= drag.text.utf8.prefix(end).count { $0 == 10 } - 1)
    }
  }

  private static let header = #"{"recording":"xdnd","version":1,"role":"target"}"# + "\n"

  private static let mistakes: [(text: String, error: String)] = [
    ("", "line 1: not a recording: the file is empty"),
    ("\n \n", "line 1: not a recording: the file is empty"),
    ("hello", "line 1: invalid JSON: a value is expected (byte 0 of the line)"),
    ("{\"time\":1}", "line 1: not a recording: the first line must begin with {\"recording\":\"xdnd\", …}"),
    ("[]", "line 1: expected an object"),
    (#"{"recording":"xdnd"}"#, "line 1: \"version\" is missing"),
    (
      #"{"recording":"xdnd","version":2,"role":"target"}"#,
      "line 1: unsupported recording version 2; this program reads version 1"
    ),
    (
      #"{"recording":"xdnd","version":1,"role":"spy"}"#, "line 1: \"role\" must be \"source\" or \"target\""
    ),
    (
      header + "{\n{}\n",
      "line 2: invalid JSON: the name of a member is expected, in quotation marks (byte 1 of the line)"
    ),
    (header + "\n{\"sent\":\"message\"}\n", "line 3: \"time\" is missing"),
    (header + #"{"time":1,"sent":"vanished","window":5}"#, "line 2: \"window\" must be a number like \"0x2a00001\""),
    (
      header + #"{"time":1,"sent":"vanished","window":"0x100000000"}"#,
      "line 2: \"window\" must be a number like \"0x2a00001\""
    ),
    (
      header + #"{"time":1,"sent":"message","type":"A","window":"0x1","words":["0x1"]}"#,
      "line 2: a message must have five words, not 1"
    ),
    (
      header + #"{"time":1,"sent":"whisper"}"#,
      "line 2: \"sent\" must be \"message\" or \"conversion\" or \"converted\" or \"owner\" or \"property\" or \"vanished\""
    ),
    (
      header + #"{"time":1,"sent":"property","change":"read","window":"0x1","name":"P","base64":"a"}"#,
      "line 2: \"base64\" is not valid base64"
    ),
    (
      header + #"{"time":1,"sent":"property","change":"read","window":"0x1","name":"P","text":"ab","size":1}"#,
      "line 2: \"size\" is 1, but there are 2 bytes"
    ),
    (header + #"{"peer":{"window":"x"}}"#, "line 2: \"window\" must be a number like \"0x2a00001\""),
  ]

  @Test(arguments: mistakes.indices)
  func `a mistake is named with its line`(index: Int) {
    let (text, sentence) = Self.mistakes[index]
    let error = #expect(throws: RecordingError.self) { try Recording(text: text.utf8) }
    #expect(error?.description == sentence)
  }

  @Test func `no bytes make the reader trap, and what it takes is written so that it reads the same`() {
    var random = SplitMix64(seed: 4)
    let words = ["\"", "0x", "-1", "null", "\n", "}", "{", "[", ",", "\"format\":32,", "99999999999", "\\u0000", "="]
    for _ in 0..<QuickTests.cases(of: 1500) {
      var bytes = Array(RecordingSample.random(&random).text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place..<min(place + 9, bytes.count - 1))
        default: bytes.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
        }
      }
      guard let recording = try? Recording(text: bytes) else { continue }
      #expect((try? Recording(text: recording.text.utf8)) == recording)
    }
  }
}
