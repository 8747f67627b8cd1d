public import XDnD

/// A window as the user names it: by its number, by its name, or with the pointer.
public enum WindowChoice: Hashable, Sendable {
  /// Its number: `0x400002`, or in decimal as JSON has it.
  case id(WindowID)
  /// Its title or its class, or a part of one of them.
  case name(String)
  /// Whatever is clicked on.
  case pick

  /// Why there is no such window.
  public struct Failure: Error, Equatable {
    /// For people.
    public let sentence: String
    /// What a tool ends with that has nothing else to do.
    public let status: ExitStatus

    /// What to say, and how to end.
    public init(_ sentence: String, _ status: ExitStatus) {
      self.sentence = sentence
      self.status = status
    }
  }

  /// Reads an argument; anything that is neither a number nor `pick` is a name.
  @Sendable public init(argument: String) {
    let isHexadecimal = argument.hasPrefix("0x") || argument.hasPrefix("0X")
    if argument == "pick" {
      self = .pick
    } else if let number = isHexadecimal ? UInt32(argument.dropFirst(2), radix: 16) : UInt32(argument) {
      self = .id(WindowID(rawValue: number))
    } else {
      self = .name(argument)
    }
  }

  /// The window that is meant.
  ///
  /// ``pick`` waits for the user, and takes only its own events out of the queue. It has to be called before there is an
  /// ``EventLoop``, which would take the signals that end the waiting.
  ///
  /// - Parameter display: A `Display *`.
  public func resolve(on display: OpaquePointer) throws(Failure) -> WindowID {
    let clients = ClientWindows(display)
    switch self {
    case .id(let window):
      guard clients.exists(window) else { throw Failure("there is no window \(window)", .noTarget) }
      return window
    case .name(let name): return try Self.window(named: name, among: clients.all())
    case .pick: return try WindowPicker(display).pick()
    }
  }

  /// How large a window is, in device pixels; `nil` if it is gone.
  public static func size(of window: WindowID, on display: OpaquePointer) -> (width: Int, height: Int)? {
    ClientWindows(display).size(of: window)
  }

  /// A whole name counts for more than a part of one, and a title for more than the name of the program, which all of its
  /// windows have.
  static func window(named name: String, among clients: [ClientWindows.Client]) throws(Failure) -> WindowID {
    let part = name.lowercased()
    let readings: [(ClientWindows.Client) -> Bool] = [
      { $0.title == name }, { $0.classes.contains(name) }, { $0.names.contains { $0.lowercased().contains(part) } },
    ]
    let matches = readings.lazy.map { clients.filter($0) }.first { !$0.isEmpty } ?? []
    guard let first = matches.first else { throw Failure("there is no window named '\(name)'", .noTarget) }
    guard matches.count == 1 else {
      let list = matches.map { "\($0.window) '\($0.title)'" }.joined(separator: ", ")
      throw Failure("'\(name)' could be any of \(matches.count) windows: \(list)", .usage)
    }
    return first.window
  }
}
