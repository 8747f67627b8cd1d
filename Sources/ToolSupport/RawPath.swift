import Glibc

/// Calls the closure with the path as a NUL-terminated C string, which is valid during the call only.
///
/// - Parameter path: The path's bytes, which need not be UTF-8.
public func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}

/// Returns a path that no program takes for an option: absolute, or with `./` in front.
///
/// - Parameter path: The path of a file. A relative one may begin with a hyphen.
public func argumentPath(_ path: [UInt8]) -> [UInt8] {
  path.first == UInt8(ascii: "/") || path.starts(with: "./".utf8) ? path : Array("./".utf8) + path
}

/// Returns the absolute path, relative to the working directory. Does not access the file, and keeps symbolic links.
public func absolutePath(_ path: [UInt8]) -> [UInt8] {
  guard path.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  let base = UnsafeBufferPointer(start: directory, count: strlen(directory)).map(UInt8.init(bitPattern:))
  return base + (base.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + path
}

/// Returns the absolute path without symbolic links; `nil` if the file does not exist.
public func resolvedPath(_ path: [UInt8]) -> [UInt8]? {
  guard let resolved = withPath(path, { realpath($0, nil) }) else { return nil }
  defer { free(resolved) }
  return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
}
