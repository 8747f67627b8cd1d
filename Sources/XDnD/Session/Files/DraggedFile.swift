import XDnDFiles
import Glibc

extension FileList {
  /// The maximum length of a list whose files are examined, in bytes.
  static let sizeLimit = 1 << 20
}

/// A local file in the list of a drag or a clipboard. Its content can be loaded as a type that the source does not
/// offer.
struct DraggedFile: Equatable {
  /// As bytes, which need not be UTF-8.
  let path: [UInt8]
  /// The type by the file's name; `application/octet-stream` for an unknown name. After the drop, also by the first
  /// bytes.
  var type: ContentType

  var isUnclear: Bool { type == .data }

  /// The maximum number of URIs of a list. Later ones are ignored.
  private static let limit = 1000

  /// Returns the local files of a list, with their types by name.
  static func all(in list: FileList, _ database: TypeDatabase) -> [DraggedFile] {
    let host = FileList.thisHost
    return list.uris.prefix(limit).compactMap { uri in
      FileList.rawLocalPath(of: uri, hostName: host).map {
        DraggedFile(path: $0, type: database.type(forFileName: $0))
      }
    }
  }

  /// Reads the first bytes, and returns the file with the type that they identify. If the name gives a type without a
  /// signature, returns the file unchanged. Returns `nil` for an unreadable or irregular file, and for one that begins
  /// with no signature although the type of its name has one.
  func examined() -> DraggedFile? {
    guard let head = Self.head(of: path) else { return nil }
    guard isUnclear || FileSignature.identifies(type) else { return self }
    let identified = FileSignature.type(of: head)
    guard isUnclear || identified.map(FileSignature.identifies) == true else { return nil }
    return DraggedFile(path: path, type: identified ?? .data)
  }

  private static func head(of path: [UInt8]) -> [UInt8]? {
    // With these flags, opening a FIFO does not wait, and a terminal does not become the controlling one.
    guard let descriptor = try? openFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else { return nil }
    defer { close(descriptor) }
    guard (try? FileStatus(of: descriptor))?.kind == .file else { return nil }
    var head = [UInt8](repeating: 0, count: FileSignature.length)
    let count = read(descriptor, &head, head.count)
    return count < 0 ? nil : Array(head.prefix(count))
  }
}
