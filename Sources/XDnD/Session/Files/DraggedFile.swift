import XDnDFiles
import Glibc

/// A local file that a drag from another program names, whose content can be loaded in place of a type that the program
/// does not offer.
struct DraggedFile: Equatable {
  /// In the file system's bytes.
  let path: [UInt8]
  /// By its name; `application/octet-stream` if the name tells none.
  var type: ContentType

  /// Whether the name tells no type.
  var isUnclear: Bool { type == .data }

  /// The most files of a list that count.
  private static let limit = 1000

  /// The local files of a list, with the types that their names tell.
  static func all(in list: FileList, _ database: TypeDatabase) -> [DraggedFile] {
    let host = FileList.thisHost
    return list.uris.prefix(limit).compactMap { uri in
      FileList.rawLocalPath(of: uri, hostName: host).map {
        DraggedFile(path: $0, type: database.type(forFileName: $0))
      }
    }
  }

  /// The file with the type that its first bytes tell, where the name tells none or something else; `nil` if it is not a
  /// regular file that can be read, or not what its name says.
  func examined() -> DraggedFile? {
    guard let head = Self.head(of: path) else { return nil }
    guard isUnclear || FileSignature.tells(type) else { return self }
    let told = FileSignature.type(of: head)
    guard isUnclear || told.map(FileSignature.tells) == true else { return nil }
    return DraggedFile(path: path, type: told ?? .data)
  }

  private static func head(of path: [UInt8]) -> [UInt8]? {
    // Opening a FIFO does not wait then, and a terminal does not become the controlling one.
    guard let descriptor = try? openFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else { return nil }
    defer { close(descriptor) }
    guard (try? FileStatus(of: descriptor))?.kind == .file else { return nil }
    var head = [UInt8](repeating: 0, count: FileSignature.length)
    let count = read(descriptor, &head, head.count)
    return count < 0 ? nil : Array(head.prefix(count))
  }
}
