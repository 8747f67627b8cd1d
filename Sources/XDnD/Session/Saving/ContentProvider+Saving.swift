extension ContentProvider {
  /// Fetches one representation straight into a new file of a directory, which has its name only when it is whole.
  ///
  /// Nothing that is there is written over, or written through: if there is something of that name, the file gets a
  /// number. It is on its disk before the load ends, and nothing of it remains if the load fails.
  ///
  /// - Parameters:
  ///   - type: One of those that are offered. Others may be asked for, and are refused.
  ///   - directory: Where to.
  ///   - name: What of it may be the name of a file is used; ``XDnDError/Code/fileNotWritten`` if that is nothing.
  ///   - limit: The most bytes to take; by default ``Configuration/maximumFileTransferSize``.
  ///   - part: Sees each part before it is written, for example to compute a checksum.
  ///   - progress: Called as the bytes come, with their number and ``LoadTask/expectedByteCount``.
  ///   - completion: Called once, with the file; at once if it cannot be made.
  /// - Returns: The transfer, to cancel it.
  @discardableResult
  public func load(
    _ type: ContentType, into directory: FileDirectory, named name: String, limit: Int? = nil,
    inspecting part: ((UnsafeRawBufferPointer) -> Void)? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<SavedFile, XDnDError>) -> Void
  ) -> LoadTask {
    let file: FileSink
    do {
      file = try FileSink(in: directory, named: name)
    } catch {
      let task = LoadTask(type: type, provider: self, progress: nil) { _ in completion(.failure(error)) }
      task.end(.failure(error))
      return task
    }
    return load(
      type, limit: limit ?? fileLimit, progress: progress,
      into: {
        part?($0)
        return file.write($0)
      },
      completion: { result in
        completion(file.close(after: result).map { _ in directory.saved(file.name ?? name, byteCount: file.byteCount) })
      })
  }
}
