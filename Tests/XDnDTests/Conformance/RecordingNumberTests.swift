import XDnDConformance
import Testing
import XDnD

@Suite("Numbers in recordings")
struct RecordingNumberTests {
  private static func frame(
    _ x: String = "0", _ y: String = "0", _ width: String = "1", _ height: String = "1"
  ) -> String {
    #"{"frame":{"window":"0x1","x":\#(x),"y":\#(y),"width":\#(width),"height":\#(height)}}"#
  }

  private static func event(at time: String) -> String { #"{"time":\#(time),"sent":"vanished","window":"0x1"}"# }

  private static func recording(_ line: String) throws -> Recording {
    try Recording(text: (#"{"recording":"xdnd","version":1,"role":"target"}"# + "\n" + line + "\n").utf8)
  }

  private static let (least, greatest) = ("-9223372036854775808", "9223372036854775807")

  static let absurd = [
    frame(least), frame(greatest), frame("0", least), frame("0", greatest), frame("0", "0", "-1"),
    frame("0", "0", greatest), frame("0", "0", "1", "-1"), frame("0", "0", "1", greatest),
    event(at: "-1"), event(at: least), event(at: greatest),
  ]

  @Test(arguments: absurd)
  func `a number that no drag has is refused`(_ line: String) {
    #expect(throws: RecordingError.self) { try Self.recording(line) }
  }

  @Test func `places beside the screen, sizes that X has, and years are read`() throws {
    let target = try Self.recording(Self.frame("-32768", "65535", "65535", "0")).target
    #expect(target?.frame == Rect(x: -32_768, y: 65_535, width: 65_535, height: 0))
    let year = 365 * 24 * 3600 * 1_000_000
    #expect(try Self.recording(Self.event(at: "\(year)")).entries.map(\.time) == [year])
  }
}
