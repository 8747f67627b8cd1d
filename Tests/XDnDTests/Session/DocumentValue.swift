import Glibc
import Synchronization

@testable import XDnD

extension ValueLoadTests {
  /// Comes out of a file, and remembers which one.
  struct Document: Equatable, Transferable {
    struct Unreadable: Error {}

    var text: String
    var path = ""

    static let paths = Mutex<[String]>([])

    static var transferRepresentation: some TransferRepresentation {
      FileRepresentation(importedContentType: "a/document") { received in
        let path = received.path
        paths.withLock { $0.append(path) }
        guard let text = read(path), !text.hasPrefix("broken") else { throw Unreadable() }
        return Document(text: text, path: path)
      }
      FileRepresentation(contentType: "a/other") {
        SentTransferredFile($0.path)
      } importing: {
        Document(text: read($0.path) ?? "", path: $0.path)
      }
    }

    private static func read(_ path: String) -> String? {
      guard let file = fopen(path, "r") else { return nil }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = fread(&bytes, 1, bytes.count, file)
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }
}
