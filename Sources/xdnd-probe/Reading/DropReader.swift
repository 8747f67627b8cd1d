import XDnDToolSupport
import XDnD

/// Fetches the representations of a drop or a clipboard one after the other, and reports them.
final class DropReader {
  /// How many representations are fetched.
  enum Extent {
    /// The first that the source delivers.
    case first
    case all

    /// Returns the types to request, in order.
    func types(in negotiation: Negotiation) -> [ContentType] {
      switch self {
      case .first: negotiation.candidates.map(\.offered)
      case .all: negotiation.fetchable
      }
    }
  }

  /// Whether the content is held in memory, so that it can be dragged out again. Not for written content, which may be
  /// of any size.
  var holdsContent = false
  /// Whether reports include the checksums of the content.
  var computesChecksums = false
  /// Called for each representation that has arrived.
  var onContent: (ReceivedContent) -> Void = { _ in }
  /// Called as data arrives, with the received byte count of a representation, and the total if the source has
  /// announced it.
  var onProgress: (Int, Int?) -> Void = { _, _ in }

  private let provider: ContentProvider
  private let extent: Extent
  private let output: OutputDestination?
  private let limit: Int
  private let reporter: Reporter
  private let loop: EventLoop
  private var types: ArraySlice<ContentType>
  private var task: LoadTask?
  private var isOver = false
  private var hasSucceeded = false
  private var missed = MissedTypes()
  private let completion: (DropFailure?) -> Void

  /// - Parameters:
  ///   - types: The types to request, best first.
  ///   - limit: The maximum size of one representation in bytes.
  ///   - completion: Called once, unless the object is cancelled. Receives the failure that ended reading; `nil` if
  ///     content was fetched.
  init(
    _ provider: ContentProvider, types: [ContentType], extent: Extent, output: OutputDestination?, limit: Int,
    reporter: Reporter, on loop: EventLoop, completion: @escaping (DropFailure?) -> Void
  ) {
    self.provider = provider
    self.types = types[...]
    self.extent = extent
    self.output = output
    self.limit = limit
    self.reporter = reporter
    self.loop = loop
    self.completion = completion
  }

  /// Starts fetching. The object retains itself until the end.
  func start() {
    let reason =
      provider is DropSession
      ? "neither the source nor a file has an accepted type" : "the source offers no accepted type"
    next(after: DropFailure(reason, .refused))
  }

  /// Cancels the transfer in progress without calling the completion.
  func cancel() {
    isOver = true
    task?.cancel()
  }

  /// Ends at the user's request, without leaving a partial file. The completion receives a failure.
  func abort() {
    guard !isOver else { return }
    let task = task
    end(.cancelledByUser)
    task?.cancel()
  }

  private func next(after failure: DropFailure?) {
    guard !isOver else { return }
    guard let type = types.popFirst() else { return end(hasSucceeded ? nil : failure) }
    let received = ReceivedContent(type, isHeld: holdsContent, hasChecksum: computesChecksums)
    do {
      let task = try load(type, received)
      if !task.isFinished { self.task = task }
    } catch {
      end(error)
    }
  }

  private func load(_ type: ContentType, _ received: ReceivedContent) throws(DropFailure) -> LoadTask {
    let progress: (Int, Int?) -> Void = { [reporter, onProgress] in
      onProgress($0, $1)
      if let report = received.progress($0, of: $1) { reporter.print(report) }
    }
    let completion: (Result<ContentType, XDnDError>) -> Void = { [self] in loaded(received, $0) }
    switch output?.kind {
    case .file(let destination):
      return provider.load(
        type, toFile: destination, limit: limit, inspecting: { received.take($0) }, progress: progress,
        completion: completion)
    case .stream(let path):
      return load(received, into: try OutputStream(path, argument: output?.argument ?? ""), progress: progress)
    case .standardOutput: return load(received, into: OutputStream(), progress: progress)
    case nil:
      return provider.load(
        type, limit: limit, progress: progress,
        into: {
          received.take($0)
          return true
        }, completion: completion)
    }
  }

  /// Fetches with back-pressure: while the stream's reader is behind, the source waits.
  private func load(
    _ received: ReceivedContent, into stream: OutputStream, progress: @escaping (Int, Int?) -> Void
  ) -> LoadTask {
    provider.load(
      received.requested, limit: limit, progress: progress,
      pacedInto: { [self] part in
        received.take(part)
        guard stream.write(part) else { return .failed }
        guard stream.buffer.isFull else { return .more }
        loop.when(stream.buffer, keepsAtMost: OutputBuffer.fullness / 2) { [weak self] in self?.task?.resume() }
        return .full
      },
      completion: { [self] result in
        func failToWrite() {
          task = nil
          end(DropFailure(stream.buffer.failureReason ?? "the output was closed"))
        }
        if case .failure(let error) = result {
          // The library reports only that the content was not taken.
          let isUnwritten = error.code == .transferFailed && stream.buffer.hasFailed && received.count > 0
          return isUnwritten && !isOver ? failToWrite() : loaded(received, result)
        }
        stream.finish(on: loop) { [self] isWritten in
          if isWritten || isOver { loaded(received, result) } else { failToWrite() }
        }
      })
  }

  private func loaded(_ received: ReceivedContent, _ result: Result<ContentType, XDnDError>) {
    task = nil
    guard !isOver else { return }
    switch result {
    case .success(let type):
      received.complete(as: type, output: output, on: loop) { [self] in completed(received, $0) }
    case .failure(let error):
      let failure = DropFailure(error)
      // In a stream, part of one type would be followed by another. A file gets its name only when it is complete, so
      // it can be written again.
      let isInterrupted = output?.isStream == true && received.count > 0
      guard error.allowsAnotherType, !isInterrupted, !types.isEmpty || hasSucceeded else { return end(failure) }
      missed.add(received.requested, because: error.message, reporter)
      next(after: failure)
    }
  }

  private func completed(_ received: ReceivedContent, _ report: Report) {
    guard !isOver else { return }
    missed.summarize(reporter)
    reporter.print(report)
    var first = DecodedContent.mostFilesInLine
    loop.work { [self] in
      guard !isOver else { return false }
      if let report = received.decoded?.filesReport(from: first) {
        reporter.print(report)
        first += DecodedContent.mostFilesInLine
        return true
      }
      onContent(received)
      hasSucceeded = true
      if extent == .first { types = [] }
      next(after: nil)
      return false
    }
  }

  private func end(_ failure: DropFailure?) {
    isOver = true
    missed.summarize(reporter)
    completion(failure)
  }
}

/// Reports the offered types that a source does not deliver. Only the first ones get a report each, because some
/// sources offer hundreds of private types and refuse them all.
private struct MissedTypes {
  private static let mostLines = 8
  private var count = 0
  private var reason = ""

  mutating func add(_ type: ContentType, because reason: String, _ reporter: Reporter) {
    count += 1
    self.reason = reason
    guard count <= Self.mostLines else { return }
    reporter.print(
      "not-given", "Not delivered: \(Formatting.visible(reason)).",
      ["type": .string(type.name), "reason": .string(reason)])
  }

  /// Reports the number of the remaining types.
  mutating func summarize(_ reporter: Reporter) {
    defer { count = 0 }
    guard case let more = count - Self.mostLines, more > 0 else { return }
    reporter.print(
      "not-given", "Not delivered: \(more) more types; the last: \(Formatting.visible(reason)).",
      ["count": .integer(more), "reason": .string(reason)])
  }
}

extension Report {
  /// Returns the report that explains why each type is accepted or not.
  static func explanation(of negotiation: Negotiation) -> Report {
    let explanations = negotiation.explain()
    let types = explanations.map {
      Value.members(["type": .string($0.type.name), "verdict": .string($0.verdict.word), "reason": .string($0.reason)])
    }
    return Report(
      "explained",
      (["Choice of types:"] + explanations.map { "  " + Formatting.visible("\($0)") }).joined(separator: "\n"),
      ["types": .list(types)])
  }
}

extension Negotiation.Explanation.Verdict {
  fileprivate var word: String {
    switch self {
    case .taken: "taken"
    case .fallback: "fallback"
    case .notTaken: "not-taken"
    case .notOffered: "not-offered"
    }
  }
}
