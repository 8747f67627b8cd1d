import XDnDFiles

/// Writes one promise to its destination, part by part, completely or not at all.
///
/// It never blocks on a provider, and returns to the event loop after a few MiB. If it is deallocated before the end, no
/// partial file is left.
final class PromiseWriter {
  private let promise: FilePromise
  private let destination: FileDestination
  private let doorbell: Doorbell
  private let timeout: Duration
  private let isDurable: Bool

  /// The directory; `nil` for a single file, and before the start.
  private var tree: PromiseTree?
  /// The file that is being filled: a single file until the end, or one file of a directory after another.
  private var file: (content: PromisedContent, output: Output)?
  private var result: Result<Int, XDnDError>?

  private(set) var writtenByteCount = 0
  /// The total length, as stated by the provider's answer or else by the promise; `nil` while it is unknown.
  private(set) var byteCount: Int?
  /// The deadline for the provider; `nil` while no content is awaited.
  private(set) var nextDeadline: LoopTime?

  private enum Output {
    case sink(FileSink, FileAttributes?)
    case tree(FileWriter, FileAttributes?)
  }

  /// The number of bytes to write in one turn.
  private static let budget = 4 << 20
  private static let partLength = 256 << 10
  /// The part of the budget that each entry costs, in addition to its bytes.
  private static let entryCost = 64 << 10

  /// - Parameters:
  ///   - destination: The path of the file or directory. A directory replaces only an empty directory.
  ///   - timeout: How long the provider may be silent.
  ///   - isDurable: Whether to sync a directory to the disk. A single file is always synced.
  init(
    _ promise: FilePromise, to destination: FileDestination, doorbell: Doorbell, timeout: Duration,
    isDurable: Bool = true
  ) {
    self.promise = promise
    self.destination = destination
    self.doorbell = doorbell
    self.timeout = timeout
    self.isDurable = isDurable
    byteCount = promise.byteCount
  }

  /// Performs a bounded amount of work. Rings if it can continue immediately.
  ///
  /// - Returns: The number of bytes written, at the end. ``XDnDError/Code/fileNotWritten`` if writing fails;
  ///   ``XDnDError/Code/transferRefused``, ``XDnDError/Code/transferFailed`` or ``XDnDError/Code/timedOut`` if the
  ///   provider fails; `nil` while writing continues.
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

  /// Stops writing.
  ///
  /// - Returns: The result; the earlier one if the writing had already ended.
  @discardableResult
  func cancel() -> Result<Int, XDnDError> {
    end(.failure(XDnDError(.cancelled, "the writing of '\(promise.name)' was cancelled")))
  }

  /// - Returns: The first result.
  @discardableResult
  private func end(_ result: Result<Int, XDnDError>) -> Result<Int, XDnDError> {
    if let first = self.result { return first }
    self.result = result
    nextDeadline = nil
    file = nil
    tree = nil
    return result
  }

  private func wait(at now: LoopTime) throws(XDnDError) -> Result<Int, XDnDError>? {
    let deadline = nextDeadline ?? now + timeout
    if deadline <= now, let file { throw file.content.isSilent }
    nextDeadline = deadline
    return nil
  }

  /// - Returns: Whether it can continue immediately.
  private func step(_ budget: inout Int) throws(XDnDError) -> Bool {
    if file != nil { return try fill(&budget) }
    budget -= Self.entryCost
    guard let tree else {
      try start()
      return true
    }
    switch try tree.step() {
    case .made: break
    case .copied(let content, let file, let attributes): self.file = (content, .tree(file, attributes))
    case .promised(let promise, let provide, let file): ask(promise, provide, .tree(file, nil))
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

  /// Requests the content, after its file was created.
  private func ask(_ promise: FilePromise, _ provide: (DataRequest) -> Void, _ output: Output) {
    let content = PromisedContent(of: promise.name)
    // Set before the request, because the provider may cancel this writer.
    file = (content, output)
    content.ask(provide, for: promise.type, doorbell: doorbell)
  }

  private func fill(_ budget: inout Int) throws(XDnDError) -> Bool {
    guard let (content, output) = file else { return true }
    let part = try content.read(upTo: min(Self.partLength, max(1, budget)))
    if tree == nil { byteCount = content.announcedByteCount ?? byteCount }
    switch part {
    case .pending: return false
    // Unreachable: `read` has thrown the reason.
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
      // Closing the sink returns the reason.
      if case .failure(let error) = sink.close(after: .success(promise.type)) { throw error }
    case .tree(let file, _):
      do throws(SystemError) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in try file.write(UnsafeRawBufferPointer(bytes)) }
      } catch {
        throw destination.failure(error.code)
      }
    }
  }

  private func finish(_ output: Output) throws(XDnDError) {
    switch output {
    case .sink(let sink, let attributes):
      // Before the attributes: a read-only file cannot be marked.
      if promise.isClipping { sink.markAsClipping() }
      if let attributes { sink.set(attributes) }
      if case .failure(let error) = sink.close(after: .success(promise.type)) { throw error }
    case .tree(let file, let attributes):
      do {
        try attributes?.apply(to: file.descriptor.number)
        try file.sync()
      } catch {
        throw destination.failure(error.code)
      }
    }
  }
}
