@testable import XDnD
@testable import XDnDConformance
@testable import XDnDJSONText

extension FuzzTarget {
  static let formats = [
    FuzzTarget("json", run: readJSON),
    FuzzTarget("base64", run: readBase64),
    FuzzTarget("recordings", budget: 2, run: readRecordings),
  ]

  /// What is read is written so that it is read again, without characters that command a terminal.
  private static func readJSON(_ input: Input) {
    guard let value = try? JSONValue(json: input.bytes) else { return }
    let json = input.planted(value.json, in: Array((value.string ?? value.list?.first?.string ?? "").utf8)) {
      $0.replacing("qz", with: "Qz")
    }
    expect(!json.unicodeScalars.contains(where: \.isControl), "\(json.debugDescription)")
    let copy = try? JSONValue(json: json)
    expect(copy == value, "\(json) became \(copy?.json ?? "nothing")")
    expect(copy?.json == json, "\(json) became \(copy?.json ?? "nothing")")
    _ = (value["a"], value.integer, value.number, value.boolean)
  }

  private static func readBase64(_ input: Input) {
    if let bytes = Base64.bytes(input.text) {
      expect(Base64.text(bytes) == input.text, "\(input.text) became \(bytes)")
    }
    let text = Base64.text(input.bytes)
    let read = input.planted(Base64.bytes(text), in: input.bytes) { $0.map { Array($0.dropLast()) } }
    expect(read == input.bytes, "\(input.bytes) became \(text)")
  }

  /// A recording is written so that it is read again; and it can be checked, drawn and replayed.
  private static func readRecordings(_ input: Input) {
    guard let recording = try? Recording(text: input.bytes) else { return }
    var copy = try? Recording(text: recording.text.utf8)
    if input.isPlanted, (1...3).contains(recording.entries.count) {
      copy = nil
    }
    expect(copy == recording, "\(recording) became \(copy.debugDescription)")
    for role in Recording.Role.allCases {
      let checker = ConformanceChecker(role: role, entries: recording.entries, frame: recording.target?.frame)
      expect(checker.results().count == ConformanceRule.all(of: checker.side).count, "not all rules were checked")
      _ = recording.exchange(by: role)
      let script = ReplayScript(recording, as: role)
      expect(script.steps.count <= recording.entries.count, "\(script.steps.count) steps")
    }
    let picture = recording.svg()
    expect(picture.hasSuffix("</svg>\n") || picture.hasSuffix("</svg>"), "a picture ends with \(picture.suffix(9))")
  }
}
