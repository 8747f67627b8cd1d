/// A path, split before its last component.
struct FilePath {
  /// The last component; empty if there is none.
  let name: [UInt8]
  /// The part before the last component, including the slash.
  let directory: [UInt8]

  /// Ignores trailing slashes, which shells append to directories.
  init(_ path: [UInt8]) {
    let slash = UInt8(ascii: "/")
    let end = path.lastIndex { $0 != slash }.map { $0 + 1 } ?? 0
    let start = path[..<end].lastIndex(of: slash).map { $0 + 1 } ?? 0
    name = Array(path[start..<end])
    directory = start > 0 ? Array(path[..<start]) : Array((end == 0 && !path.isEmpty ? "/" : "./").utf8)
  }

  /// Whether the last component can name a new file.
  var isNameable: Bool { !name.isEmpty && name != [46] && name != [46, 46] && !name.contains(0) }
}
