import XDnDJSONText
import XDnD

// The format is documented in `docs/recordings.md`.

extension Recording {
  /// The file's first line, without a line end: everything known before the first event.
  package var headerLine: String {
    JSONValue.members([
      "recording": "xdnd", "version": .integer(Self.version), "role": .string(role.rawValue),
      "display": display.map { .string($0) }, "date": date.map { .string($0) },
      "peer": peer == Peer() ? nil : peer.json, "frame": target?.json,
    ]).json
  }

  /// The whole file.
  package var text: String { headerLine + "\n" + entries.map { $0.line + "\n" }.joined() }

  /// The version of the format. It changes when older programs would misread new files. The optional fields `own` and
  /// `grabbed` of entries did not change it: older programs ignore them.
  static let version = 1
}

extension Recording.Peer {
  /// A line of its own for a peer that becomes known during the recording. Without a line end.
  package var line: String { JSONValue.members(["peer": json]).json }

  var json: JSONValue {
    .members([
      "window": window?.json, "program": program.map { .string($0) }, "pid": processID.map { .integer($0) },
    ])
  }
}

extension Recording.Target {
  /// A line of its own for a window that becomes known, or moves, during the recording. Without a line end.
  package var line: String { JSONValue.members(["frame": json]).json }

  var json: JSONValue {
    .members([
      "window": window.json, "x": .integer(frame.origin.x), "y": .integer(frame.origin.y),
      "width": .integer(frame.width), "height": .integer(frame.height),
    ])
  }
}

extension Recording.Entry {
  /// The entry's line in the file, without a line end.
  package var line: String { json.json }

  private var json: JSONValue {
    let (kind, fields) = event.action.fields
    let first: [(String, JSONValue)] = [("time", .integer(time)), (event.direction.rawValue, .string(kind.rawValue))]
    let marks: KeyValuePairs<String, JSONValue?> = [
      "own": isRecordersOwn ? .boolean(true) : nil, "grabbed": isPointerGrabbed.map { .boolean($0) },
    ]
    return .object(first + (Array(fields) + Array(marks)).compactMap { name, value in value.map { (name, $0) } })
  }
}

/// The values of the `sent` and `received` fields.
enum ActionKind: String, CaseIterable {
  case message, conversion, converted, owner, property, vanished
}

extension WireEvent.Action {
  fileprivate var fields: (ActionKind, KeyValuePairs<String, JSONValue?>) {
    switch self {
    case .message(let message): (.message, message.fields)
    case .conversion(let conversion): (.conversion, conversion.fields)
    case .converted(let conversion): (.converted, conversion.fields)
    case .owner(let selection, let window, let time):
      (.owner, ["selection": selection.json, "window": window.json, "timestamp": .integer(Int(time.rawValue))])
    case .property(let property): (.property, property.fields)
    case .vanished(let window): (.vanished, ["window": window.json])
    }
  }
}

extension WireEvent.Message {
  fileprivate var fields: KeyValuePairs<String, JSONValue?> {
    [
      "type": type.json, "window": window.json, "destination": destination?.json,
      "words": .strings(words.map(Hexadecimal.text)),
      "names": names.isEmpty
        ? nil : .object(names.sorted { $0.key < $1.key }.map { (String($0.key), $0.value.json) }),
    ]
  }
}

extension WireEvent.Conversion {
  fileprivate var fields: KeyValuePairs<String, JSONValue?> {
    [
      "selection": selection.json, "target": target?.json, "property": property?.json, "requestor": requestor.json,
      "timestamp": .integer(Int(time.rawValue)),
    ]
  }
}

extension WireEvent.Property {
  fileprivate var fields: KeyValuePairs<String, JSONValue?> {
    let content = content
    return [
      "change": .string(change.rawValue), "window": window.json, "name": name.json, "type": type?.json,
      "format": format == 0 ? nil : .integer(format), "offset": offset == 0 ? nil : .integer(offset),
      "size": byteCount == 0 ? nil : .integer(byteCount), content.form: content.value,
      "atoms": names.isEmpty ? nil : .list(names.map { $0?.json ?? .null }),
    ]
  }

  /// The content as readable as possible: as text, as numbers or in base64.
  private var content: (form: String, value: JSONValue?) {
    if bytes.isEmpty { return ("text", nil) }
    if format == 32, bytes.count % 4 == 0 {
      // As numbers, the words are independent of the machine's byte order.
      return ("words", .strings(words.map(Hexadecimal.text)))
    }
    if format != 16, let text = String(validating: bytes, as: UTF8.self) { return ("text", .string(text)) }
    return ("base64", .string(Base64.text(bytes)))
  }
}

extension WindowID {
  var json: JSONValue { .string(description) }
}

extension AtomName {
  var json: JSONValue { .string(rawValue) }
}

extension Recording {
  /// Parses the text of a recording file.
  ///
  /// Unknown fields and lines are ignored, because newer recorders may write more. So are empty lines, and an
  /// incomplete last line, which a killed recorder leaves.
  ///
  /// - Throws: `RecordingError` for the first line that is not valid.
  package init(text: some Sequence<UInt8>) throws(RecordingError) {
    let lines = Array(text).split(separator: 0x0A, omittingEmptySubsequences: false)
    var recording: Recording?
    for (index, line) in lines.enumerated() where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
      let value: JSONValue
      do {
        value = try JSONValue(json: line)
      } catch {
        if index == lines.count - 1, recording != nil { break }
        let reason = "invalid JSON: \(error.reason) (byte \(error.offset) of the line)"
        throw RecordingError(line: index + 1, reason: reason)
      }
      let fields = try Fields(value, line: index + 1)
      if recording == nil { recording = try Recording(header: fields) } else { try recording?.read(fields) }
    }
    guard let recording else { throw RecordingError(line: 1, reason: "not a recording: the file is empty") }
    self = recording
  }

  private init(header: Fields) throws(RecordingError) {
    guard header["recording"]?.string == "xdnd" else {
      throw header.error("not a recording: the first line must begin with {\"recording\":\"xdnd\", …}")
    }
    let version = try header.integer("version")
    guard version == Self.version else {
      throw header.error("unsupported recording version \(version); this program reads version \(Self.version)")
    }
    self.init(role: try header.word("role"))
    display = header["display"]?.string
    date = header["date"]?.string
    try read(header)
  }

  /// Reads a line's entry, peer and target window, if it has them. Later peers and windows replace earlier ones.
  private mutating func read(_ fields: Fields) throws(RecordingError) {
    if let fields = try fields.object("peer") { peer = try Peer(fields) }
    if let fields = try fields.object("frame") { target = try Target(fields) }
    for direction in WireEvent.Direction.allCases where fields[direction.rawValue] != nil {
      let time = try fields.integer("time", in: 0...(1 << 53))
      let event = WireEvent(direction, try WireEvent.Action(fields, kind: fields.word(direction.rawValue)))
      entries.append(
        Entry(
          time: time, event, isRecordersOwn: try fields.optionalBoolean("own") ?? false,
          isPointerGrabbed: try fields.optionalBoolean("grabbed")))
    }
  }
}

extension Recording.Peer {
  fileprivate init(_ fields: Fields) throws(RecordingError) {
    self.init(
      window: try fields.optionalWindow("window"), program: fields["program"]?.string,
      processID: fields["pid"]?.integer)
  }
}

extension Recording.Target {
  // A child of a large window may begin far outside of the screen; X has 16 bits for each step.
  private static let places = -(1 << 31)...(1 << 31)
  private static let lengths = 0...(1 << 16)

  fileprivate init(_ fields: Fields) throws(RecordingError) {
    self.init(
      window: try fields.window("window"),
      frame: Rect(
        x: try fields.integer("x", in: Self.places), y: try fields.integer("y", in: Self.places),
        width: try fields.integer("width", in: Self.lengths), height: try fields.integer("height", in: Self.lengths)))
  }
}

extension WireEvent.Action {
  fileprivate init(_ fields: Fields, kind: ActionKind) throws(RecordingError) {
    switch kind {
    case .message: self = .message(try WireEvent.Message(fields))
    case .conversion: self = .conversion(try WireEvent.Conversion(fields))
    case .converted: self = .converted(try WireEvent.Conversion(fields))
    case .owner:
      self = .owner(
        of: try fields.name("selection"), try fields.window("window"), try fields.timestamp("timestamp"))
    case .property: self = .property(try WireEvent.Property(fields))
    case .vanished: self = .vanished(try fields.window("window"))
    }
  }
}

extension WireEvent.Message {
  fileprivate init(_ fields: Fields) throws(RecordingError) {
    let words = try fields.words("words") ?? []
    guard words.count == 5 else { throw fields.error("a message must have five words, not \(words.count)") }
    var names: [Int: AtomName] = [:]
    if let value = fields["names"] {
      guard case .object(let members) = value else { throw fields.error("\"names\" must be an object") }
      for (place, name) in members {
        guard let place = Int(place), words.indices.contains(place), let name = name.string else {
          throw fields.error("\"names\" must map places from 0 to 4 to names")
        }
        names[place] = AtomName(rawValue: name)
      }
    }
    self.init(
      type: try fields.name("type"), window: try fields.window("window"),
      destination: try fields.optionalWindow("destination"), words: words, names: names)
  }
}

extension WireEvent.Conversion {
  fileprivate init(_ fields: Fields) throws(RecordingError) {
    self.init(
      selection: try fields.name("selection"), target: try fields.optionalName("target"),
      property: try fields.optionalName("property"), requestor: try fields.window("requestor"),
      time: try fields.timestamp("timestamp"))
  }
}

extension WireEvent.Property {
  fileprivate init(_ fields: Fields) throws(RecordingError) {
    let bytes: [UInt8]
    if let words = try fields.words("words") {
      bytes = Format32.bytes(words)
    } else if let text = try fields.optionalString("base64") {
      guard let content = Base64.bytes(text) else { throw fields.error("\"base64\" is not valid base64") }
      bytes = content
    } else {
      bytes = Array((try fields.optionalString("text") ?? "").utf8)
    }
    let size = try fields.optionalInteger("size") ?? bytes.count
    // No property is longer than 16 GiB: the protocol counts its units of four bytes with 32 bits.
    guard size <= 1 << 34 else { throw fields.error("\"size\" is \(size), which no property has") }
    guard size >= bytes.count else { throw fields.error("\"size\" is \(size), but there are \(bytes.count) bytes") }
    let format = try fields.optionalInteger("format") ?? 0
    guard [0, 8, 16, 32].contains(format) else { throw fields.error("\"format\" must be 8, 16 or 32") }
    let offset = try fields.optionalInteger("offset") ?? 0
    guard offset >= 0 else { throw fields.error("\"offset\" must not be negative") }
    self.init(
      try fields.word("change"), try fields.name("name"), of: try fields.window("window"),
      type: try fields.optionalName("type"), format: format, offset: offset, bytes: bytes, byteCount: size,
      names: try fields.names("atoms"))
  }
}
