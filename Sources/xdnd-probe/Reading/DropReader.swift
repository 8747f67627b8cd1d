import ToolSupport
import XDnD

/// Fetches the representations of a drop or a clipboard one after the other, and reports them.
final class DropReader {
  /// How many representations are fetched.
  enum Extent {
    /// The first that the source delivers.
    case first
    /// All of them.
    case all
  }

  /// Why nothing could be fetched.
  struct Failure: Error {
    let sentence: String
    let status: ExitStatus
  }

  /// Whether to keep the bytes of every type.
  var keepsBytes = false
  /// Called for each representation that has arrived.
  var onContent: (ReceivedContent) -> Void = { _ in }

  private let provider: ContentProvider
  private let extent: Extent
  private let output: OutputDestination?
  /// The maximum size of one representation in bytes.
  private let limit: Int
  private let reporter: Reporter
  private let loop: EventLoop
  private var types: ArraySlice<ContentType>
  private var task: LoadTask?
  private var isOver = false
  private var hasSucceeded = false
  private var missed = MissedTypes()
  private let completion: (Result<Void, Failure>) -> Void

  /// - Parameters:
  ///   - types: The types to request, best first.
  ///   - limit: The maximum size of one representation in bytes.
  ///   - completion: Called once, unless the object is cancelled.
  init(
    _ provider: ContentProvider, types: [ContentType], extent: Extent, output: OutputDestination?, limit: Int,
    reporter: Reporter, on loop: EventLoop, completion: @escaping (Result<Void, Failure>) -> Void
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
  func start() { next(after: Failure(sentence: "the source offers no accepted type", status: .refused)) }

  /// Cancels the transfer in progress without calling the completion.
  func cancel() {
    isOver = true
    task?.cancel()
  }

  private func next(after failure: Failure) {
    guard !isOver else { return }
    guard let type = types.popFirst() else { return end(hasSucceeded ? .success(()) : .failure(failure)) }
    let received = ReceivedContent(type, isKept: keepsBytes)
    do {
      let task = try load(type, received)
      if !task.isFinished { self.task = task }
    } catch {
      end(.failure(Failure(sentence: error.sentence, status: .transferFailed)))
    }
  }

  private func load(_ type: ContentType, _ received: ReceivedContent) throws(OutputDestination.Failure) -> LoadTask {
    let progress: (Int, Int?) -> Void = { [reporter] in
      if let report = received.progress($0, of: $1) { reporter.print(report) }
    }
    let completion: (Result<ContentType, XDnDError>) -> Void = { [self] in loaded(received, $0) }
    switch output?.kind {
    case .file(let destination):
      return provider.load(
        type, toFile: destination, limit: limit, inspecting: { received.take($0) }, progress: progress,
        completion: completion)
    case .stream(let path):
      return load(
        type, received, into: try OutputStream(path, argument: output?.argument ?? ""), progress: progress)
    case .standardOutput: return load(type, received, into: OutputStream(), progress: progress)
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
    _ type: ContentType, _ received: ReceivedContent, into stream: OutputStream, progress: @escaping (Int, Int?) -> Void
  ) -> LoadTask {
    provider.load(
      type, limit: limit, progress: progress,
      pacedInto: { [self] part in
        received.take(part)
        guard stream.write(part) else { return .failed }
        guard stream.isFull else { return .more }
        stream.whenReady(on: loop) { [weak self] in self?.task?.resume() }
        return .full
      },
      completion: { [self] result in
        func failToWrite() {
          task = nil
          let sentence = "cannot write the content of type \(received.requested): the output was closed or is full"
          end(.failure(Failure(sentence: sentence, status: .transferFailed)))
        }
        if case .failure(let error) = result {
          // The library reports only that the content was not taken.
          let isUnwritten = error.code == .transferFailed && stream.hasFailed && received.count > 0
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
      let failure = Failure(error)
      guard canGoOn(after: error, received), !types.isEmpty || hasSucceeded else { return end(.failure(failure)) }
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
      next(after: Failure(sentence: "", status: .dropped))
      return false
    }
  }

  /// Whether another type is worth requesting. Bytes already written to a pipe cannot be withdrawn.
  private func canGoOn(after error: XDnDError, _ received: ReceivedContent) -> Bool {
    if case .stream = output?.kind, received.count > 0 { return false }
    if case .standardOutput = output?.kind, received.count > 0 { return false }
    return error.allowsAnotherType
  }

  private func end(_ result: Result<Void, Failure>) {
    isOver = true
    missed.summarize(reporter)
    completion(result)
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
      Report(
        "not-given", "Not delivered: \(Humane.visible(reason)).",
        ["type": .string(type.name), "reason": .string(reason)]))
  }

  /// Reports the number of types without a report of their own.
  mutating func summarize(_ reporter: Reporter) {
    defer { count = 0 }
    guard case let more = count - Self.mostLines, more > 0 else { return }
    reporter.print(
      Report(
        "not-given", "Not delivered: \(more) more types; the last: \(Humane.visible(reason)).",
        ["count": .integer(more), "reason": .string(reason)]))
  }
}

extension Report {
  /// Returns the report of a failure.
  static func failure(_ failure: DropReader.Failure) -> Report {
    Report(
      "failed", "Failed: \(Humane.visible(failure.sentence)).",
      ["reason": .string(failure.sentence), "status": .string(failure.status.word)])
  }

  /// Returns the report of why each type is accepted or not.
  static func explanation(of negotiation: Negotiation) -> Report {
    let explanations = negotiation.explain()
    return Report(
      "explained", (["Choice of types:"] + explanations.map { "  " + Humane.visible("\($0)") }).joined(separator: "\n"),
      [
        "types": .list(
          explanations.map {
            .object([
              ("type", .string($0.type.name)), ("verdict", .string($0.verdict.word)), ("reason", .string($0.reason)),
            ])
          })
      ])
  }
}

extension Negotiation.Explanation.Verdict {
  /// The verdict, for programs.
  fileprivate var word: String {
    switch self {
    case .taken: "taken"
    case .fallback: "fallback"
    case .notTaken: "not-taken"
    case .notOffered: "not-offered"
    }
  }
}

extension DropReader.Extent {
  /// Returns the types to request, in order.
  func types(in negotiation: Negotiation) -> [ContentType] {
    switch self {
    case .first: negotiation.candidates.map(\.offered)
    case .all: negotiation.fetchable
    }
  }
}

extension DropReader.Failure {
  /// Creates the failure of a load.
  init(_ error: XDnDError) { self.init(sentence: error.message, status: ExitStatus(error)) }
}
