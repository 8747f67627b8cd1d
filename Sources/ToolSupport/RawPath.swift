import Glibc

/// A path as C has it.
///
/// - Parameter path: As the bytes that the file system has; they need not be UTF-8.
public func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}

/// A path that no program takes for one of its options: absolute, or beginning with `./`.
///
/// - Parameter path: Of a file; a relative one may begin with anything, a hyphen too.
public func argumentPath(_ path: [UInt8]) -> [UInt8] {
  path.first == UInt8(ascii: "/") || path.starts(with: "./".utf8) ? path : Array("./".utf8) + path
}

/// The path from the root, by the working directory. Nothing is looked up, and symbolic links stay in it.
public func absolutePath(_ path: [UInt8]) -> [UInt8] {
  guard path.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  let base = UnsafeBufferPointer(start: directory, count: strlen(directory)).map(UInt8.init(bitPattern:))
  return base + (base.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + path
}

/// The absolute path without symbolic links in it; `nil` if there is no such file.
public func resolvedPath(_ path: [UInt8]) -> [UInt8]? {
  guard let resolved = withPath(path, { realpath($0, nil) }) else { return nil }
  defer { free(resolved) }
  return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:))
}
