import XDnDJSONText
import XDnD

// The format is documented in `docs/recordings.md`.

extension Recording {
  /// The file's first line, without a line end: everything known before the first event.
  public var headerLine: String {
    JSONValue.members([
      "recording": "xdnd", "version": .integer(Self.version), "role": .string(role.rawValue),
      "display": display.map { .string($0) }, "date": date.map { .string($0) },
      "peer": peer == Peer() ? nil : peer.json, "frame": target?.json,
    ]).json
  }

  /// The whole file.
  public var text: String { headerLine + "\n" + entries.map { $0.line + "\n" }.joined() }

  /// The version of the format. It changes when older programs would misread new files. Marks of entries are additional
  /// fields, which older programs ignore, and they may be absent.
  static let version = 1
}

extension Recording.Peer {
  /// A line of its own for a peer that becomes known during the recording. Without a line end.
  public var line: String { JSONValue.members(["peer": json]).json }

  var json: JSONValue {
    .members([
      "window": window?.json, "program": program.map { .string($0) }, "pid": processID.map { .integer($0) },
    ])
  }
}

extension Recording.Target {
  /// A line of its own for a window that becomes known, or moves, during the recording. Without a line end.
  public var line: String { JSONValue.members(["frame": json]).json }

  var json: JSONValue {
    .members([
      "window": window.json, "x": .integer(frame.origin.x), "y": .integer(frame.origin.y),
      "width": .integer(frame.width), "height": .integer(frame.height),
    ])
  }
}

extension Recording.Entry {
  /// The entry's line in the file, without a line end.
  public var line: String { json.json }

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
