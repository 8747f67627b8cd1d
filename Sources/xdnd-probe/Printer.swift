import Glibc
import ToolSupport
import XDnD

/// Writes what was dropped to standard output, and nothing else.
struct Printer {
  let form: PrintForm
  let isNULSeparated: Bool

  /// What can be printed, best first.
  var types: [ContentType] {
    switch form {
    case .paths, .shell: [.uriList]
    case .uris: [.uriList, .mozURL, .netscapeURL]
    case .text: [.plainText, .mozURL, .netscapeURL, .color]
    }
  }

  /// Nobody reads what is printed, or there is no place for it.
  static let failure = Intake.Failure(sentence: "cannot write to standard output", status: .transferFailed)

  /// What content is as entries of this form, and what is none.
  func entries(of content: ArrivedContent) -> (printable: [[UInt8]], leftOut: [LeftOut]) {
    var printable: [[UInt8]] = []
    var leftOut: [LeftOut] = []
    func add(_ uri: String, _ entry: FileList.Entry, _ path: [UInt8]?) {
      switch form {
      case .uris:
        if case .malformed = entry {
          leftOut.append(LeftOut(uri: uri, reason: "it is no URI"))
        } else {
          printable.append(Array(uri.utf8))
        }
      case .paths, .shell:
        if let path {
          printable.append(path)
        } else {
          leftOut.append(LeftOut(uri: uri, reason: entry.noFileReason ?? ""))
        }
      case .text: printable.append(Array(uri.utf8))
      }
    }
    switch content {
    case .files(let files): for file in files { add(file.uri, file.entry, file.rawPath) }
    case .links(let links):
      for link in links {
        add(link.url, FileList(uris: [link.url]).entries().first ?? .malformed(text: link.url), nil)
      }
    case .text(let text) where form == .text: printable = [withoutLastEnd(Array(text.utf8))]
    case .color where form == .text: printable = content.color.map { [Array($0.utf8)] } ?? []
    case .text, .color: break
    }
    return (printable, leftOut)
  }

  /// The same for files that were made of a drop.
  func entries(ofSaved paths: [[UInt8]]) -> [[UInt8]] {
    guard form == .uris else { return paths.map(argumentPath) }
    return FileList(rawPaths: paths.map(absolutePath)).uris.map { Array($0.utf8) }
  }

  /// Text that ends with the end of a line needs no other.
  private func withoutLastEnd(_ text: [UInt8]) -> [UInt8] {
    isNULSeparated || text.last != UInt8(ascii: "\n") ? text : text.dropLast()
  }

  /// Writes entries, as many as there are, between other things and at the pace of their reader.
  ///
  /// - Parameter completion: Is told how many were printed; `nil` if they cannot be written.
  func print(_ entries: [[UInt8]], on loop: EventLoop, completion: @escaping (Int?) -> Void) {
    print(entries, from: 0, on: loop, completion: completion)
  }

  private func print(
    _ entries: [[UInt8]], from start: Int, on loop: EventLoop, completion: @escaping (Int?) -> Void
  ) {
    let output = OutputBuffer.standardOutput
    var position = start
    loop.work {
      let end = min(position + Self.mostAtOnce, entries.count)
      let bytes = encoded(
        entries[position..<end], isFirst: position == 0, isLast: end == entries.count, forTerminal: output.isTerminal)
      guard output.write(bytes, isContent: true) else {
        completion(nil)
        return false
      }
      position = end
      guard position < entries.count else {
        completion(entries.count)
        return false
      }
      guard output.isFull else { return true }
      loop.when(output, keepsAtMost: OutputBuffer.fullness / 2) {
        print(entries, from: end, on: loop, completion: completion)
      }
      return false
    }
  }

  /// Prints what has come, and reports what of it was left out.
  ///
  /// - Parameter completion: Is told why it has failed; `nil` if something is printed.
  func print(
    _ content: ArrivedContent?, of arrival: Arrival, _ reporter: Reporter, on loop: EventLoop,
    completion: @escaping (Intake.Failure?) -> Void
  ) {
    guard let content else {
      return completion(Intake.Failure(sentence: arrival.unreadableReason, status: .transferFailed))
    }
    let (printable, leftOut) = entries(of: content)
    if !leftOut.isEmpty { reporter.print(.leftOut(leftOut)) }
    guard !printable.isEmpty else { return completion(Intake.Failure(sentence: emptyReason, status: .refused)) }
    print(printable, on: loop) { count in
      guard let count else { return completion(Self.failure) }
      reporter.printForPrograms(Report("printed", "", ["entries": .integer(count)]))
      completion(nil)
    }
  }

  private func visible(_ entry: [UInt8]) -> [UInt8] {
    let text = RawArgument.string(entry)
    return Array((form == .text ? Humane.visibleLines(text) : Humane.visible(text, limit: nil)).utf8)
  }

  private var emptyReason: String {
    switch form {
    case .paths, .shell: "it holds no file that is on this machine"
    case .uris: "it holds no URI"
    case .text: "there is no text"
    }
  }

  private static let mostAtOnce = 500

  /// A part of what is printed of one drop.
  ///
  /// - Parameter forTerminal: Whether a terminal shows it, which would obey what is in a name. A program gets names as they are.
  func encoded(
    _ entries: ArraySlice<[UInt8]>, isFirst: Bool = true, isLast: Bool = true, forTerminal: Bool = false
  ) -> [UInt8] {
    guard !entries.isEmpty else { return [] }
    var bytes: [UInt8] = []
    for (index, entry) in entries.enumerated() {
      if form == .shell {
        if index > 0 || !isFirst { bytes.append(UInt8(ascii: " ")) }
        bytes += forTerminal ? ShellWord.visible(entry) : ShellWord.quoted(entry)
      } else {
        bytes += forTerminal ? visible(entry) : entry
        bytes.append(isNULSeparated ? 0 : UInt8(ascii: "\n"))
      }
    }
    if form == .shell, isLast { bytes.append(UInt8(ascii: "\n")) }
    return bytes
  }
}
