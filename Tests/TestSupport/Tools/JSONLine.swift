import Foundation
package import XDnD

/// One JSON line of a tool or a peer.
package struct JSONLine: Sendable, CustomStringConvertible {
  package let description: String
  private let members: [String: Value]

  private enum Value: Sendable, Decodable {
    case string(String)
    case number(Double)
    case boolean(Bool)
    case list([Value])
    case object([String: Value])
    case null

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .boolean(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .string(value)
      } else if let value = try? container.decode([Value].self) {
        self = .list(value)
      } else {
        self = .object(try container.decode([String: Value].self))
      }
    }
  }

  private init(members: [String: Value], description: String) {
    self.members = members
    self.description = description
  }

  private init?(_ value: Value) {
    guard case .object(let members) = value else { return nil }
    self.init(members: members, description: "\(members)")
  }

  /// `nil` if the line is not a JSON object.
  package init?(_ line: String) {
    guard let members = try? JSONDecoder().decode([String: Value].self, from: Data(line.utf8)) else { return nil }
    self.init(members: members, description: line)
  }

  /// Of all fields.
  package var names: Set<String> { Set(members.keys) }

  package var event: String { string("event") ?? "" }

  package func string(_ name: String) -> String? {
    if case .string(let value) = members[name] { value } else { nil }
  }

  package func integer(_ name: String) -> Int? {
    if case .number(let value) = members[name] { Int(value) } else { nil }
  }

  package func boolean(_ name: String) -> Bool? {
    if case .boolean(let value) = members[name] { value } else { nil }
  }

  package func strings(_ name: String) -> [String]? {
    guard case .list(let values) = members[name] else { return nil }
    return values.compactMap { if case .string(let value) = $0 { value } else { nil } }
  }

  package func integers(_ name: String) -> [Int]? {
    guard case .list(let values) = members[name] else { return nil }
    return values.compactMap { if case .number(let value) = $0 { Int(value) } else { nil } }
  }

  package func object(_ name: String) -> JSONLine? { members[name].flatMap(JSONLine.init(_:)) }

  /// The window of a line that says where it is.
  package var frame: Rect {
    Rect(x: point.x, y: point.y, width: integer("width") ?? 0, height: integer("height") ?? 0)
  }

  /// The point of `x` and `y`.
  package var point: Point { Point(x: integer("x") ?? 0, y: integer("y") ?? 0) }

  package func objects(_ name: String) -> [JSONLine]? {
    guard case .list(let values) = members[name] else { return nil }
    return values.compactMap(JSONLine.init(_:))
  }
}

extension JSONLine {
  private struct Event: Decodable { let event: String }

  /// The event of a line; `nil` if it is not a JSON object with one. No value is made of the rest, for there may be many lines,
  /// and long ones.
  package static func event(of line: Substring) -> String? {
    (try? JSONDecoder().decode(Event.self, from: Data(line.utf8)))?.event
  }
}

extension ChildProcess {
  /// The next line with this event.
  @discardableResult
  package func waitFor(_ event: String, timeout: Duration = .seconds(20)) async throws -> JSONLine {
    let line = try await waitForLine(timeout: timeout) { JSONLine($0)?.event == event }
    guard let parsed = JSONLine(line) else { throw failure("printed no JSON: \(line)") }
    return parsed
  }
}
