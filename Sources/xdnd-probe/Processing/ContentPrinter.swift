import XDnDToolSupport
import XDnD
import ArgumentParser

/// Prints dropped content, and nothing else, to standard output (`--print`).
struct ContentPrinter {
  let form: PrintForm
  let isNULSeparated: Bool
  private let turns = Turns()

  /// The types that can be printed, best first.
  var types: [ContentType] {
    switch form {
    case .paths, .shell: [.uriList]
    case .uris: [.uriList, .mozURL, .netscapeURL]
    case .text: [.plainText, .mozURL, .netscapeURL, .color]
    }
  }

  /// Prints content and reports the entries that were left out.
  ///
  /// - Parameter completion: Receives the reason for a failure; `nil` on success.
  func print(
    _ received: ReceivedContent, _ reporter: Reporter, on loop: EventLoop,
    completion: @escaping (DropFailure?) -> Void
  ) {
    guard let content = received.decoded else { return completion(DropFailure(received.unreadableReason)) }
    let (printable, leftOut) = entries(of: content)
    if !leftOut.isEmpty { reporter.print(.leftOut(leftOut)) }
    guard !printable.isEmpty else { return completion(DropFailure(emptyReason, .refused)) }
    print(printable, reporter, on: loop, completion: completion)
  }

  /// Prints the paths or URIs of files that were saved from a drop.
  func print(
    saved paths: [[UInt8]], _ reporter: Reporter, on loop: EventLoop, completion: @escaping (DropFailure?) -> Void
  ) {
    let entries =
      form == .uris
      ? FileList(rawPaths: paths.map(absolutePath)).uris.map { Array($0.utf8) } : paths.map(argumentPath)
    print(entries, reporter, on: loop, completion: completion)
  }

  // MARK: Entries

  /// Splits content into printable entries of this form and entries that are left out.
  private func entries(of content: DecodedContent) -> (printable: [[UInt8]], leftOut: [LeftOut]) {
    var printable: [[UInt8]] = []
    var leftOut: [LeftOut] = []
    func add(_ uri: String, _ entry: FileList.Entry, _ path: [UInt8]?) {
      switch (form, entry) {
      case (.uris, .malformed): leftOut.append(LeftOut(uri: uri, reason: "it is not a valid URI"))
      case (.uris, _), (.text, _): printable.append(Array(uri.utf8))
      case (.paths, _), (.shell, _):
        if let path {
          printable.append(path)
        } else {
          leftOut.append(LeftOut(uri: uri, reason: entry.noFileReason ?? ""))
        }
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
    case .records(let records) where form == .text: printable = records.map { Array($0.text.utf8) }
    case .text, .color, .records: break
    }
    return (printable, leftOut)
  }

  /// Removes the final line end of a text, because printing adds one.
  private func withoutLastEnd(_ text: [UInt8]) -> [UInt8] {
    isNULSeparated || text.last != UInt8(ascii: "\n") ? text : text.dropLast()
  }

  private var emptyReason: String {
    switch form {
    case .paths, .shell: "the drop contains no file on this host"
    case .uris: "the drop contains no URI"
    case .text: "the drop contains no text"
    }
  }

  // MARK: Output

  private static let mostAtOnce = 500

  private func print(
    _ entries: [[UInt8]], _ reporter: Reporter, on loop: EventLoop, completion: @escaping (DropFailure?) -> Void
  ) {
    turns.take { done in
      write(entries, reporter, on: loop) { failure in
        completion(failure)
        done()
      }
    }
  }

  /// Writes entries in slices between events, with back-pressure from the reader.
  private func write(
    _ entries: [[UInt8]], from start: Int = 0, _ reporter: Reporter, on loop: EventLoop,
    completion: @escaping (DropFailure?) -> Void
  ) {
    let output = OutputBuffer.standardOutput
    var position = start
    loop.work {
      guard !output.isFull else {
        loop.when(output, keepsAtMost: OutputBuffer.fullness / 2) {
          write(entries, from: position, reporter, on: loop, completion: completion)
        }
        return false
      }
      let end = min(position + Self.mostAtOnce, entries.count)
      let bytes = encoded(
        entries[position..<end], isFirst: position == 0, isLast: end == entries.count, forTerminal: output.isTerminal)
      guard output.write(bytes, isContent: true) else {
        completion(DropFailure("cannot write to standard output"))
        return false
      }
      position = end
      guard position < entries.count else {
        reporter.printForPrograms("printed", ["entries": .integer(entries.count)])
        completion(nil)
        return false
      }
      return true
    }
  }

  /// - Parameter forTerminal: Whether to escape control characters, which a terminal would interpret. Programs get the
  ///   names unchanged.
  private func encoded(_ entries: ArraySlice<[UInt8]>, isFirst: Bool, isLast: Bool, forTerminal: Bool) -> [UInt8] {
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

  private func visible(_ entry: [UInt8]) -> [UInt8] {
    let text = RawArgument.string(entry)
    return Array((form == .text ? Formatting.visibleLines(text) : Formatting.visible(text, limit: nil)).utf8)
  }
}

/// The form of printed drops, for scripts.
enum PrintForm: String {
  /// Absolute paths of local files as bytes; other entries are left out.
  case paths
  /// URIs as the source wrote them; malformed ones are left out.
  case uris
  /// Paths quoted for the shell, one line per drop.
  case shell
  /// Text unchanged; links, colors and contacts as text.
  case text

  @Sendable init(argument: String) throws {
    guard let form = PrintForm(rawValue: argument) else { throw ValidationError("expected paths, uris, shell or text") }
    self = form
  }
}

struct PrintingOptions: ParsableArguments {
  @Option(
    name: .customLong("print"), parsing: .unconditional,
    help: ArgumentHelp("Print the content: paths, uris, shell or text.", valueName: "form"),
    transform: PrintForm.init(argument:))
  var form: PrintForm?

  @Flag(name: .customLong("print0"), help: "Like --print, NUL-terminated, for xargs -0.")
  var isNULSeparated = false

  var isPrinting: Bool { form != nil || isNULSeparated }

  /// - Throws: `ValidationError` if the options contradict each other.
  func printer() throws -> ContentPrinter? {
    guard form != .shell || !isNULSeparated else {
      throw ValidationError("--print shell cannot be used with --print0")
    }
    guard isPrinting else { return nil }
    return ContentPrinter(form: form ?? .paths, isNULSeparated: isNULSeparated)
  }
}
