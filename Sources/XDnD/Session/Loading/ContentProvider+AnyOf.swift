extension ContentProvider {
  /// Loads the first of several representations that the source actually delivers.
  ///
  /// If the source refuses a type that it offers, delivers nothing for it, or delivers something unusable, the next
  /// candidate is requested. Any other failure ends the load: a source that is silent or gone will not deliver another
  /// type either, and content that is too large or was cancelled is not wanted in another type.
  ///
  /// - Parameters:
  ///   - candidates: The types, best first.
  ///   - limit: The largest number of bytes to accept; `nil` for ``Configuration/maximumTransferSize``.
  ///   - isUsable: Returns whether loaded content is well-formed. `false` counts as a refusal.
  ///   - progress: Called as data arrives, with the received and the expected number of bytes. It starts again with
  ///     each candidate.
  ///   - onFailure: Called for each candidate that fails, with the error, before the next one is requested.
  ///   - completion: Called once. ``LoadedContent/requestedType`` is the candidate that was delivered, under the source's
  ///     name for it; an error is that of the last candidate.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load(
    anyOf candidates: [ContentType], limit: Int? = nil,
    where isUsable: @escaping (LoadedContent) -> Bool = { _ in true },
    progress: ((Int, Int?) -> Void)? = nil,
    onFailure: ((ContentType, XDnDError) -> Void)? = nil,
    completion: @escaping (Result<LoadedContent, XDnDError>) -> Void
  ) -> LoadTask {
    let load = CandidateLoad(
      self, type: candidates.first ?? "", limit: limit, progress: progress, onFailure: onFailure,
      completion: completion)
    let forms = candidates.map { type in
      CandidateLoad<LoadedContent>.Candidate(
        type: type,
        form: .bytes { content throws(XDnDError) in
          guard isUsable(content) else {
            throw XDnDError(.transferFailed, "what came of \(type) is not well-formed")
          }
          return content
        })
    }
    load.request(forms[...], ifNone: XDnDError(.transferRefused, "no type was asked for"))
    return load.task
  }
}
