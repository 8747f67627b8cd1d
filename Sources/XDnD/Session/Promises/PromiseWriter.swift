/// Writes one promise to its place, part by part: whole or not at all.
///
/// It never waits for a provider, and lets the event loop go on after a few MiB. Whoever lets go of it before the end
/// leaves nothing behind.
final class PromiseWriter {
  private let promise: FilePromise
  private let destination: FileDestination
  private let requestor: WindowID
  private let doorbell: Doorbell
  private let timeout: Duration
  private let isDurable: Bool

  private var isStarted = false
  private var tree: PromiseTree?
  /// What is being filled.
  private var file: (content: PromisedContent, output: Output)?
  private var result: Result<Int, XDnDError>?

  /// How much has been written of all files together.
  private(set) var writtenByteCount = 0
  /// When the provider has been silent for too long; `nil` while nobody waits for it.
  private(set) var nextDeadline: LoopTime?

  private enum Output {
    case sink(FileSink, FileAttributes?)
    case tree(TreeFile)
  }

  /// How much is done at once. A disk takes it in a blink.
  private static let budget = 4 << 20
  private static let partLength = 256 << 10
  /// What an entry costs of the budget, however small it is.
  private static let entryCost = 64 << 10

  /// - Parameters:
  ///   - destination: Of the file or directory. A directory takes the place of nothing but an empty directory.
  ///   - requestor: The window that wants it.
  ///   - timeout: How long the provider may give nothing.
  ///   - isDurable: Whether it has to be on the disk in the end. A file that is not in a directory always is.
  init(
    _ promise: FilePromise, to destination: FileDestination, requestor: WindowID, doorbell: Doorbell,
    timeout: Duration, isDurable: Bool = true
  ) {
    self.promise = promise
    self.destination = destination
    self.requestor = requestor
    self.doorbell = doorbell
    self.timeout = timeout
    self.isDurable = isDurable
  }

  /// Does a bounded piece of work. The doorbell is rung if there is more to do at once.
  ///
  /// - Returns: How many bytes have been written, when it is whole; ``XDnDError/Code/fileNotWritten`` for what the
  ///   disk does not take, ``XDnDError/Code/transferRefused``, ``XDnDError/Code/transferFailed`` and
  ///   ``XDnDError/Code/timedOut`` for what the provider does not give; `nil` while it goes on.
  func advance(at now: LoopTime) -> Result<Int, XDnDError>? {
    var budget = Self.budget
    do {
      while result == nil, budget > 0 {
        guard try step(&budget) else { return try wait(at: now) }
        nextDeadline = nil
      }
    } catch {
      end(.failure(error))
    }
    if result == nil { doorbell.ring() }
    return result
  }

  /// Ends it, and leaves nothing behind unless it was whole.
  func cancel() { end(.failure(XDnDError(.cancelled, "the writing of '\(promise.name)' was cancelled"))) }

  private func end(_ result: Result<Int, XDnDError>) {
    guard self.result == nil else { return }
    self.result = result
    nextDeadline = nil
    file = nil
    tree = nil
  }

  private func wait(at now: LoopTime) throws(XDnDError) -> Result<Int, XDnDError>? {
    let deadline = nextDeadline ?? now + timeout
    if deadline <= now, let file { throw file.content.isSilent }
    nextDeadline = deadline
    return nil
  }

  /// - Returns: Whether it can go on.
  private func step(_ budget: inout Int) throws(XDnDError) -> Bool {
    if file != nil { return try fill(&budget) }
    budget -= Self.entryCost
    guard isStarted else {
      isStarted = true
      try start()
      return true
    }
    guard let tree else { return true }
    switch try tree.step() {
    case .made: break
    case .copied(let content, let output): file = (content, .tree(output))
    case .promised(let promise, let provide, let output): ask(promise, provide, .tree(output))
    case .whole: end(.success(writtenByteCount))
    }
    return true
  }

  private func start() throws(XDnDError) {
    switch promise.content {
    case .provided(let provide): ask(promise, provide, .sink(try FileSink(destination), nil))
    case .children(let children):
      tree = try PromiseTree(children, to: destination, isDurable: isDurable)
    case .copy(let path):
      switch try FileCopy(path) {
      case .file(let reader, let attributes):
        file = (PromisedContent(of: promise.name, from: reader), .sink(try FileSink(destination), attributes))
      case .directory(let original, let attributes):
        tree = try PromiseTree(original, at: path, attributes, to: destination, isDurable: isDurable)
      case .link, .nothing: throw XDnDError(.transferFailed, "there is nothing to copy to '\(promise.name)'")
      }
    }
  }

  /// There is a place for it; only now is it asked for.
  private func ask(_ promise: FilePromise, _ provide: (DataRequest) -> Void, _ output: Output) {
    let content = PromisedContent(of: promise.name)
    // The provider may cancel.
    file = (content, output)
    content.ask(provide, for: promise.type, requestor: requestor, doorbell: doorbell)
  }

  private func fill(_ budget: inout Int) throws(XDnDError) -> Bool {
    guard let (content, output) = file else { return true }
    switch try content.read(upTo: min(Self.partLength, max(1, budget))) {
    case .pending: return false
    // Reading has thrown the reason.
    case .failed: throw content.isSilent
    case .bytes(let bytes) where bytes.isEmpty:
      try finish(output)
      file = nil
      if tree == nil { end(.success(writtenByteCount)) }
    case .bytes(let bytes):
      budget -= bytes.count
      writtenByteCount += bytes.count
      try write(bytes, to: output)
    }
    return true
  }

  private func write(_ bytes: ArraySlice<UInt8>, to output: Output) throws(XDnDError) {
    switch output {
    case .sink(let sink, _):
      guard !bytes.withUnsafeBytes(sink.write) else { return }
      // It knows why.
      if case .failure(let error) = sink.close(after: .success(promise.type)) { throw error }
    case .tree(let file):
      let code = bytes.withUnsafeBytes(file.write)
      if code != 0 { throw destination.failure(code) }
    }
  }

  private func finish(_ output: Output) throws(XDnDError) {
    switch output {
    case .sink(let sink, let attributes):
      if let attributes { sink.set(attributes) }
      if promise.isClipping { sink.markAsClipping() }
      if case .failure(let error) = sink.close(after: .success(promise.type)) { throw error }
    case .tree(let file):
      let code = file.finish()
      if code != 0 { throw destination.failure(code) }
    }
  }
}
