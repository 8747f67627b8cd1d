/// Loads the first of several candidates that arrives and can be used.
final class CandidateLoad<Content> {
  /// The public handle, to report progress and to cancel.
  let task: LoadTask
  let provider: ContentProvider
  let limit: Int?
  private let found: Found

  private final class Found {
    var content: Content?
  }

  init(
    _ provider: ContentProvider, type: ContentType, limit: Int?, progress: ((Int, Int?) -> Void)?,
    completion: @escaping (Result<Content, XDnDError>) -> Void
  ) {
    let found = Found()
    self.provider = provider
    self.limit = limit
    self.found = found
    task = LoadTask(type: type, provider: provider, progress: progress) {
      completion($0.flatMap { _ in found.content.map { .success($0) } ?? .failure(.nothingDropped) })
    }
  }

  /// Requests one candidate after another, until one can be used or no other is worth requesting.
  ///
  /// - Parameters:
  ///   - error: Ends the load if there is no candidate.
  ///   - type: Returns the type of a candidate.
  ///   - load: Starts to load a candidate. Calls its closure with what has come of it: what has arrived and cannot be
  ///     used is a failure.
  func request<Candidate>(
    _ candidates: ArraySlice<Candidate>, ifNone error: XDnDError, type: @escaping (Candidate) -> ContentType,
    _ load: @escaping (Candidate, @escaping (Result<Content, XDnDError>) -> Void) -> LoadTask
  ) {
    guard let candidate = candidates.first else { return task.end(.failure(error)) }
    guard !task.isCancelled else { return task.end(.failure(XDnDError(cancelled: type(candidate)))) }
    task.type = type(candidate)
    let inner = load(candidate) { [self] result in
      switch result {
      case .success(let content):
        found.content = content
        task.end(.success(task.type))
      case .failure(let error) where error.allowsAnotherType:
        request(candidates.dropFirst(), ifNone: error, type: type, load)
      case .failure(let error): task.end(.failure(error))
      }
    }
    if !inner.isFinished { task.control = { [weak inner] in inner?.control?($0) } }
  }
}
