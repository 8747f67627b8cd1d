import XDnDFiles
import Glibc

/// Returns a path that no program takes for an option: absolute, or with `./` in front. A source may drop a file with
/// the name `--checkpoint-action=exec=…`, which `tar` would execute.
///
/// - Parameter path: The path of a file. A relative one may begin with a hyphen.
func argumentPath(_ path: RawPath) -> RawPath {
  path.first == UInt8(ascii: "/") || path.starts(with: "./".utf8) ? path : Array("./".utf8) + path
}

/// Returns the absolute path, relative to the working directory. Does not access the file, and keeps symbolic links.
func absolutePath(_ path: RawPath) -> RawPath {
  guard path.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  return RawPath(cString: directory).appending(path)
}
