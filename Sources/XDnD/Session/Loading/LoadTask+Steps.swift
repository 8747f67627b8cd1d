import Glibc

/// The steps of a load. Each step ends with a result, from which its caller decides how the load continues.
extension LoadTask {
  /// Loads one representation as a whole.
  func bytes(
    of type: ContentType, from origin: ContentProvider, limit: Int?,
    then: @escaping (Result<LoadedContent, XDnDError>) -> Void
  ) {
    var bytes: [UInt8] = []
    transfer(
      type, from: origin, limit: limit,
      into: { [self] part in
        // Reserved at once, so that growth copies nothing. The length is only the source's claim, hence the limit.
        if let expectedByteCount { bytes.reserveCapacity(min(expectedByteCount, 64 << 20)) }
        bytes.append(contentsOf: part)
        return .more
      },
      then: { [self] in then($0.map { LoadedContent(type: $0, requestedType: self.type, bytes: bytes) }) })
  }

  /// Loads one representation into a file, which is closed at the end.
  ///
  /// - Parameters:
  ///   - file: The file. If it could not be created, the step ends with the error.
  ///   - part: Receives each part before it is written.
  func write(
    _ type: ContentType, from origin: ContentProvider, to file: Result<FileSink, XDnDError>, limit: Int?,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil,
    then: @escaping (Result<ContentType, XDnDError>) -> Void
  ) {
    switch file {
    case .failure(let error): then(.failure(error))
    case .success(let file):
      transfer(
        type, from: origin, limit: limit ?? origin.fileLimit,
        into: {
          part?($0)
          return file.write($0) ? .more : .failed
        },
        then: { then(file.close(after: $0)) })
    }
  }

  func write(
    _ type: ContentType, from origin: ContentProvider, into directory: FileDirectory, named name: String, limit: Int?,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, then: @escaping (Result<SavedFile, XDnDError>) -> Void
  ) {
    let file = Result { () throws(XDnDError) in try FileSink(in: directory, named: name) }
    write(type, from: origin, to: file, limit: limit, inspecting: part) { written in
      then(written.flatMap { _ in file.map { directory.saved($0.name ?? name, byteCount: $0.byteCount) } })
    }
  }

  /// A type, and how to make the content from the loaded data. An error means that the data cannot be used.
  struct Candidate<Content> {
    let type: ContentType
    let form: Form

    enum Form {
      case bytes((LoadedContent) throws(XDnDError) -> Content)
      /// From the file at a path, which is removed afterwards.
      case file((String) throws(XDnDError) -> Content)
    }
  }

  /// Loads the first of several candidates that arrives and can be used.
  ///
  /// - Parameters:
  ///   - error: The result if there is no candidate.
  ///   - onFailure: Called for each candidate that fails.
  func first<Content>(
    of candidates: ArraySlice<Candidate<Content>>, from origin: ContentProvider, limit: Int?, orElse error: XDnDError,
    onFailure: ((ContentType, XDnDError) -> Void)? = nil, then: @escaping (Result<Content, XDnDError>) -> Void
  ) {
    guard let candidate = candidates.first else { return then(.failure(error)) }
    guard !isCancelled else { return then(.failure(XDnDError(cancelled: candidate.type))) }
    load(candidate, from: origin, limit: limit) { [self] result in
      guard case .failure(let error) = result else { return then(result) }
      onFailure?(candidate.type, error)
      guard error.allowsAnotherType, error != origin.emptiness else { return then(result) }
      first(
        of: candidates.dropFirst(), from: origin, limit: limit, orElse: error, onFailure: onFailure, then: then)
    }
  }

  private func load<Content>(
    _ candidate: Candidate<Content>, from origin: ContentProvider, limit: Int?,
    then: @escaping (Result<Content, XDnDError>) -> Void
  ) {
    switch candidate.form {
    case .bytes(let make):
      bytes(of: candidate.type, from: origin, limit: limit) { loaded in
        then(loaded.flatMap { content in Result { () throws(XDnDError) in try make(content) } })
      }
    case .file(let make):
      guard let directory = TemporaryDirectory() else {
        return then(.failure(XDnDError(.fileNotWritten, "no temporary directory can be made")))
      }
      let path = directory.path + "/content"
      let file = Result { () throws(XDnDError) in try FileSink(FileDestination(path)) }
      write(candidate.type, from: origin, to: file, limit: limit) { written in
        withExtendedLifetime(directory) {
          then(written.flatMap { _ in Result { () throws(XDnDError) in try make(path) } })
        }
      }
    }
  }
}

/// A directory that only this user can access (`mkdtemp`), in `TMPDIR` or `/tmp`. It is removed with its content when
/// the object is deallocated.
private final class TemporaryDirectory {
  let path: String

  init?() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // If the program is killed, the prefix identifies the leftover.
    var template = Array("\(parent)/xdnd-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    unlink(path + "/content")
    rmdir(path)
  }
}
