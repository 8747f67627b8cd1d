import Glibc
import ToolSupport
import XDnD

/// Writes what was dropped to standard output, and nothing else.
struct Printer {
  let form: PrintForm
  let isNULSeparated: Bool

  /// What can be printed, best first.
  static let types: [ContentType] = [.uriList, .mozURL, .plainText, .netscapeURL, .color]

  /// Nobody reads what is printed, or there is no place for it.
  static let failure = Intake.Failure(sentence: "cannot write to standard output", status: .transferFailed)

  /// - Returns: How many entries were printed; `nil` if they cannot be written.
  func print(_ content: ArrivedContent) -> Int? { print(entries(of: content)) }

  /// The same for files that were made of a drop.
  func print(paths: [[UInt8]]) -> Int? {
    print(form == .uris ? FileList(rawPaths: paths).uris.map { Array($0.utf8) } : paths)
  }

  private func entries(of content: ArrivedContent) -> [[UInt8]] {
    switch content {
    case .files(let files):
      files.map { file in form == .uris ? Array(file.uri.utf8) : file.rawPath ?? Array(file.uri.utf8) }
    case .text(let text): [withoutLastEnd(Array(text.utf8))]
    case .links(let links): links.map { Array($0.url.utf8) }
    case .color: content.color.map { [Array($0.utf8)] } ?? []
    }
  }

  /// Text that ends with the end of a line needs no other.
  private func withoutLastEnd(_ text: [UInt8]) -> [UInt8] {
    isNULSeparated || form == .shell || text.last != UInt8(ascii: "\n") ? text : text.dropLast()
  }

  private func print(_ entries: [[UInt8]]) -> Int? {
    let bytes = encoded(entries)
    return bytes.withUnsafeBytes { OutputStream().write($0) } ? entries.count : nil
  }

  func encoded(_ entries: [[UInt8]]) -> [UInt8] {
    let end = UInt8(ascii: "\n")
    guard !entries.isEmpty else { return [] }
    if isNULSeparated { return entries.flatMap { $0 + [0] } }
    if form == .shell { return entries.map(ShellWord.quoted).joined(separator: [UInt8(ascii: " ")]) + [end] }
    return entries.flatMap { $0 + [end] }
  }
}
