import Files
import Glibc

/// Returns a path that no program takes for an option: absolute, or with `./` in front.
///
/// - Parameter path: The path of a file. A relative one may begin with a hyphen.
package func argumentPath(_ path: [UInt8]) -> [UInt8] {
  path.first == UInt8(ascii: "/") || path.starts(with: "./".utf8) ? path : Array("./".utf8) + path
}

/// Returns the absolute path, relative to the working directory. Does not access the file, and keeps symbolic links.
package func absolutePath(_ path: [UInt8]) -> [UInt8] {
  guard path.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  return [UInt8](cString: directory).appending(path)
}
