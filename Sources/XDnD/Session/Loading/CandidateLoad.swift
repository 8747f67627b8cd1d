import Glibc

/// Loads the first of several candidates that arrives and can be used.
final class CandidateLoad<Content> {
  /// A type, and what makes the content. An error means that what has arrived cannot be used.
  struct Candidate {
    let type: ContentType
    let form: Form
  }

  enum Form {
    case bytes((LoadedContent) throws(XDnDError) -> Content)
    /// From the file at a path, which is removed afterwards.
    case file((String) throws(XDnDError) -> Content)
  }

  /// The public handle, to report progress and to cancel.
  let task: LoadTask
  let provider: ContentProvider
  private let limit: Int?
  private let onFailure: ((ContentType, XDnDError) -> Void)?
  private let found: Found

  private final class Found {
    var content: Content?
  }

  init(
    _ provider: ContentProvider, type: ContentType, limit: Int?, isPart: Bool = false,
    progress: ((Int, Int?) -> Void)?, onFailure: ((ContentType, XDnDError) -> Void)? = nil,
    completion: @escaping (Result<Content, XDnDError>) -> Void
  ) {
    let found = Found()
    self.provider = provider
    self.limit = limit
    self.onFailure = onFailure
    self.found = found
    task = LoadTask(type: type, provider: provider, isPart: isPart, progress: progress) {
      completion($0.flatMap { _ in found.content.map { .success($0) } ?? .failure(.nothingDropped) })
    }
  }

  /// Requests one candidate after another, until one can be used or no other is worth requesting.
  ///
  /// - Parameter error: Ends the load if there is no candidate.
  func request(_ candidates: ArraySlice<Candidate>, ifNone error: XDnDError) {
    guard let candidate = candidates.first else { return task.end(.failure(error)) }
    guard !task.isCancelled else { return task.end(.failure(XDnDError(cancelled: candidate.type))) }
    task.type = candidate.type
    let inner = load(candidate) { [self] result in
      switch result {
      case .success(let content):
        found.content = content
        task.end(.success(candidate.type))
      case .failure(let error):
        onFailure?(candidate.type, error)
        if error.allowsAnotherType {
          request(candidates.dropFirst(), ifNone: error)
        } else {
          task.end(.failure(error))
        }
      }
    }
    if !inner.isFinished { task.control = { [weak inner] in inner?.control?($0) } }
  }

  private func load(_ candidate: Candidate, _ end: @escaping (Result<Content, XDnDError>) -> Void) -> LoadTask {
    let progress: (Int, Int?) -> Void = { [task] in task.report($0, $1) }
    switch candidate.form {
    case .bytes(let make):
      return provider.load(candidate.type, limit: limit, isPart: true, progress: progress) { loaded in
        end(loaded.flatMap { content in Result { () throws(XDnDError) in try make(content) } })
      }
    case .file(let make):
      guard let directory = TemporaryDirectory() else {
        end(.failure(XDnDError(.fileNotWritten, "no temporary directory can be made")))
        return task
      }
      let path = directory.path + "/content"
      return provider.load(
        candidate.type, toFile: FileDestination(path), limit: limit, isPart: true, progress: progress
      ) { loaded in
        withExtendedLifetime(directory) {
          end(loaded.flatMap { _ in Result { () throws(XDnDError) in try make(path) } })
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
    // The name tells whose it is if the program is killed.
    var template = Array("\(parent)/xdnd-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    unlink(path + "/content")
    rmdir(path)
  }
}
